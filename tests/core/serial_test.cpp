#include "marrow/core/serial.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace marrow {
namespace {

TEST_CASE("serials: no two calls return the same number, on any thread") {
  constexpr std::size_t kThreads = 4, kCalls = 1000;
  std::vector<std::uint64_t> serials(kThreads * kCalls);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kCalls; ++i) serials[t * kCalls + i] = next_serial();
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::sort(serials.begin(), serials.end());
  CHECK(serials.front() > 0);
  CHECK(std::adjacent_find(serials.begin(), serials.end()) == serials.end());
}

}  // namespace
}  // namespace marrow

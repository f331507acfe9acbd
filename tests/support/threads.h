// An executor with threads that take jobs from a common counter, as job systems do.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "marrow/scene/executor.h"

namespace marrow::test {

struct Threads {
  unsigned count;
  static void run(void* context, const Work& work) {
    std::atomic<std::uint32_t> next{0};
    const auto take = [&] {
      for (std::uint32_t job; (job = next.fetch_add(1)) < work.count;) work.run(work.data, job);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < static_cast<Threads*>(context)->count; ++i) threads.emplace_back(take);
    take();
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace marrow::test

#include "marrow/core/assert.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace marrow {
namespace {

void print_and_abort(const AssertInfo& info) {
  std::fprintf(stderr, "marrow: %s:%d: %s (%s)\n", info.file, info.line, info.message, info.condition);
  std::abort();
}

std::atomic<AssertHandler> g_assert_handler{print_and_abort};

}  // namespace

AssertHandler set_assert_handler(AssertHandler handler) {
  return g_assert_handler.exchange(handler != nullptr ? handler : print_and_abort);
}

void assert_failed(const AssertInfo& info) {
  g_assert_handler.load()(info);
  std::abort();
}

}  // namespace marrow

// Catches asserts, for tests of what the caller must not do.
#pragma once

#include <string>

#include "marrow/core/assert.h"

namespace marrow::test {

// Returns the message of the assert that call() runs into; empty if there is none.
template <typename Call>
std::string assert_message(const Call& call) {
  struct Caught {
    const char* message;
  };
  struct Scope {
    AssertHandler before = set_assert_handler([](const AssertInfo& info) { throw Caught{info.message}; });
    ~Scope() { set_assert_handler(before); }
  };
  const Scope scope;
  try {
    call();
  } catch (const Caught& caught) {
    return caught.message;
  }
  return {};
}

}  // namespace marrow::test

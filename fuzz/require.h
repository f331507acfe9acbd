// What a fuzz target holds the library to.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace marrow::fuzz {

// Ends the program, which libFuzzer takes for a finding, unless the condition holds.
inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "not as it should be: %s\n", what);
  std::abort();
}

}  // namespace marrow::fuzz

// The number of rounds of a long test with random input.
#pragma once

#include <cstdlib>

namespace marrow::test {

// Returns `full`, or an eighth of it in a program built with a sanitizer, where a round takes ten times as long.
// The environment variable MARROW_FULL_ROUNDS restores all rounds there; ./test long sets it.
template <typename Count>
Count rounds(Count full) {
#ifdef MARROW_SANITIZED
  if (std::getenv("MARROW_FULL_ROUNDS") == nullptr) return static_cast<Count>((full + 7) / 8);
#endif
  return full;
}

}  // namespace marrow::test

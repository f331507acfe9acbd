// Runs the arithmetic of an entry point in the floating-point state that the results are defined in. Internal.
#pragma once

#include "src/core/platform.h"

namespace marrow {

// To the compiler the arithmetic does not depend on that state, so it may move a conversion or a product of the same
// function past the instructions that change it. Across a call that is not inlined it moves none.
template <typename Body>
MARROW_NOINLINE auto run_apart(const Body& body) {
  return body();
}

// Returns body(), computed with round to nearest and with denormals, whatever the host has set.
template <typename Body>
auto exactly(const Body& body) {
  const platform::FloatScope scope;
  return run_apart(body);
}

}  // namespace marrow

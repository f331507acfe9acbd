// How many times memory was allocated; for programs that link allocations.cpp.
#pragma once

#include <cstddef>

namespace marrow::test {

// Returns how many allocations there were so far.
[[nodiscard]] std::size_t allocation_count();

template <typename Body>
std::size_t allocations_in(const Body& body) {
  const std::size_t before = allocation_count();
  body();
  return allocation_count() - before;
}

}  // namespace marrow::test

// How many times memory was allocated; for programs that link allocations.cpp.
#pragma once

#include <cstddef>

namespace marrow::test {

// Returns how many allocations there were so far.
[[nodiscard]] std::size_t allocation_count();

// Lets the allocation of this thread fail that comes after `count` more; and none.
void fail_allocation_after(std::size_t count);
void fail_no_allocation();

template <typename Body>
std::size_t allocations_in(const Body& body) {
  const std::size_t before = allocation_count();
  body();
  return allocation_count() - before;
}

}  // namespace marrow::test

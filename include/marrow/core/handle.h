// Value handles with a generation.
//
// A handle is an index and the generation of its slot. When the slot is released its generation increases, so a stale
// handle never matches again. A zero handle is null.
#pragma once

#include <cstdint>

namespace marrow {

// `Tag` keeps handles to different things apart. Plain data, 8 bytes, all zero is null.
template <typename Tag>
struct Handle {
  std::uint32_t index = 0;       // slot + 1; 0 is null
  std::uint32_t generation = 0;  // that of the slot when the handle was made

  [[nodiscard]] bool is_null() const { return index == 0; }
  friend bool operator==(Handle a, Handle b) { return a.index == b.index && a.generation == b.generation; }
  friend bool operator!=(Handle a, Handle b) { return !(a == b); }
};

}  // namespace marrow

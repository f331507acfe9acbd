// Copies of the states of guests' hosts. Internal.
#pragma once

#include "marrow/guest/guest_host.h"

namespace marrow {

// Copies all of a state, or nothing if memory runs out. Allocates nothing where there was as much before.
inline void copy_state(const GuestState& from, GuestState& to) {
  to.skeletons.reserve(from.skeletons.size());
  to.meshes.reserve(from.meshes.size());
  to = from;
}

}  // namespace marrow

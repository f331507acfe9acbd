// A hash of what a guest drew in a frame. The same game gives the same, however it was compiled and run.
#pragma once

#include <cstdint>

#include "marrow/ffi/guest_host.h"

namespace marrow::console {

// Of each draw since begin_frame, in order: the mesh and the skeleton that it was given, its bones and its transform.
[[nodiscard]] std::uint64_t frame_hash(const GuestHost& host);

}  // namespace marrow::console

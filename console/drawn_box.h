// Where a guest's characters are.
#pragma once

#include "marrow/guest/guest_host.h"
#include "marrow/math/box.h"

namespace marrow::console {

// Returns the box around all vertices that were drawn since begin_frame, where their bones and transforms put them.
[[nodiscard]] Box drawn_box(const GuestHost& host);

}  // namespace marrow::console

// What the character can hold: a sword and an axe.
//
// Held at the origin, as a joint grip is: the handle is along y, and the edge of the axe is at +z.
#pragma once

#include "maker/mesh.h"

namespace marrow::character {

[[nodiscard]] MeshData make_sword();
[[nodiscard]] MeshData make_axe();

}  // namespace marrow::character

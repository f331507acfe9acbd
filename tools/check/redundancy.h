// Keys that a track can do without.
#pragma once

#include "marrow/anim/clip_keys.h"

namespace marrow::tool {

// How far a value may be off.
struct KeyTolerance {
  double translation;      // in the model's units
  double rotation = 1e-4;  // in radians
  double scale = 1e-5, morph = 1e-4;
};

// Returns how many keys lie within the tolerance of what their neighbours that stay give at their time. The first key
// and the last stay. Of cubic splines, whose tangents would have to change too, none.
[[nodiscard]] std::size_t count_redundant(const TrackKeys& track, const KeyTolerance& tolerance);

}  // namespace marrow::tool

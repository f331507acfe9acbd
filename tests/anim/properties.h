// All properties that a track can move.
#pragma once

#include "marrow/anim/pose.h"

namespace marrow::test {

inline constexpr Property kProperties[] = {Property::translation, Property::rotation, Property::scale, Property::morph};

}  // namespace marrow::test

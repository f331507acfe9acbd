// Random vectors and rotations of the library's types.
#pragma once

#include "fixtures/random.h"
#include "marrow/math/types.h"

namespace marrow::test {

// Uniform over the rotations.
inline Quat random_quat(Random& random) {
  const UnitQuat q = random.quat();
  return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

// Each component is in [-size, size).
inline Vec3 random_vector(Random& random, double size = 1) {
  return {random.rangef(-size, size), random.rangef(-size, size), random.rangef(-size, size)};
}

}  // namespace marrow::test

// Vertices and matrices with nothing regular about them.
#pragma once

#include "fixtures/random.h"
#include "marrow/math/affine.h"
#include "marrow/skin/vertices.h"
#include "support/random_vectors.h"

namespace marrow::test {

inline Affine random_affine(Random& random) {
  Affine a;
  for (auto& row : a.m) {
    for (float& x : row) x = random.rangef(-2, 2);
  }
  return a;
}

inline Affine random_rigid(Random& random) {
  return to_affine({random_vector(random), random_quat(random), {1, 1, 1}});
}

inline Vertices random_vertices(Random& random, std::size_t count, std::uint32_t influences, std::uint32_t joints) {
  Vertices v;
  v.influences = influences;
  for (std::size_t i = 0; i < count; ++i) {
    v.positions.push_back(random_vector(random));
    v.normals.push_back(random_vector(random));
    const Vec3 t = random_vector(random);
    v.tangents.push_back({t.x, t.y, t.z, i % 2 == 0 ? 1.0f : -1.0f});
    float left = 1;
    for (std::uint32_t k = 0; k < influences; ++k) {
      // Now and then a weight of zero, with a joint that no palette has.
      const bool none = k + 1 < influences && random.below(5) == 0;
      const float weight = none ? 0.0f : k + 1 == influences ? left : left * random.rangef(0, 1);
      left -= weight;
      v.weights.push_back(weight);
      v.joints.push_back(static_cast<std::uint16_t>(none ? 65535 : random.below(joints)));
    }
  }
  return v;
}

}  // namespace marrow::test

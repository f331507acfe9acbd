// Vertices, bones, and where the CPU says that the vertices are: what every shader is held against.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/math/affine.h"
#include "marrow/skin/vertices.h"

namespace marrow::test {

struct SkinningCaseOptions {
  std::uint32_t bones = 24;
  bool bound = false;  // the bones are in model space, and inverse binds there to multiply them by
  std::uint32_t morphs = 0;
  std::uint64_t seed = 1;
};

struct SkinningCase {
  Vertices vertices;  // four influences; every bone moves one of them at least
  std::vector<Affine> bones;
  std::vector<Affine> inverse_binds;  // empty if raw
  std::vector<float> morph_weights;
  std::vector<Vec3> positions, normals;  // as the CPU skins them
  double size = 0;                       // of the skinned vertices: the diagonal of their box
};

[[nodiscard]] SkinningCase make_skinning_case(const SkinningCaseOptions& options);

// Puts what is expected into the world, as an object is after its skinning.
void place(SkinningCase& c, const Affine& world);

// The numbers of bones at which something changes: what fits where, and far beyond.
inline constexpr std::uint32_t kBoneCounts[] = {24, 128, 129, 256, 341, 342, 1000, 3000};

// How far results are from those of the CPU.
struct SkinningDifference {
  double position = 0;       // the largest distance, relative to the model's size
  double normal = 0;         // the largest distance
  bool same_bits = true;     // everywhere
  std::uint32_t vertex = 0;  // where the worst is
};
[[nodiscard]] SkinningDifference compare(const SkinningCase& expected, const std::vector<Vec3>& positions,
                                         const std::vector<Vec3>& normals);

}  // namespace marrow::test

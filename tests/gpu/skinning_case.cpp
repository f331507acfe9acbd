#include "gpu/skinning_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "marrow/math/box.h"
#include "marrow/math/quat.h"
#include "marrow/math/vec3.h"
#include "marrow/skin/skinning.h"
#include "skin/random_vertices.h"

namespace marrow::test {
namespace {

double size_of(const std::vector<Vec3>& positions) {
  Box box;
  for (const Vec3& p : positions) box = enclose(box, p);
  return distance(box.low, box.high);
}

// What is no number is worse than any.
double or_endless(double x) { return x == x ? x : std::numeric_limits<double>::infinity(); }

// Bones that are turned and stretched as those of a character are, relative to each other, so that what they are
// blended to is far from flat; all of them mirrored in every other case.
Affine random_bone(Random& random, bool mirrored) {
  const Vec3 axis = random_vector(random);
  const Vec3 scale = {random.rangef(0.6, 1.6) * (mirrored ? -1.0f : 1.0f), random.rangef(0.6, 1.6),
                      random.rangef(0.6, 1.6)};
  return to_affine({random_vector(random), from_axis_angle(axis, random.rangef(-0.7, 0.7)), scale});
}

bool same_bits(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
}

}  // namespace

SkinningCase make_skinning_case(const SkinningCaseOptions& options) {
  Random random(options.seed);
  SkinningCase c;
  const std::size_t count = std::max<std::size_t>(500, options.bones);
  c.vertices = random_vertices(random, count, 4, options.bones);
  for (std::size_t i = 0; i < count; ++i) c.vertices.joints[4 * i] = static_cast<std::uint16_t>(i % options.bones);
  c.vertices.uvs.assign(1, std::vector<Vec2>(count));
  c.bones.resize(options.bones);
  for (Affine& bone : c.bones) bone = random_bone(random, options.seed % 2 == 0);
  std::vector<Affine> palette = c.bones;
  if (options.bound) {
    c.inverse_binds.resize(options.bones);
    for (std::size_t i = 0; i < palette.size(); ++i) {
      c.inverse_binds[i] = random_bone(random, false);
      palette[i] = multiply(c.bones[i], c.inverse_binds[i]);
    }
  }
  c.vertices.targets.resize(options.morphs);
  for (std::uint32_t t = 0; t < options.morphs; ++t) {
    MorphTarget& target = c.vertices.targets[t];
    target.positions.resize(count);
    for (Vec3& p : target.positions) p = random_vector(random, 0.5);
    if (t % 3 != 1) {  // some have no normals
      target.normals.resize(count);
      for (Vec3& n : target.normals) n = random_vector(random, 0.5);
    }
    c.morph_weights.push_back(t % 4 == 2 ? 0.0f : random.rangef(-0.5, 1));
  }
  c.positions.resize(count);
  c.normals.resize(count);
  skin_vertices(c.vertices, c.morph_weights, palette, {c.positions, c.normals, {}});
  c.size = size_of(c.positions);
  return c;
}

void place(SkinningCase& c, const Affine& world) {
  Vertices skinned;
  skinned.positions = c.positions;
  skinned.normals = c.normals;
  skin_rigidly(skinned, {}, world, {c.positions, c.normals, {}});
  c.size = size_of(c.positions);
}

SkinningDifference compare(const SkinningCase& expected, const std::vector<Vec3>& positions,
                           const std::vector<Vec3>& normals) {
  SkinningDifference d;
  d.same_bits = same_bits(positions, expected.positions) && same_bits(normals, expected.normals);
  for (std::size_t i = 0; i < expected.positions.size(); ++i) {
    const double position = or_endless(distance(positions.at(i), expected.positions[i]) / expected.size);
    const double normal = or_endless(distance(normals.at(i), expected.normals[i]));
    if (position > d.position || normal > d.normal) d.vertex = static_cast<std::uint32_t>(i);
    d.position = std::max(d.position, position);
    d.normal = std::max(d.normal, normal);
  }
  return d;
}

}  // namespace marrow::test

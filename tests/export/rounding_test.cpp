#include "src/export/rounding.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "export/float_sampler.h"
#include "export/model_builder.h"
#include "fixtures/random.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/quat.h"
#include "marrow/math/vec3.h"

namespace marrow {
namespace {

using test::FloatSampler;
using test::ModelBuilder;
using test::Random;

Quat turned(Random& random, double by) {
  const test::UnitQuat q = random.quat();
  return normalize({static_cast<float>(q.x * by), static_cast<float>(q.y * by), static_cast<float>(q.z * by), 1});
}

// A chain of joints a unit apart that begins somewhere, with three vertices around each, and a clip that bends all of
// it.
Model chain(Random& random, std::uint32_t count, Vec3 start, Vec3 armature) {
  ModelBuilder builder;
  builder.joint("armature", -1, {armature, turned(random, 0.3), {1, 1, 1}});
  std::vector<std::uint32_t> joints;
  std::vector<TrackKeys> tracks;
  std::vector<Affine> rest = {to_affine(builder.at(0).rest)};
  for (std::uint32_t i = 0; i < count; ++i) {
    const Transform local{i == 0 ? start : Vec3{0.6f, 0, 0.8f}, turned(random, 0.2), {1, 1, 1}};
    joints.push_back(builder.joint("j" + std::to_string(i), static_cast<std::int32_t>(i), local));
    rest.push_back(multiply(rest.back(), to_affine(local)));
    std::vector<float> keys;
    for (int k = 0; k < 3; ++k) {
      const Quat q = turned(random, 0.5);
      keys.insert(keys.end(), {q.x, q.y, q.z, q.w});
    }
    tracks.push_back({joints.back(), Property::rotation, Interpolation::linear, {0, 0.5f, 1}, keys});
  }
  std::vector<Affine> binds;
  auto vertices = std::make_shared<Vertices>();
  vertices->influences = 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    binds.push_back(inverse(rest[i + 1]));
    for (int k = 0; k < 3; ++k) {
      vertices->positions.push_back(
          transform_point(rest[i + 1], {random.rangef(-1, 1), random.rangef(-1, 1), random.rangef(-1, 1)}));
      vertices->joints.push_back(static_cast<std::uint16_t>(i));
      vertices->weights.push_back(1);
    }
  }
  builder.skin(joints, binds);
  const std::uint32_t node = builder.node("n", -1);
  builder.loose(node).mesh = builder.mesh(vertices, {0, 1, 2});
  builder.loose(node).skin = 0;
  builder.clip("bend", tracks);
  return builder.build();
}

// How far what a program in float makes of the export is from where marrow has it: the farthest of all bones and
// vertices.
double farthest(const Model& model, const ExportedAnimation& animation, Random& random) {
  const Skin& skin = model.skins()[0];
  const Vertices& vertices = *model.meshes()[0].parts[0].vertices;
  FloatSampler sampler(animation);
  Pose pose(model.skeleton());
  std::vector<Affine> joints(model.skeleton().joint_count()), matrices(skin.size());
  double largest = 0;
  for (int i = 0; i < 30; ++i) {
    const float time = i == 0 ? 0.5f : random.rangef(0, 1);
    const std::vector<Affine>& bones = sampler.at(time);
    sample(model.clips()[0], static_cast<double>(time), pose);
    local_to_model(pose, joints);
    palette(skin, joints, matrices);
    for (std::size_t v = 0; v < vertices.positions.size(); ++v) {
      const std::size_t slot = vertices.joints[v];
      const auto bone = std::find_if(animation.bones.begin(), animation.bones.end(),
                                     [&](const ExportedBone& b) { return b.joint == skin.joints()[slot]; }) -
                        animation.bones.begin();
      const Affine& there = bones[static_cast<std::size_t>(bone)];
      const Affine& bind = animation.bones[static_cast<std::size_t>(bone)].inverse_bind;
      largest = std::max(largest, length_of(translation_of(there) - translation_of(joints[skin.joints()[slot]])));
      largest = std::max(largest, length_of(transform_point(FloatSampler::product(there, bind), vertices.positions[v]) -
                                            transform_point(matrices[slot], vertices.positions[v])));
    }
  }
  return largest;
}

TEST_CASE("the error that an export states holds for programs in float, near the origin and far from it") {
  Random random(1);
  double tightest = 0;
  for (const float far : {0.0f, 30.0f, 1e4f, 1e6f}) {
    for (const std::uint32_t count : {1u, 5u, 40u}) {
      for (int place = 0; place < 3; ++place) {
        // Far away, moved there by what stands still, or brought back by it from where the chain begins.
        const Vec3 there{far, -0.3f * far, 0.2f * far}, back{-far, 0, 0};
        const Model model = chain(random, count,
                                  place == 0   ? there
                                  : place == 1 ? Vec3{}
                                               : back,
                                  place == 0 ? Vec3{} : there);
        for (const bool trs : {false, true}) {
          AnimationExportOptions options;
          options.trs = trs;
          const Result<ExportedAnimation> animation = export_animation(model, 0, options);
          REQUIRE(animation);
          const double off = farthest(model, *animation, random);
          CAPTURE(far);
          CAPTURE(count);
          CAPTURE(place);
          CHECK(off <= animation->error);
          // No frame brings back what rounding loses.
          CHECK(animation->times.size() == 3);
          tightest = std::max(tightest, off / animation->error);
        }
      }
    }
  }
  CHECK(tightest > 0.1);
}

}  // namespace
}  // namespace marrow

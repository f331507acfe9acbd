#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "export/model_builder.h"
#include "fixtures/humanoid.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/export/exported.h"
#include "marrow/math/quat.h"

namespace marrow {
namespace {

using test::ModelBuilder;
using test::moved;

constexpr auto kStep = Interpolation::step;
constexpr auto kLinear = Interpolation::linear;
constexpr auto kCubic = Interpolation::cubic_spline;

// The largest distance of a bone's origin, or of a point a unit off it along an axis, between the export and the clip.
double distance_at(const Model& model, const Clip& clip, const ExportedAnimation& animation, double time) {
  Pose pose(model.skeleton());
  sample(clip, time, pose);
  std::vector<Affine> joints(model.skeleton().joint_count()), local(animation.bones.size()), bones(local.size());
  local_to_model(pose, joints);
  sample_exported(animation, time, local);
  exported_to_model(animation.bones, local, bones);
  double largest = 0;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    for (const Vec3& point : {Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
      const Vec3 p = transform_point(bones[b], point), q = transform_point(joints[animation.bones[b].joint], point);
      largest = std::max(largest, static_cast<double>(std::hypot(p.x - q.x, p.y - q.y, p.z - q.z)));
    }
  }
  return largest;
}

// The same over the frames, and over times between them that the exporter did not look at.
struct Distances {
  double at_frames = 0, between = 0;
};
Distances distances(const Model& model, const Clip& clip, const ExportedAnimation& animation) {
  Distances out;
  for (std::size_t f = 0; f < animation.times.size(); ++f) {
    const auto time = static_cast<double>(animation.times[f]);
    out.at_frames = std::max(out.at_frames, distance_at(model, clip, animation, time));
    if (f + 1 == animation.times.size()) continue;
    const double length = static_cast<double>(animation.times[f + 1]) - time;
    if (length < 1e-5) continue;  // a jump
    for (int i = 0; i < 11; ++i) {
      out.between = std::max(out.between, distance_at(model, clip, animation, time + length * (i + 0.5) / 11));
    }
  }
  return out;
}

// Two joints with a mesh that reaches a unit off each, so that the error that is stated covers it.
ModelBuilder arm() {
  ModelBuilder builder;
  builder.joint("upper", -1, moved(0, 0, 1));
  builder.joint("lower", 0, moved(0, 0, 1));
  builder.skin({0, 1});
  for (const std::uint16_t joint : {std::uint16_t{0}, std::uint16_t{1}}) {
    const std::uint32_t node = builder.node("n", -1);
    builder.loose(node).mesh = builder.triangle({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {joint, joint, joint});
    builder.loose(node).skin = 0;
  }
  return builder;
}

ExportedAnimation exported(const Model& model, const AnimationExportOptions& options = {}) {
  const Result<ExportedAnimation> animation = export_animation(model, 0, options);
  REQUIRE_MESSAGE(animation, to_string(animation.error()));
  return *animation;
}

TEST_CASE("linear tracks of different times have frames at all of them, and lose nothing") {
  ModelBuilder builder = arm();
  builder.clip("wave", {{0, Property::rotation, kLinear, {0, 0.5f, 1}, {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0}},
                        {1, Property::translation, kLinear, {0.25f, 0.75f}, {0, 0, 1, 0, 2, 1}}});
  const Model model = builder.build();
  for (const bool trs : {false, true}) {
    AnimationExportOptions options;
    options.trs = trs;
    const ExportedAnimation animation = exported(model, options);
    CHECK(animation.name == "wave");
    CHECK(animation.duration == 1);
    // Half a turn can go either way round: frames between say which.
    for (const float time : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
      CHECK(std::find(animation.times.begin(), animation.times.end(), time) != animation.times.end());
    }
    CHECK(animation.keyframes.size() == animation.times.size() * 2 * (trs ? 10 : 12));
    CHECK(animation.animated == std::vector<std::uint32_t>{0, 1});
    const Distances off = distances(model, model.clips()[0], animation);
    CHECK(off.at_frames < 1e-5);
    CHECK(off.between < animation.error);
    CHECK(animation.relative_error < 1e-4);
  }
}

TEST_CASE("even frames end with the clip, and the error that they state holds between them") {
  ModelBuilder builder = arm();
  builder.clip("wave",
               {{0, Property::rotation, kLinear, {0, 0.35f, 0.97f}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, 0, 1}}});
  const Model model = builder.build();
  AnimationExportOptions options;
  options.fps = 10;
  const ExportedAnimation animation = exported(model, options);
  CHECK(animation.times.size() == 11);
  CHECK(animation.times.front() == 0);
  CHECK(animation.times.back() == 0.97f);
  CHECK(animation.fps == doctest::Approx(10 / 0.97));
  const Distances off = distances(model, model.clips()[0], animation);
  CHECK(off.at_frames < 1e-5);
  CHECK(off.between > 0.01);
  CHECK(off.between <= animation.error);
  CHECK(animation.error < 1.5 * off.between);
}

TEST_CASE("cubic splines have as many frames as the tolerance takes") {
  ModelBuilder builder = arm();
  builder.clip("bend",
               {{0, Property::rotation, kCubic, {0, 1}, {0, 0, 0, 0, 0, 0,    0, 1,    2, 0, 0, 0,
                                                         0, 2, 0, 0, 0, 0.6f, 0, 0.8f, 0, 0, 0, 0}},
                {1, Property::translation, kCubic, {0, 1}, {0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 5, 0, 1, 0, 1, 0, 0, 0}}});
  const Model model = builder.build();
  std::size_t fewer = 0;
  for (const double tolerance : {1e-2, 1e-3}) {
    AnimationExportOptions options;
    options.tolerance = tolerance;
    const ExportedAnimation animation = exported(model, options);
    const Distances off = distances(model, model.clips()[0], animation);
    CHECK(off.at_frames < 1e-5);
    CHECK(off.between <= animation.error);
    CHECK(animation.relative_error <= tolerance * 1.3);
    CHECK(animation.times.size() > fewer + 2);
    fewer = animation.times.size();
  }
}

TEST_CASE("bones of nothing but steps are steps, and never in between") {
  ModelBuilder builder = arm();
  builder.clip("tick", {{0, Property::translation, kStep, {0, 0.4f, 1}, {0, 0, 1, 3, 0, 1, 0, 5, 1}},
                        {1, Property::rotation, kLinear, {0, 1}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f}}});
  const Model model = builder.build();
  const ExportedAnimation animation = exported(model);
  CHECK(animation.times == std::vector<float>{0, 0.4f, 1});
  CHECK(animation.interpolation[0] == ExportedInterpolation::step);
  CHECK(animation.interpolation[1] == ExportedInterpolation::linear);
  CHECK(animation.relative_error < 1e-5);
  const Distances off = distances(model, model.clips()[0], animation);
  CHECK(off.at_frames < 1e-5);
  CHECK(off.between <= animation.error);
}

TEST_CASE("a step beside something smooth, and a jump, have two frames") {
  ModelBuilder builder = arm();
  SUBCASE("a step") {
    builder.clip("tick", {{0, Property::translation, kStep, {0, 0.4f, 1}, {0, 0, 1, 3, 0, 1, 0, 5, 1}},
                          {0, Property::rotation, kLinear, {0, 1}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f}}});
  }
  SUBCASE("a jump") {
    builder.clip(
        "tick",
        {{0, Property::translation, kLinear, {0, 0.4f, 0.4f, 1, 1}, {0, 0, 1, 3, 0, 1, 0, 5, 1, 2, 2, 2, 9, 9, 9}}});
  }
  const Model model = builder.build();
  const ExportedAnimation animation = exported(model);
  CHECK(animation.times == std::vector<float>{0, std::nextafter(0.4f, 0.0f), 0.4f, std::nextafter(1.0f, 0.0f), 1});
  CHECK(animation.interpolation[0] == ExportedInterpolation::linear);
  CHECK(animation.relative_error < 1e-5);
  const Distances off = distances(model, model.clips()[0], animation);
  CHECK(off.at_frames < 1e-5);
  CHECK(off.between <= animation.error);
}

TEST_CASE("keys of one track that are as good as at one time are a jump") {
  ModelBuilder builder = arm();
  const float after = 0.4f + 5e-7f;
  builder.clip("cut", {{0, Property::translation, kLinear, {0, 0.4f, after, 1}, {0, 0, 1, 3, 0, 1, 0, 5, 1, 2, 2, 2}},
                       {1, Property::rotation, kLinear, {0, after, 1}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, 0, 1}}});
  const Model model = builder.build();
  const ExportedAnimation animation = exported(model);
  CHECK(animation.times == std::vector<float>{0, 0.4f, after, 1});
  CHECK(animation.relative_error < 1e-5);
  const Distances off = distances(model, model.clips()[0], animation);
  CHECK(off.at_frames < 1e-5);
  CHECK(off.between <= animation.error);
  AnimationExportOptions options;
  options.fps = 10;
  CHECK(exported(model, options).notes.size() == 1);
}

TEST_CASE("steps at a rate come with a frame, and the error says by how much they are off") {
  ModelBuilder builder = arm();
  builder.clip("tick", {{0, Property::translation, kStep, {0, 0.44f, 1}, {0, 0, 1, 3, 0, 1, 0, 0, 1}}});
  const Model model = builder.build();
  AnimationExportOptions options;
  options.fps = 10;
  const ExportedAnimation animation = exported(model, options);
  CHECK(animation.interpolation[0] == ExportedInterpolation::step);
  CHECK(animation.error >= 3);
  CHECK(animation.error < 3.3);
  CHECK(animation.notes.size() == 1);
  std::vector<Affine> local(2);
  sample_exported(animation, 0.49, local);
  CHECK(local[0].m[0][3] == 0);
  sample_exported(animation, 0.51, local);
  CHECK(local[0].m[0][3] == 3);
}

TEST_CASE("what a rate smears is farthest off just before the jump, and the error holds there") {
  ModelBuilder builder = arm();
  builder.clip("tick", {{0, Property::translation, kStep, {0, 0.49f, 1}, {0, 0, 1, 3, 0, 1, 3, 0, 1}},
                        {0, Property::rotation, kLinear, {0, 1}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f}}});
  const Model model = builder.build();
  AnimationExportOptions options;
  options.fps = 10;
  const ExportedAnimation animation = exported(model, options);
  CHECK(animation.interpolation[0] == ExportedInterpolation::linear);
  const double off = distance_at(model, model.clips()[0], animation, 0.489999);
  CHECK(off > 2.6);
  CHECK(off <= animation.error);
}

TEST_CASE("clips of no length, of one key, without tracks and with times before 0 are exported") {
  ModelBuilder builder = arm();
  SUBCASE("one key") { builder.clip("c", {{1, Property::translation, kLinear, {0}, {7, 0, 0}}}); }
  SUBCASE("one key, later") { builder.clip("c", {{1, Property::translation, kStep, {2}, {7, 0, 0}}}); }
  SUBCASE("no tracks") { builder.clip("c", {}); }
  SUBCASE("no tracks, but a length") { builder.clip("c", {}, 2.5); }
  SUBCASE("before 0") {
    builder.clip("c", {{1, Property::translation, kLinear, {-1, 1}, {0, 0, 0, 4, 0, 0}}});
    const ExportedAnimation animation = exported(builder.build());
    CHECK(animation.times == std::vector<float>{0, 1});
    CHECK(animation.keyframes[12 + 3] == 2);
    return;
  }
  SUBCASE("a jump at 0") { builder.clip("c", {{1, Property::translation, kLinear, {0, 0}, {0, 0, 0, 4, 0, 0}}}); }
  const Model model = builder.build();
  const ExportedAnimation animation = exported(model);
  CHECK(animation.times.size() == (animation.duration > 0 ? 2 : 1));
  CHECK(animation.times.back() == animation.duration);
  CHECK(animation.keyframes.size() == animation.times.size() * 24);
  CHECK(animation.animated.size() == model.clips()[0].tracks().size());
  CHECK(distances(model, model.clips()[0], animation).at_frames < 1e-6);
  AnimationExportOptions options;
  options.fps = 30;
  CHECK(exported(model, options).times.back() == animation.duration);
}

TEST_CASE("keys that only rounding sets apart make one frame") {
  ModelBuilder builder = arm();
  const float near = std::nextafter(0.5f, 1.0f);
  builder.clip("c", {{0, Property::translation, kLinear, {0, 0.5f, 1}, {0, 0, 1, 1, 0, 1, 0, 0, 1}},
                     {1, Property::translation, kStep, {0, near, 1}, {0, 0, 0, 2, 0, 0, 3, 0, 0}}});
  const ExportedAnimation animation = exported(builder.build());
  CHECK(animation.times == std::vector<float>{0, near, 1});
  CHECK(animation.keyframes[(1 * 2 + 1) * 12 + 3] == 2);
}

TEST_CASE("what stands still above the roots is in their frames, turned, scaled and mirrored") {
  for (const float mirror : {1.0f, -1.0f}) {
    for (const bool trs : {false, true}) {
      ModelBuilder builder;
      builder.joint("armature", -1, {{1, 2, 3}, normalize({0.1f, 0.2f, 0.3f, 0.9f}), {2, 2 * mirror, 2}});
      builder.joint("a", 0, moved(0, 0, 1));
      builder.joint("b", 1, moved(0, 0, 1));
      builder.skin({1, 2});
      builder.clip("c", {{1, Property::rotation, kLinear, {0, 1}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f}},
                         {1, Property::scale, kLinear, {0, 1}, {1, 2, 3, 3, 2, 1}}});
      const Model model = builder.build();
      AnimationExportOptions options;
      options.trs = trs;
      const ExportedAnimation animation = exported(model, options);
      CHECK(animation.bones.size() == 2);
      const Distances off = distances(model, model.clips()[0], animation);
      CHECK(off.at_frames < 2e-5);
      CHECK(off.between < 2e-5);
    }
  }
}

TEST_CASE("a scale that goes through zero keeps its rotation in translations, rotations and scales") {
  ModelBuilder builder = arm();
  builder.clip("c", {{1, Property::rotation, kLinear, {0, 1}, {0, 0.6f, 0, 0.8f, 0, 0.6f, 0, 0.8f}},
                     {1, Property::scale, kLinear, {0, 1}, {0, 0, 0, 1, 1, 1}}});
  const Model model = builder.build();
  AnimationExportOptions options;
  options.trs = true;
  const ExportedAnimation animation = exported(model, options);
  CHECK(animation.times.size() == 2);
  CHECK(distances(model, model.clips()[0], animation).between < 1e-5);
}

TEST_CASE("a scale that changes its sign is told of where matrices lose it") {
  ModelBuilder builder = arm();
  builder.clip("c", {{1, Property::scale, kLinear, {0, 1}, {1, 1, 1, 1, -0.5f, 1}}});
  const Model model = builder.build();
  const ExportedAnimation matrices = exported(model);
  CHECK(matrices.relative_error > 0.1);
  CHECK(matrices.notes ==
        std::vector<std::string>{
            "A scale goes through zero, which matrices do not tell from a turn: --trs writes it as it is"});
  AnimationExportOptions options;
  options.trs = true;
  const ExportedAnimation transforms = exported(model, options);
  CHECK(transforms.relative_error < 1e-5);
  CHECK(transforms.notes.empty());
}

TEST_CASE("a clip that is not there, a rate of nothing and a model without bones are refused") {
  ModelBuilder builder = arm();
  builder.clip("c", {});
  const Model model = builder.build();
  CHECK(export_animation(model, 1).error().message == "there is no clip 1; the model has 1");
  for (const double fps : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    AnimationExportOptions options;
    options.fps = fps;
    CHECK_FALSE(export_animation(model, 0, options));
  }
  ModelBuilder bare;
  bare.joint("j", -1);
  bare.clip("c", {});
  const Result<ExportedAnimation> none = export_animation(bare.build(), 0);
  REQUIRE_FALSE(none);
  CHECK(none.error().message ==
        "the model has no bones: it has no skin, and no clip moves a node that shows something");
  ModelBuilder fast = arm();
  fast.clip("c", {{1, Property::translation, kLinear, {0, 1e6f}, {0, 0, 0, 1, 0, 0}}});
  AnimationExportOptions options;
  options.fps = 10000;
  CHECK(export_animation(fast.build(), 0, options).error().code == ErrorCode::limit_exceeded);
}

TEST_CASE("the size that errors are told in is that of what is exported") {
  ModelBuilder builder = arm();
  builder.clip("wave", {{0, Property::rotation, kLinear, {0, 1}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f}}});
  AnimationExportOptions options;
  options.fps = 1.5;
  const ExportedAnimation small = exported(builder.build(), options);
  ModelBuilder with_ground = arm();
  with_ground.clip("wave", {{0, Property::rotation, kLinear, {0, 1}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f}}});
  with_ground.loose(with_ground.node("ground", -1)).mesh =
      with_ground.triangle({{-900, 0, 0}, {900, 0, 0}, {0, 900, 0}});
  const ExportedAnimation large = exported(with_ground.build(), options);
  CHECK(large.error == small.error);
  CHECK(large.relative_error == small.relative_error);
}

TEST_CASE("a mesh and every clip of a model have the same bones") {
  ModelBuilder builder = arm();
  builder.clip("a", {{0, Property::translation, kLinear, {0, 1}, {0, 0, 1, 0, 0, 2}}});
  builder.clip("b", {});
  const Model model = builder.build();
  const Result<ExportedMesh> mesh = export_mesh(model);
  REQUIRE(mesh);
  for (std::uint32_t clip = 0; clip < 2; ++clip) {
    const Result<ExportedAnimation> animation = export_animation(model, clip);
    CHECK(animation->skeleton_id == mesh->skeleton.id);
    CHECK(animation->bones.size() == mesh->skeleton.bones.size());
  }
}

TEST_CASE("a humanoid with keys of its own on every track comes out as it was") {
  ModelParts parts;
  parts.skeleton = humanoid::make_skeleton();
  parts.skins = {humanoid::make_skin(parts.skeleton)};
  humanoid::Motion motion;
  motion.keys = humanoid::Keys::own;
  parts.clips = {humanoid::make_clip(parts.skeleton, motion)};
  const Result<Model> model = Model::create(parts);
  REQUIRE(model);
  const ExportedAnimation animation = exported(*model);
  CHECK(animation.bones.size() == 67);
  const Distances off = distances(*model, model->clips()[0], animation);
  CHECK(off.at_frames < 1e-5);
  CHECK(off.between < 1e-5);
  CHECK(animation.relative_error < 1e-5);
}

}  // namespace
}  // namespace marrow

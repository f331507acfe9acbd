#include "marrow/anim/sampling.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "export/model_builder.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/export/exported.h"
#include "marrow/gltf/reader.h"
#include "marrow_guest.h"
#include "support/bits.h"
#include "support/reference.h"
#include "support/special_floats.h"

namespace marrow::test {
namespace {

constexpr double kCharacterSize = 2.27;  // metres, across

const Model& character() {
  static const Model model = [] {
    const Result<LoadedModel> loaded = load_gltf(MARROW_ASSETS "/character.glb");
    REQUIRE_MESSAGE(loaded, to_string(loaded.error()));
    return loaded->model;
  }();
  return model;
}

// A clip as a guest has it, and the arrays that it is in.
struct GuestClip {
  ExportedAnimation arrays;
  std::vector<std::uint8_t> interpolations;
  std::vector<std::int32_t> parents;
  guest_clip clip{};

  explicit GuestClip(ExportedAnimation animation) : arrays(std::move(animation)) {
    for (const ExportedInterpolation i : arrays.interpolation) interpolations.push_back(static_cast<std::uint8_t>(i));
    for (const ExportedBone& bone : arrays.bones) parents.push_back(bone.parent);
    clip = {arrays.times.data(),
            arrays.keyframes.data(),
            interpolations.data(),
            static_cast<std::uint32_t>(arrays.times.size()),
            static_cast<std::uint32_t>(arrays.bones.size()),
            static_cast<std::uint32_t>(keyframe_size(arrays)),
            arrays.duration};
  }
  GuestClip(const GuestClip&) = delete;
  GuestClip& operator=(const GuestClip&) = delete;

  [[nodiscard]] std::vector<guest_transform> pose(float time) const {
    std::vector<guest_transform> out(arrays.bones.size());
    guest_sample(&clip, time, out.data());
    return out;
  }
  [[nodiscard]] std::vector<guest_matrix> model(float time) const {
    std::vector<guest_matrix> out(arrays.bones.size());
    guest_to_model(pose(time).data(), parents.data(), clip.bone_count, out.data());
    return out;
  }
};

ExportedAnimation exported(const Model& model, std::uint32_t clip, bool trs, std::optional<double> fps) {
  AnimationExportOptions options;
  options.trs = trs;
  options.fps = fps;
  const Result<ExportedAnimation> animation = export_animation(model, clip, options);
  REQUIRE_MESSAGE(animation, to_string(animation.error()));
  return *animation;
}

// The largest difference of a number of a bone's matrix from the library's sampling of the same arrays.
double distance_at(const GuestClip& guest, float time) {
  std::vector<Affine> local(guest.arrays.bones.size()), bones(local.size());
  sample_exported(guest.arrays, static_cast<double>(time), local);
  exported_to_model(guest.arrays.bones, local, bones);
  const std::vector<guest_matrix> model = guest.model(time);
  double largest = 0;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const std::span<const float> expected = floats(bones[b]);
    for (std::size_t i = 0; i < 12; ++i) keep_larger(largest, std::fabs(Real{model[b].m[i]} - Real{expected[i]}));
  }
  return largest;
}

// The largest distance of a bone from where the clip itself has it.
double distance_from_clip(const Model& model, std::uint32_t clip, const GuestClip& guest, float time) {
  Pose pose(model.skeleton());
  sample(model.clips()[clip], static_cast<double>(time), pose);
  std::vector<Affine> joints(model.skeleton().joint_count());
  local_to_model(pose, joints);
  const std::vector<guest_matrix> bones = guest.model(time);
  double largest = 0;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const Affine& joint = joints[guest.arrays.bones[b].joint];
    for (int i = 0; i < 3; ++i) {
      keep_larger(largest, std::fabs(Real{bones[b].m[4 * i + 3]} - Real{joint.m[i][3]}));
    }
  }
  return largest;
}

TEST_CASE("a guest samples exported clips as the library does, to 1e-6 of the size") {
  const Model& model = character();
  for (std::uint32_t clip = 0; clip < model.clips().size(); ++clip) {
    const std::string name(model.clips()[clip].name());
    if (name != "walk" && name != "turn" && name != "jump" && name != "grip") continue;
    for (const bool trs : {false, true}) {
      for (const std::optional<double> fps : {std::optional<double>(), std::optional<double>(17)}) {
        const GuestClip guest(exported(model, clip, trs, fps));
        CAPTURE(name);
        CAPTURE(trs);
        double off = 0, off_clip = 0;
        for (int i = -3; i <= 97; ++i) {
          const float time = guest.clip.duration * static_cast<float>(i) / 94;
          keep_larger(off, distance_at(guest, time));
          keep_larger(off_clip, distance_from_clip(model, clip, guest, time));
        }
        for (const float time : guest.arrays.times) keep_larger(off, distance_at(guest, time));
        CHECK(off < 1e-6 * kCharacterSize);
        CHECK(off_clip < guest.arrays.error + 1e-6 * kCharacterSize);
      }
    }
  }
}

// Two bones: one is turned in steps, the other turns and grows out of nothing.
Model steps() {
  ModelBuilder builder;
  builder.joint("step", -1, moved(0, 0, 1));
  builder.joint("smooth", 0, moved(0, 0, 1));
  builder.skin({0, 1});
  builder.clip("steps",
               {{0, Property::rotation, Interpolation::step, {0, 0.5f, 1}, {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0}},
                {1, Property::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0.6f, 0, 0.8f}},
                {1, Property::scale, Interpolation::linear, {0, 0.3f, 1}, {0, 0, 0, 1, -2, 1, 1, 0, 1}}});
  return builder.build();
}

TEST_CASE("a guest holds steps, and scales through zero, as the library does") {
  const Model model = steps();
  for (const bool trs : {false, true}) {
    const GuestClip guest(exported(model, 0, trs, {}));
    CHECK(guest.interpolations[0] == 0);
    CHECK(guest.interpolations[1] == 1);
    double worst = 0;
    for (int i = 0; i <= 1000; ++i) keep_larger(worst, distance_at(guest, static_cast<float>(i) / 1000));
    for (const float time : guest.arrays.times) keep_larger(worst, distance_at(guest, time));
    CHECK(worst < 5e-6);  // of numbers up to 4
    CHECK(guest.pose(std::nextafter(0.5f, 0.0f))[0].rotation.w == 1);
    CHECK(std::fabs(guest.pose(0.5f)[0].rotation.y) == 1);
  }
}

TEST_CASE("a guest at times before, beyond and none has the first frame or the last") {
  const GuestClip guest(exported(steps(), 0, true, {}));
  const auto same = [&](float time, std::size_t frame) {
    const std::vector<guest_transform> pose = guest.pose(time);
    for (std::uint32_t bone = 0; bone < 2; ++bone) {
      const guest_transform key = guest_key(&guest.clip, static_cast<std::uint32_t>(frame), bone);
      CHECK(difference(floats(pose[bone]), floats(key)) == "");
    }
  };
  for (const float time : {-1.0f, -kInf, -3e38f, 0.0f, kNaN}) same(time, 0);
  for (const float time : {1.0f, 2.0f, 3e38f, kInf}) same(time, guest.arrays.times.size() - 1);
}

TEST_CASE("a guest's frames of one time are a jump, and one frame is a pose") {
  const float times[] = {0, 1, 1, 1, 2}, one[] = {0};
  float keys[5 * 10] = {};
  for (int frame = 0; frame < 5; ++frame) {
    keys[frame * 10] = static_cast<float>(frame);
    keys[frame * 10 + 6] = keys[frame * 10 + 7] = keys[frame * 10 + 8] = keys[frame * 10 + 9] = 1;
  }
  const std::uint8_t linear[] = {1};
  const auto x_at = [&](const float* clip_times, std::uint32_t frames, float time) {
    const guest_clip clip = {clip_times, keys, linear, frames, 1, 10, 2};
    guest_transform pose[1];
    guest_sample(&clip, time, pose);
    return pose[0].translation[0];
  };
  CHECK(x_at(times, 5, 0.5f) == 0.5f);
  CHECK(x_at(times, 5, std::nextafter(1.0f, 0.0f)) == doctest::Approx(1));
  CHECK(x_at(times, 5, 1) == 3);
  CHECK(x_at(times, 5, 1.5f) == 3.5f);
  CHECK(x_at(times, 5, 2) == 4);
  for (const float time : {-1.0f, 0.0f, 1.0f}) CHECK(x_at(one, 1, time) == 0);
  // All at once: nothing to divide by.
  const float same[] = {1, 1, 1};
  CHECK(x_at(same, 3, 0) == 0);
  CHECK(x_at(same, 3, 1) == 2);
}

TEST_CASE("a guest's blend and layer change the bones that they are given, and none at weight 0") {
  const GuestClip guest(exported(steps(), 0, true, {}));
  const std::vector<guest_transform> from = guest.pose(0), to = guest.pose(0.7f);
  std::vector<guest_transform> pose = from;
  guest_blend(pose.data(), to.data(), 2, 0);
  CHECK(difference(floats(pose[1]), floats(from[1])) == "");
  guest_blend(pose.data(), to.data(), 2, 1);
  for (std::size_t i = 0; i < 2; ++i) CHECK(difference(floats(pose[i]), floats(to[i])) == "");
  pose = from;
  const std::uint32_t listed[] = {1};
  guest_layer(pose.data(), to.data(), listed, 1, 1);
  CHECK(difference(floats(pose[0]), floats(from[0])) == "");
  CHECK(difference(floats(pose[1]), floats(to[1])) == "");
}

TEST_CASE("a guest's final matrices at rest are the identity") {
  const Result<ExportedBones> bones = export_bones(character());
  REQUIRE(bones);
  const std::size_t count = bones->bones.size();
  std::vector<guest_transform> pose(count);
  std::vector<std::int32_t> parents;
  std::vector<float> inverse_binds;
  std::vector<const char*> names;
  for (std::size_t i = 0; i < count; ++i) {
    guest_matrix rest;
    const std::span<const float> numbers = floats(bones->bones[i].rest), bind = floats(bones->bones[i].inverse_bind);
    std::copy(numbers.begin(), numbers.end(), rest.m);
    pose[i] = guest_decompose(&rest);
    parents.push_back(bones->bones[i].parent);
    inverse_binds.insert(inverse_binds.end(), bind.begin(), bind.end());
    names.push_back(bones->bones[i].name.c_str());
  }
  std::vector<guest_matrix> matrices(count);
  guest_to_model(pose.data(), parents.data(), static_cast<std::uint32_t>(count), matrices.data());
  guest_to_final(matrices.data(), inverse_binds.data(), static_cast<std::uint32_t>(count));
  double worst = 0;
  const guest_matrix identity = guest_identity();
  for (const guest_matrix& matrix : matrices) {
    for (int i = 0; i < 12; ++i) keep_larger(worst, std::fabs(Real{matrix.m[i]} - Real{identity.m[i]}));
  }
  CHECK(worst < 1e-6);

  const auto find = [&](const char* name) {
    return guest_find_bone(names.data(), static_cast<std::uint32_t>(count), name);
  };
  CHECK(std::string(names[find("grip_R")]) == "grip_R");
  CHECK(find("grip") == 0);
  CHECK(find("grip_Rx") == 0);
  CHECK(find("") == 0);
}

}  // namespace
}  // namespace marrow::test

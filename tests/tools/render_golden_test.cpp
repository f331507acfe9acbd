// What pictures look like, compared with pictures that were looked at.
#include <doctest/doctest.h>

#include "render/session.h"
#include "tools/golden.h"
#include "tools/golden_model.h"

namespace marrow {
namespace {

using test::check_golden;
using test::clip;
using test::golden_model;
using tool::Motion;
using tool::MotionPlan;
using tool::Session;
using tool::Shot;
using tool::Studio;

constexpr std::uint32_t kSide = 224;

constexpr const char *kFirstClip = "walk", *kSecondClip = "run", *kFaceJoint = "body";

Shot usual_shot() {
  Shot shot;
  shot.angle.azimuth = 0.5f;
  shot.angle.elevation = 0.26f;
  return shot;
}

Picture shoot(const Model& model, const MotionPlan& plan, double until_s, double time_s, const Shot& shot) {
  Result<Studio> studio = Studio::make(kSide, kSide);
  REQUIRE_MESSAGE(studio.ok(), (studio ? "" : to_string(studio.error())));
  Motion motion(model, plan);
  Session session(*studio, motion, until_s, shot);
  Picture picture;
  const Result<void> shot_well = session.shoot(time_s, {}, picture);
  REQUIRE_MESSAGE(shot_well.ok(), (shot_well ? "" : to_string(shot_well.error())));
  CHECK(studio->warnings().empty());
  return picture;
}

MotionPlan fade(const Model& model) {
  MotionPlan plan;
  plan.clip = clip(model, kFirstClip);
  plan.fade_to = clip(model, kSecondClip);
  plan.fade_s = 0.4;
  plan.follow = true;
  return plan;
}

TEST_CASE("the rest pose is drawn upright, coloured and lit, with its shadow on the grid") {
  check_golden("rest", shoot(golden_model(), {}, 0, 0, usual_shot()));
}

TEST_CASE("in the middle of a crossfade limbs are between those of the clips") {
  const Model model = golden_model();
  check_golden("crossfade", shoot(model, fade(model), 0.4, 0.2, usual_shot()));
}

TEST_CASE("the skeleton is drawn over the model") {
  const Model model = golden_model();
  Shot shot = usual_shot();
  shot.skeleton = true;
  check_golden("skeleton", shoot(model, fade(model), 0.4, 0.2, shot));
}

TEST_CASE("morph targets are drawn") {
  const Model model = golden_model();
  const Result<std::uint32_t> joint = model.skeleton().joint(kFaceJoint);
  REQUIRE(joint.ok());
  REQUIRE(model.skeleton().morph_count(*joint) == 2);
  // A clip of its own, in which every target is at full weight.
  const float times[] = {0}, weights[] = {1, 1};
  const TrackDesc tracks[] = {{*joint, Property::morph, Interpolation::step, times, weights}};
  const Result<Clip> made = Clip::create(model.skeleton(), {"faces", tracks, {}});
  REQUIRE(made.ok());
  MotionPlan plan;
  plan.clip = &*made;
  // The head fills the picture.
  Result<Studio> studio = Studio::make(kSide, kSide);
  REQUIRE(studio.ok());
  Motion motion(model, plan);
  motion.go_to(0);
  const Box whole = motion.instance().world_bounds();
  const Vec3 head = {0, 0, whole.high.z - 0.16f};
  const Box box = {{head.x - 0.15f, head.y - 0.15f, head.z - 0.15f}, {head.x + 0.15f, head.y + 0.15f, head.z + 0.15f}};
  DrawOptions options;
  options.camera = camera_around(std::span(&box, 1), {.azimuth = 0.2f, .elevation = 0.1f}, 1);
  options.environment = environment_of(std::span(&whole, 1));
  options.light = lighting_for(options.camera);
  Picture picture;
  REQUIRE(studio->shoot(motion.scene(), options, picture).ok());
  check_golden("morphs", picture);
}

TEST_CASE("a transparent background leaves the model and its shadow") {
  const Model model = golden_model();
  Shot shot = usual_shot();
  shot.transparent = true;
  const Picture picture = shoot(model, fade(model), 0.4, 0.2, shot);
  const auto alpha = [&](std::size_t x, std::size_t y) { return picture.rgba[(y * kSide + x) * 4 + 3]; };
  CHECK(alpha(0, 0) == 0);
  CHECK(alpha(kSide - 1, 0) == 0);
  CHECK(alpha(0, kSide - 1) == 0);
  check_golden("transparent", picture);
}

TEST_CASE("the same input gives the same bytes") {
  const Model model = golden_model();
  Shot shot = usual_shot();
  shot.skeleton = shot.names = true;
  const Picture first = shoot(model, fade(model), 0.4, 0.2, shot);
  CHECK((first.rgba == shoot(model, fade(model), 0.4, 0.2, shot).rgba));
}

// The comparison itself.
TEST_CASE("a picture is the same if its edges are off by a pixel, and not if a limb is") {
  Picture one{64, 64, std::vector<std::uint8_t>(64 * 64 * 4, 255)};
  const auto with_bar = [&](std::size_t left, std::size_t width) {
    Picture out = one;
    for (std::size_t y = 20; y < 44; ++y) {
      for (std::size_t x = left; x < left + width; ++x) {
        for (std::size_t i = 0; i < 3; ++i) out.rgba[(y * 64 + x) * 4 + i] = 40;
      }
    }
    return out;
  };
  CHECK(test::is_same(test::compare(with_bar(20, 6), with_bar(20, 6))));
  CHECK(test::compare(with_bar(20, 6), with_bar(21, 6)).pixels == 0);
  CHECK(test::compare(with_bar(20, 6), with_bar(24, 6)).pixels > 0.01);
  CHECK(test::compare(with_bar(20, 6), one).pixels > 0.01);
  CHECK(test::compare(one, {32, 64, {}}).pixels == 1);
}

}  // namespace
}  // namespace marrow

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "marrow/math/affine.h"
#include "marrow/math/vec3.h"
#include "render/motion.h"
#include "tools/golden_model.h"

namespace marrow {
namespace {

using test::clip;
using test::golden_model;
using tool::Motion;
using tool::MotionPlan;
using tool::Reach;

Vec3 place_of(const Motion& motion, const char* joint) {
  const Affine m = motion.instance().bone(joint).world();
  return translation_of(m);
}

TEST_CASE("a motion can be gone to at any time, also back") {
  const Model model = golden_model();
  MotionPlan plan;
  plan.clip = clip(model, "walk");
  Motion motion(model, plan);
  motion.go_to(0.3);
  const Vec3 first = place_of(motion, "hand_L");
  motion.go_to(0.8);
  CHECK(distance(place_of(motion, "hand_L"), first) > 0.05f);
  motion.go_to(0.3);
  CHECK(distance(place_of(motion, "hand_L"), first) < 1e-6f);
}

TEST_CASE("a picture of a time after the end shows the end") {
  const Model model = golden_model();
  MotionPlan plan;
  plan.clip = clip(model, "walk");
  plan.repeat = false;
  Motion motion(model, plan);
  motion.go_to(plan.clip->duration());
  const Vec3 end = place_of(motion, "hips");
  motion.go_to(100);
  CHECK(distance(place_of(motion, "hips"), end) < 1e-5f);
  plan.repeat = true;
  Motion round(model, plan);
  round.go_to(plan.clip->duration() * 1.25);
  CHECK(distance(place_of(round, "hips"), end) > 0.05f);
}

TEST_CASE("a character that is followed walks on at the end of its clip") {
  const Model model = golden_model();
  MotionPlan plan;
  plan.clip = clip(model, "walk");
  plan.follow = true;
  Motion motion(model, plan);
  REQUIRE(tool::root_joint(model, *plan.clip) == model.skeleton().joint("root").value());
  const double length = plan.clip->duration();
  const Vec3 start = place_of(motion, "hips");
  std::array<float, 3> gone{};
  for (int i = 0; i < 3; ++i) {
    for (int step = 1; step <= 20; ++step) motion.go_to(length * (i + step / 20.0));
    gone[static_cast<std::size_t>(i)] = start.y - place_of(motion, "hips").y;  // it looks along -y
  }
  CHECK(gone[0] > 0.5f);
  CHECK(gone[1] == doctest::Approx(2 * gone[0]).epsilon(0.02));
  CHECK(gone[2] == doctest::Approx(3 * gone[0]).epsilon(0.02));
  CHECK(-motion.way().y == doctest::Approx(gone[2]).epsilon(0.02));

  // One that stays where it is has no such joint.
  CHECK_FALSE(tool::root_joint(model, *clip(model, "idle")).has_value());
}

TEST_CASE("a crossfade begins when it is told to") {
  const Model model = golden_model();
  MotionPlan plan;
  plan.clip = clip(model, "idle");
  plan.fade_to = clip(model, "run");
  plan.fade_s = 0.4;
  plan.fade_at_s = 1;
  MotionPlan alone = plan;
  alone.fade_to = nullptr;
  Motion fading(model, plan), still(model, alone);
  fading.go_to(0.9);
  still.go_to(0.9);
  CHECK(distance(place_of(fading, "hand_R"), place_of(still, "hand_R")) < 1e-6f);
  fading.go_to(1.2);
  still.go_to(1.2);
  CHECK(distance(place_of(fading, "hand_R"), place_of(still, "hand_R")) > 0.05f);
  CHECK(fading.instance().mixer().clip_action(*plan.fade_to).value().playing());
}

TEST_CASE("the reach of a motion holds every pose of it, and no more") {
  const Model model = golden_model();
  MotionPlan plan;
  plan.clip = clip(model, "walk");
  Motion motion(model, plan);
  const Vec3 directions[] = {{1, 0, 0}, {0, 0, 1}};
  const Reach reach = tool::reach_of(motion, plan.clip->duration(), false, directions);
  REQUIRE(reach.boxes.size() >= 8);
  CHECK(reach.points.size() == 2 * reach.boxes.size());
  Box all, points;
  for (const Box& box : reach.boxes) all = enclose(all, box);
  for (const Box& box : reach.points) points = enclose(points, box);
  CHECK(points.high.x == all.high.x);
  CHECK(points.high.z == all.high.z);
  // The walk goes forward, along -y.
  CHECK(size_of(all).y > size_of(reach.boxes[0]).y + 0.5f);
  CHECK(all.high.z == doctest::Approx(1.76).epsilon(0.05));

  plan.follow = true;
  Motion followed(model, plan);
  Box near;
  for (const Box& box : tool::reach_of(followed, plan.clip->duration(), false, directions).boxes)
    near = enclose(near, box);
  CHECK(size_of(near).y < size_of(all).y - 0.5f);
}

}  // namespace
}  // namespace marrow

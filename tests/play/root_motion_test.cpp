// Root motion without a mixer.
#include "marrow/play/root_motion.h"

#include <doctest/doctest.h>

#include <cmath>

#include "marrow/anim/sampling.h"
#include "mixer/scene.h"
#include "src/play/animator_data.h"

namespace marrow {
namespace {

TEST_CASE("a travel moves the root as far as the clip does, over any number of passes") {
  const test::Dial dial;
  const Clip clip = dial.clip(2);  // its first joint moves a metre a second along x
  const RootSetup setup = RootSetup::create(dial.skeleton, {.joint = 0}).value();
  const RootCurve curve(dial.skeleton, clip, 0);
  Playhead head;
  CHECK(root_motion(setup, curve, advance_playhead(head, 0.5, 2), head.loop, 2).translation.x == 0.5f);
  CHECK(root_motion(setup, curve, advance_playhead(head, 7, 2), head.loop, 2).translation.x == 7.0f);
  CHECK(root_motion(setup, curve, advance_playhead(head, -3, 2), head.loop, 2).translation.x == -3.0f);
  CHECK(root_motion(setup, curve, advance_playhead(head, 0, 2), head.loop, 2).translation.x == 0.0f);
}

TEST_CASE("what is taken out of the pose and the motion make the whole") {
  const test::Dial dial;
  const Clip clip = dial.clip(2);
  const RootSetup setup = RootSetup::create(dial.skeleton, {.joint = 0}).value();
  Pose pose(dial.skeleton);
  sample(clip, 1.25, pose);
  CHECK(pose.transform(0).translation.x == 1.25f);
  remove_root_motion(setup, pose);
  CHECK(pose.transform(0).translation.x == 0.0f);
}

TEST_CASE("curves of one clip and joint share their keys, and others do not") {
  const test::Dial dial;
  const Clip clip = dial.clip(2), other = dial.clip(2);
  const RootCurve a(dial.skeleton, clip, 0), b(dial.skeleton, clip, 0), c(dial.skeleton, other, 0),
      d(dial.skeleton, clip, 1);
  CHECK(&a.data() == &b.data());
  CHECK(&a.data() != &c.data());
  CHECK(&a.data() != &d.data());
}

TEST_CASE("a setup fails on a joint out of range, and on an up without direction") {
  const test::Dial dial;
  CHECK(RootSetup::create(dial.skeleton, {.joint = 2}).error().message == "the skeleton has no such joint");
  CHECK(RootSetup::create(dial.skeleton, {.up = {0, 0, 0}}).error().message == "up is not a direction");
  CHECK(RootSetup::create(dial.skeleton, {.up = {NAN, 0, 1}}).error().message == "up is not a direction");
}

}  // namespace
}  // namespace marrow

// How a game uses the mixer: each thing that the usual animation libraries show in their first pages, in a line or two.
#include <doctest/doctest.h>

#include "anim/pose_difference.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "mixer/scene.h"

namespace marrow {
namespace {

using test::Character;
using test::kFrame;
using test::run_for;

TEST_CASE("one clip plays, round and round") {
  const Character c;
  test::PosedMixer mixer(c.skeleton);
  const Action idle = mixer.play(c.idle).set_loop(Loop::repeat);
  run_for(mixer, 2.5);
  CHECK(idle.playing());
  CHECK(idle.time() == doctest::Approx(0.5));
  Pose expected(c.skeleton);
  sample(c.idle, idle.time(), expected);
  CHECK(test::difference(mixer.pose(), expected) == "");
}

TEST_CASE("a character starts walking, speeds up in the middle of the fade, and stops in the middle of that") {
  const Character c;
  test::PosedMixer mixer(c.skeleton);
  const Action idle = mixer.play(c.idle).set_loop(Loop::repeat);
  run_for(mixer, 1);
  const Action walk = mixer.clip_action(c.walk).value().set_loop(Loop::repeat);
  mixer.cross_fade(idle, walk, 0.3);
  run_for(mixer, 0.1);
  const Action run = mixer.clip_action(c.run).value().set_loop(Loop::repeat);
  mixer.cross_fade(walk, run, 0.2);
  run_for(mixer, 0.1);
  CHECK(walk.active());
  CHECK(run.fade() == doctest::Approx(0.5));
  mixer.cross_fade_to(idle, 0.4);
  run_for(mixer, 0.5);
  CHECK(idle.fade() == 1.0f);
  CHECK(!walk.active());
  CHECK(!run.active());
  CHECK(mixer.current() == idle);
}

TEST_CASE("options say how to play; an attack that finishes goes back to idle by a handler") {
  const Character c;
  test::PosedMixer mixer(c.skeleton);
  const Action idle = mixer.play(c.idle, {.speed = 1.0, .loop = Loop::repeat});
  mixer.cross_fade_to(c.run, 0.3);
  run_for(mixer, 0.5);
  const Action attack = mixer.cross_fade_to(c.attack, 0.15).set_loop(Loop::once);
  mixer.on_event([&](const Event& event) {
    if (event.kind == EventKind::finished && event.action == attack) mixer.cross_fade_to(c.idle, 0.2);
  });
  run_for(mixer, 0.4);
  CHECK(mixer.current() == attack);
  run_for(mixer, 0.4);
  CHECK(mixer.current() == idle);
  CHECK(idle.fade() == 1.0f);
  CHECK(!attack.active());
}

TEST_CASE("a fade-in, by options and by hand") {
  const Character c;
  test::PosedMixer mixer(c.skeleton);
  const Action walk = mixer.play(c.walk, {.fade_in = 0.5});
  CHECK(walk.fade() == 0.0f);
  run_for(mixer, 0.25);
  CHECK(walk.fade() == doctest::Approx(0.5));
  walk.fade_out(0.25);
  run_for(mixer, 0.3);
  CHECK(!walk.active());
}

TEST_CASE("an action is got first, then played and faded to") {
  const Character c;
  test::PosedMixer mixer(c.skeleton);
  const Action idle = mixer.clip_action(c.idle).value(), walk = mixer.clip_action(c.walk).value();
  idle.set_loop(Loop::repeat).play();
  mixer.cross_fade_to(walk, 0.3);
  run_for(mixer, 0.5);
  CHECK(walk.fade() == 1.0f);
  CHECK(!idle.active());
}

TEST_CASE("the legs walk while the upper body waves") {
  const Character c;
  test::PosedMixer mixer(c.skeleton);
  const JointMask upper = JointMask::from_branch(c.skeleton, c.skeleton.joint("spine_1").value(), 2);
  mixer.play(c.walk);
  const Layer arms = mixer.add_layer({.mask = &upper}).value();
  arms.play(c.wave, {.fade_in = 0.2});
  run_for(mixer, 0.5);
  arms.fade_out_all(0.2);
  run_for(mixer, 0.5);
  CHECK(arms.current() == Action());
  CHECK(mixer.current().clip().name() == "walk");
}

TEST_CASE("several skins follow one mixer") {
  const Character c;
  const Skin armour = humanoid::make_skin(c.skeleton);
  test::PosedMixer mixer(c.skeleton);
  mixer.play(c.idle);
  mixer.update(kFrame);
  std::vector<Affine> model(c.skeleton.joint_count()), body_palette(c.skin.size()), armour_palette(armour.size());
  local_to_model(mixer.pose(), model);
  palette(c.skin, model, body_palette);
  palette(armour, model, armour_palette);
  CHECK(body_palette[5].m[0][3] == armour_palette[5].m[0][3]);
}

}  // namespace
}  // namespace marrow

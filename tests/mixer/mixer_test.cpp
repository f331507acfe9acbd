// The mixer as a whole: identity, capacity, layers, order.
#include "marrow/mixer/mixer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "anim/pose_difference.h"
#include "fixtures/random.h"
#include "marrow/anim/blend.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/anim/sampling.h"
#include "marrow/clip/clip_tools.h"
#include "marrow/math/quat.h"
#include "mixer/scene.h"
#include "support/asserts.h"
#include "support/lanes.h"

namespace marrow {
namespace {

using test::Character;
using test::Dial;
using test::x_of;

TEST_CASE("a clip has one action, by identity and not by name, and others on request") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Clip a = dial.clip(1, "walk"), b = dial.clip(2, "walk"), copy = a;
  const Action first = mixer.clip_action(a).value();
  CHECK(mixer.clip_action(copy).value() == first);
  CHECK(!(mixer.clip_action(b).value() == first));
  const Action second = mixer.new_action(a).value();
  CHECK(!(second == first));
  CHECK(mixer.clip_action(a).value() == first);
  CHECK(mixer.actions().size() == 3);
  mixer.release(first);
  CHECK(!(mixer.clip_action(a).value() == second));
  const Layer layer = mixer.add_layer({}).value();
  CHECK(!(layer.clip_action(a).value() == mixer.clip_action(a).value()));
  CHECK(layer.clip_action(a).value().layer() == layer);
  std::vector<Action> listed;
  for (const Action action : mixer.actions()) listed.push_back(action);
  CHECK(listed.size() == mixer.actions().size());
  mixer.play(a);
  layer.play(a);
  mixer.stop_all();
  CHECK(std::none_of(listed.begin(), listed.end(), [](const Action& action) { return action.active(); }));
}

TEST_CASE("asking for more than the capacity is an error, until more is reserved") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton, {.actions = 2, .max_actions = 2, .layers = 1});
  const Clip a = dial.clip(1), b = dial.clip(2), c = dial.clip(3);
  const Action first = mixer.play(a);
  mixer.play(b);
  Result<Action> third = mixer.clip_action(c);
  REQUIRE(!third.ok());
  CHECK(third.error().code == ErrorCode::limit_exceeded);
  CHECK(third.error().message == "mixer is full: 2 actions, all playing or held; raise MixerOptions::max_actions");
  CHECK(!mixer.new_action(a).ok());
  CHECK(mixer.clip_action(a).ok());
  CHECK(mixer.add_layer({}).error().message == "mixer is full: 1 layer; raise MixerOptions::layers");
  mixer.update(0.25);
  mixer.reserve({.actions = 3, .layers = 2});
  CHECK(first.time() == 0.25);
  CHECK(mixer.clip_action(c).ok());
  CHECK(mixer.add_layer({}).ok());
  mixer.play(c);
  mixer.update(0.25);
  CHECK(x_of(mixer) == doctest::Approx((0.5 + 0.5 + 0.25) / 3));
}

TEST_CASE("a clip of another skeleton is an error that names the difference") {
  const auto skeleton_with = [](std::uint32_t joints, std::uint32_t first_weights, std::uint32_t second_weights) {
    std::vector<JointDesc> descs(joints);
    for (std::uint32_t j = 1; j < joints; ++j) descs[j].parent = 0;
    const std::vector<float> weights(first_weights + second_weights);
    descs[0].morph_weights = std::span(weights).first(first_weights);
    if (joints > 1) descs[1].morph_weights = std::span(weights).last(second_weights);
    return Skeleton::create(descs).value().skeleton;
  };
  const Skeleton own = skeleton_with(2, 2, 1);
  Mixer mixer(own);
  const auto why = [&](const Skeleton& skeleton) {
    const Clip clip = create_clip(skeleton, {"Run", 1, {}}).value();
    const Result<Action> action = mixer.clip_action(clip);
    CHECK((action.ok() || action.error().code == ErrorCode::size_mismatch));
    return action.ok() ? "" : action.error().message;
  };
  CHECK(why(skeleton_with(2, 2, 1)) == "");
  CHECK(why(skeleton_with(3, 2, 1)) == "clip \"Run\" is for a skeleton with 3 joints; this mixer's has 2");
  CHECK(why(skeleton_with(1, 0, 0)) == "clip \"Run\" is for a skeleton with 1 joint; this mixer's has 2");
  const std::string morphs = "clip \"Run\" is for a skeleton with other morph weights than this mixer's";
  CHECK(why(skeleton_with(2, 2, 3)) == morphs);
  CHECK(why(skeleton_with(2, 1, 2)) == morphs);
}

TEST_CASE("playing a clip in a full mixer, or one of another skeleton, gives a null action and an error") {
  const Dial dial;
  const Character other;
  test::PosedMixer mixer(dial.skeleton, {.actions = 1, .max_actions = 1});
  const Action first = mixer.play(dial.clip(1));
  const auto fails = [&](const Action& action, const std::string& message) {
    CHECK(!action);
    REQUIRE(mixer.last_error() != nullptr);
    CHECK(mixer.last_error()->message == message);
    mixer.clear_error();
    CHECK(first.playing());
    CHECK(first.fade() == 1.0f);
  };
  const Clip further = dial.clip(2);
  const std::string full = "mixer is full: 1 action, all playing or held; raise MixerOptions::max_actions";
  fails(mixer.play(further), full);
  fails(mixer.play(further, {.fade_in = 1}), full);
  fails(mixer.cross_fade_to(further, 0.5), full);
  fails(mixer.base().play(further), full);
  fails(mixer.base().cross_fade_to(further, 0), full);
  const std::string foreign = "clip \"walk\" is for a skeleton with " + std::to_string(other.skeleton.joint_count()) +
                              " joints; this mixer's has 2";
  fails(mixer.play(other.walk), foreign);
  fails(mixer.cross_fade_to(other.walk, 0.5), foreign);
  fails(mixer.cross_fade_to(further, -1), "the fade time is negative");
  CHECK(mixer.actions().size() == 1);
}

TEST_CASE("clips come and go for ever in a mixer of fixed capacity") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton, {.actions = 2});
  for (int i = 0; i < 100; ++i) {
    const Action action = mixer.play(dial.clip(1 + i));
    mixer.update(0.5);
    REQUIRE(x_of(mixer) == doctest::Approx(0.5));
    mixer.release(action);
  }
}

TEST_CASE("no clip is forgotten: snapshots may name any, and marks stay") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton, {.actions = 2});
  const Clip idle = dial.clip(1, "idle"), marked = dial.clip(2, "marked");
  const Mark mark = {0.5, "mark"};
  REQUIRE(mixer.set_marks(Marks::create(marked, {&mark, 1}).value()));
  const Action action = mixer.play(idle);
  std::vector<std::byte> block(mixer.snapshot_size());
  REQUIRE(mixer.save(block).ok());
  mixer.release(action);
  for (int i = 0; i < 300; ++i) mixer.release(mixer.play(dial.clip(3 + i)));
  CHECK(mixer.restore(block).ok());
  CHECK(action);
  mixer.play(marked);
  mixer.update(1);
  REQUIRE(mixer.events().size() == 2);
  CHECK(mixer.events()[0].name == "mark");
}

TEST_CASE("actions may be released while they are listed") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  std::vector<Action> all;
  for (int i = 0; i < 6; ++i) all.push_back(mixer.play(dial.clip(1 + i)));
  int listed = 0;
  for (const Action action : mixer.actions()) {
    REQUIRE(action);
    ++listed;
    if (action == all[1]) {
      mixer.release(all[5]);
      mixer.release(all[2]);
    }
    mixer.release(action);
  }
  CHECK(listed == 4);
  CHECK(mixer.actions().size() == 0);
}

TEST_CASE("a mixer without joints, capacity or anything to play does nothing, and well") {
  test::PosedMixer none{Skeleton()};
  CHECK(none.update(0.1));
  none.play(Clip());
  CHECK(none.update(0.1));
  CHECK(none.pose().floats().empty());
  const Dial dial;
  test::PosedMixer small(dial.skeleton, {.actions = 0, .layers = 0, .events = 0});
  CHECK(small.layer_count() == 1);
  CHECK(small.clip_action(dial.clip(1)).ok());
  CHECK(small.update(0.1));
  small.reserve({.actions = 1, .layers = 1, .events = 0});
  const Mark mark = {0.5, "half"};
  const Clip clip = dial.clip(1);
  REQUIRE(small.set_marks(Marks::create(clip, {&mark, 1}).value()));
  small.play(clip);
  CHECK(small.update(2));
  CHECK(small.events().empty());
  CHECK(small.dropped_events() == 3);  // two marks, and `looped` once for two
}

TEST_CASE("a mixer may be moved; its actions, layers and handlers come with it") {
  const Dial dial;
  std::vector<test::PosedMixer> mixers;
  mixers.emplace_back(dial.skeleton);
  const Action action = mixers[0].play(dial.clip(1));
  for (int i = 0; i < 10; ++i) mixers.emplace_back(dial.skeleton);
  mixers[0].update(0.25);
  CHECK(action.time() == 0.25);
  action.seek(0.5);
  mixers[0].update(0);
  CHECK(x_of(mixers[0]) == 0.5f);
}

TEST_CASE("properties that nothing playing has a track for are at rest, in every update") {
  const Character c;
  const TrackKeys track{3, Property::rotation, Interpolation::linear, {0.0f}, {0.0f, 0.0f, 0.7071068f, 0.7071068f}};
  const Clip arm = create_clip(c.skeleton, {"arm", 1, {track}}).value();
  test::PosedMixer mixer(c.skeleton);
  const Action walk = mixer.play(c.walk);
  mixer.update(0.3);
  walk.stop();
  mixer.play(arm);
  mixer.update(0.1);
  for (std::uint32_t j = 0; j < c.skeleton.joint_count(); ++j) {
    const Transform t = mixer.pose().transform(j), rest = c.skeleton.rest(j);
    CHECK(t.translation.x == rest.translation.x);
    if (j != 3) CHECK(t.rotation.w == rest.rotation.w);
  }
  mixer.stop_all();
  mixer.update(0.1);
  Pose rest(c.skeleton);
  CHECK(test::difference(mixer.pose(), rest) == "");
}

TEST_CASE("the pose is what the flat functions make of the same times and weights, bit for bit") {
  test::on_every_lane_count([] {
    const Character c;
    test::PosedMixer mixer(c.skeleton);
    const Action walk = mixer.play(c.walk), run = mixer.play(c.run).set_weight(2);
    mixer.cross_fade(walk, run, 0.4);
    mixer.update(0.1);
    Pose a(c.skeleton), b(c.skeleton), out(c.skeleton);
    sample(c.walk, walk.time(), a);
    sample(c.run, run.time(), b);
    const BlendInput inputs[] = {{a, walk.weight(), walk.fade()}, {b, run.weight(), run.fade()}};
    blend(inputs, out);
    CHECK(test::difference(mixer.pose(), out) == "");

    // One action at full takes a shorter way to the same bits.
    mixer.update(0.4);
    sample(c.run, run.time(), b);
    const BlendInput one[] = {{b, 2, 1}};
    blend(one, out);
    CHECK(test::difference(mixer.pose(), out) == "");

    // But not through a mask.
    const JointMask half(c.skeleton, 0.5f);
    mixer.base().set_mask(&half);
    mixer.update(0);
    const BlendLayer masked[] = {{.inputs = one, .mask = &half}};
    blend(masked, out);
    CHECK(test::difference(mixer.pose(), out) == "");

    // And a scratch that others use too.
    Mixer guest(c.skeleton);
    MixScratch scratch(c.skeleton, {.poses = 2});
    guest.play(c.idle).seek(0.2);
    guest.evaluate(scratch, out);
    guest.play(c.run).seek(run.time());
    guest.clip_action(c.idle).value().stop();
    guest.evaluate(scratch, out);
    sample(c.run, run.time(), b);
    CHECK(test::difference(out, b) == "");
  });
}

TEST_CASE("the order in which actions were made and started does not matter to a millionth") {
  const Character c;
  const Clip clips[] = {c.idle, c.walk, c.run, c.wave, c.attack};
  test::Random random(5);
  double worst = 0;
  for (int round = 0; round < 200; ++round) {
    double weights[5], times[5], fades[5];
    for (int i = 0; i < 5; ++i) {
      weights[i] = random.range(0.1, 2);
      times[i] = random.range(0, 0.5);
      fades[i] = random.range(0.2, 1);
    }
    const auto pose_in_order = [&](const std::vector<int>& made, const std::vector<int>& started) {
      test::PosedMixer mixer(c.skeleton);
      for (const int i : made) (void)mixer.clip_action(clips[i]).value();
      for (const int i : started) {
        const Action action = mixer.clip_action(clips[i]).value();
        action.set_weight(static_cast<float>(weights[i])).fade_in(1 / fades[i]).seek(times[i]);
      }
      mixer.update(1);
      std::vector<Transform> out(c.skeleton.joint_count());
      mixer.pose().to_transforms(out);
      return out;
    };
    std::vector<int> made = {0, 1, 2, 3, 4}, started = made;
    const std::vector<Transform> expected = pose_in_order(made, started);
    for (int i = 4; i > 0; --i) {
      std::swap(made[static_cast<std::size_t>(i)], made[random.below(static_cast<std::uint32_t>(i) + 1)]);
      std::swap(started[static_cast<std::size_t>(i)], started[random.below(static_cast<std::uint32_t>(i) + 1)]);
    }
    const std::vector<Transform> actual = pose_in_order(made, started);
    for (std::size_t j = 0; j < actual.size(); ++j) {
      const Transform &a = actual[j], &e = expected[j];
      const auto keep = [&](double d) {
        REQUIRE(d < 1e-6);
        worst = std::max(worst, d);
      };
      keep(static_cast<double>(angle_between(a.rotation, e.rotation)));
      keep(std::hypot(static_cast<double>(a.translation.x - e.translation.x),
                      static_cast<double>(a.translation.y - e.translation.y),
                      static_cast<double>(a.translation.z - e.translation.z)));
      keep(std::hypot(static_cast<double>(a.scale.x - e.scale.x), static_cast<double>(a.scale.y - e.scale.y),
                      static_cast<double>(a.scale.z - e.scale.z)));
    }
  }
  MESSAGE("largest difference: " << worst);
}

TEST_CASE("a masked layer: the legs keep the bits of the walk, the arms those of the wave, the feather lies between") {
  const Character c;
  const std::uint32_t spine = c.skeleton.joint("spine_1").value();
  const JointMask mask = JointMask::from_branch(c.skeleton, spine, 2);
  test::PosedMixer mixer(c.skeleton);
  const Action walk = mixer.play(c.walk);
  const Layer layer = mixer.add_layer({.mask = &mask}).value();
  const Action wave = layer.play(c.wave);
  mixer.update(0.37);
  Pose walking(c.skeleton), waving(c.skeleton);
  sample(c.walk, walk.time(), walking);
  sample(c.wave, wave.time(), waving);
  int legs = 0, arms = 0, feather = 0;
  for (std::uint32_t j = 0; j < c.skeleton.joint_count(); ++j) {
    const Transform t = mixer.pose().transform(j), a = walking.transform(j), b = waving.transform(j);
    const auto same = [](const Transform& u, const Transform& v) {
      return test::difference({&u.translation.x, 10}, {&v.translation.x, 10});
    };
    if (mask[j] == 0) {
      ++legs;
      CHECK(same(t, a) == "");
    } else if (mask[j] == 1) {
      ++arms;
      CHECK(same(t, b) == "");
    } else {
      ++feather;
      const double whole = static_cast<double>(angle_between(a.rotation, b.rotation));
      const double done = static_cast<double>(angle_between(a.rotation, t.rotation));
      const double left = static_cast<double>(angle_between(t.rotation, b.rotation));
      CHECK(done + left == doctest::Approx(whole).epsilon(1e-4));
      CHECK(done == doctest::Approx(whole * static_cast<double>(mask[j])).epsilon(1e-3));
    }
  }
  CHECK(legs > 5);
  CHECK(arms > 20);
  CHECK(feather > 0);

  // The layer lets go smoothly, and then costs nothing.
  layer.fade_to(0, 0.5);
  mixer.update(0.25);
  CHECK(layer.weight() == 0.5f);
  mixer.update(0.25);
  sample(c.walk, walk.time(), walking);
  CHECK(test::difference(mixer.pose().floats(), walking.floats()) == "");
}

TEST_CASE("a mask for another skeleton is refused, and so is a layer that makes no sense") {
  const Character c;
  const Dial dial;
  test::PosedMixer mixer(c.skeleton);
  const JointMask foreign(dial.skeleton, 1), good(c.skeleton, 0.5f);
  mixer.base().set_mask(&good).set_mask(&foreign);
  CHECK(mixer.last_error()->message == std::string("the mask is for a skeleton with another number of joints"));
  REQUIRE(mixer.base().mask() != nullptr);
  CHECK(mixer.base().mask()->joint_count() == c.skeleton.joint_count());
  CHECK(!mixer.add_layer({.mask = &foreign}).ok());
  CHECK(!mixer.add_layer({.weight = 2}).ok());
  CHECK(mixer.layer_count() == 1);
  CHECK(mixer.base());
  CHECK(!Layer());
  CHECK(test::assert_message([] { Layer().set_weight(1); }) == "there is no such layer");
}

TEST_CASE("an additive layer adds; crossfades stay within their layer") {
  const Character c;
  const Clip lean = to_additive(c.skeleton, c.attack, 0.0).value();
  test::PosedMixer mixer(c.skeleton);
  const Action walk = mixer.play(c.walk);
  const Layer layer = mixer.add_layer({.mode = LayerMode::add, .weight = 0.5f}).value();
  const Action leaning = layer.play(lean, {.fade_in = 0.5});
  mixer.update(0.25);
  CHECK(walk.fade() == 1.0f);
  CHECK(leaning.fade() == 0.5f);
  Pose a(c.skeleton), b(c.skeleton), out(c.skeleton);
  sample(c.walk, walk.time(), a);
  sample(lean, leaning.time(), b);
  const BlendInput below[] = {{a, 1, 1}}, above[] = {{b, 1, 0.5f}};
  const BlendLayer layers[] = {{.inputs = below, .mode = LayerMode::replace},
                               {.inputs = above, .mode = LayerMode::add, .weight = 0.5f}};
  blend(layers, out);
  CHECK(test::difference(mixer.pose(), out) == "");
  mixer.cross_fade_to(c.run, 0.1);
  mixer.update(0.2);
  CHECK(!walk.active());
  CHECK(leaning.active());
  CHECK(layer.current() == leaning);
  CHECK(mixer.current().clip().name() == "run");
}

TEST_CASE("Fill::weight lets weights below 1 blend with rest") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action action = mixer.play(dial.still(4)).set_weight(0.25f);
  mixer.update(0);
  CHECK(x_of(mixer) == 4.0f);
  mixer.base().set_fill(Fill::weight);
  mixer.update(0);
  CHECK(x_of(mixer) == 1.0f);
  action.set_weight(2);
  mixer.update(0);
  CHECK(x_of(mixer) == 4.0f);
}

}  // namespace
}  // namespace marrow

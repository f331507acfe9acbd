// Stages between pose and matrices, and animators that are no mixers.
#include "scene/stages.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "marrow/anim/hierarchy.h"
#include "scene/affine_difference.h"
#include "scene/character.h"
#include "support/asserts.h"
#include "support/threads.h"

namespace marrow {
namespace {

using test::difference;
using test::LookAt;
using test::Pendulum;
using test::Spring;

struct Staged {
  Model model = test::make_character();
  Scene scene;
  Instance hero = scene.instantiate(model);
  std::uint32_t head = *model.skeleton().joint("head"), hand = *model.skeleton().joint("hand_R");

  [[nodiscard]] std::vector<Affine> matrices() const {
    return {hero.model_from_joint().begin(), hero.model_from_joint().end()};
  }
};

TEST_CASE("a stage changes the matrices, and leaves the pose to the animator") {
  Staged s;
  LookAt look{s.head, {3, 2, 1}};
  s.hero.mixer().play(s.model.clips()[1]);
  s.hero.update(0.3);
  const std::vector<Affine> before = s.matrices();
  REQUIRE(s.hero.add_stage(look.stage()));
  s.hero.update(0);
  const Affine& m = s.hero.model_from_joint()[s.head];
  const Vec3 axis = {m.m[0][0], m.m[1][0], m.m[2][0]}, to = {3 - m.m[0][3], 2 - m.m[1][3], 1 - m.m[2][3]};
  const float cosine =
      (axis.x * to.x + axis.y * to.y + axis.z * to.z) /
      std::sqrt((axis.x * axis.x + axis.y * axis.y + axis.z * axis.z) * (to.x * to.x + to.y * to.y + to.z * to.z));
  CHECK(cosine > 0.99999f);
  std::vector<Affine> plain(before.size());
  local_to_model(s.hero.pose(), plain);
  CHECK(difference(plain, before) == "");
  local_to_model(s.hero.finished_pose(), plain);
  CHECK(difference(plain, s.matrices()) == "");
}

TEST_CASE("finishing twice gives the same matrices, with a half-weight override, a look-at and a stage with state") {
  Staged s;
  LookAt look{s.head, {3, 2, 1}};
  Spring spring{s.hand};
  s.hero.mixer().play(s.model.clips()[2]);
  REQUIRE(s.hero.add_stage(look.stage()));
  REQUIRE(s.hero.add_stage(spring.stage()));
  s.hero.set_override(s.hero.bone("chest"), {{0, 0, 0.2f}, from_axis_angle({0, 0, 1}, 1), {1, 1, 1}}, 0.5f);
  for (int frame = 0; frame < 20; ++frame) {
    s.hero.update(1.0 / 60);
    const std::vector<Affine> once = s.matrices();
    s.hero.finish();
    CHECK(difference(s.matrices(), once) == "");
    s.hero.touch();
    s.scene.refresh();
    CHECK(difference(s.matrices(), once) == "");
  }
}

TEST_CASE("a look-at in a batch of 1,000 has the same bits on two threads as one by one") {
  const Model model = test::make_character();
  const std::uint32_t head = *model.skeleton().joint("head"), hand = *model.skeleton().joint("hand_R");
  constexpr std::size_t kCount = 1000;
  const auto play = [&](const Executor& executor, bool batch) {
    Scene scene;
    InstanceOptions options;
    options.mixer = {2, 1, 0, 2};
    std::vector<LookAt> looks(kCount);
    std::vector<Spring> springs(kCount);
    std::vector<Instance> crowd;
    for (std::size_t i = 0; i < kCount; ++i) {
      crowd.push_back(scene.instantiate(model, options));
      crowd.back().mixer().play(model.clips()[i % 3]).seek(0.001 * static_cast<double>(i));
      looks[i] = {head, {3, static_cast<float>(i % 17) - 8, 2}};
      springs[i].joint = hand;
      REQUIRE(crowd.back().add_stage(looks[i].stage()));
      REQUIRE(crowd.back().add_stage(springs[i].stage()));
    }
    std::vector<Affine> out;
    for (int frame = 0; frame < 5; ++frame) {
      if (batch) {
        scene.update(1.0 / 60, executor);
      } else {
        for (const Instance& instance : crowd) instance.update(1.0 / 60);
      }
    }
    for (const Instance& instance : crowd)
      out.insert(out.end(), instance.palettes().begin(), instance.palettes().end());
    return out;
  };
  test::Threads threads{2};
  const std::vector<Affine> alone = play({}, false);
  CHECK(difference(play({test::Threads::run, &threads}, true), alone) == "");
  CHECK(difference(play({}, true), alone) == "");
}

TEST_CASE("matrices on demand are those of the whole, whatever was changed before") {
  Staged s;
  struct Checker {
    std::uint32_t joints;
    int checked = 0;
    static StageResult run(void* data, PoseEdit& edit) {
      auto& self = *static_cast<Checker*>(data);
      std::vector<Affine> whole(self.joints);
      for (std::uint32_t round = 0; round < 40; ++round) {
        if (round % 3 == 1) (void)edit.model_from_joint(round % self.joints);
        for (std::uint32_t k = 0; k <= round % 12; ++k) {
          const std::uint32_t joint = (7 * round + 13 * k) % self.joints;
          Transform local = edit.local(joint);
          local.rotation = from_axis_angle({0, 1, 0}, 0.1f * static_cast<float>(k + round));
          edit.set_local(joint, local);
        }
        if (round % 5 == 0) (void)edit.edit_pose();
        local_to_model(edit.pose(), whole);
        CHECK(difference(edit.model_from_joints(), whole) == "");
        ++self.checked;
      }
      return StageResult::changed;
    }
  } checker{s.model.skeleton().joint_count()};
  REQUIRE(s.hero.add_stage({"checker", 1, 0, Checker::run, &checker}));
  s.hero.update(0.1);
  CHECK(checker.checked == 40);
}

TEST_CASE("a stage gets the time since it last ran, and its state bytes, which begin as zeros") {
  Staged s;
  struct Clock {
    double dt = -1;
    std::array<std::byte, 24> seen{};
    static StageResult run(void* data, PoseEdit& edit) {
      auto& self = *static_cast<Clock*>(data);
      self.dt = edit.dt_s();
      REQUIRE(edit.state().size() == 24);
      CHECK(reinterpret_cast<std::uintptr_t>(edit.state().data()) % 16 == 0);
      std::memcpy(self.seen.data(), edit.state().data(), 24);
      if (edit.dt_s() != 0) edit.state()[23] = std::byte{7};
      return StageResult::changed;
    }
  } clock;
  const StageId id = s.hero.add_stage({"clock", 1, 24, Clock::run, &clock}).value();
  s.hero.update(0.25);
  CHECK(clock.dt == 0.25);
  CHECK(clock.seen[23] == std::byte{0});
  s.hero.advance(0.5);
  s.hero.advance(0.25);
  s.hero.finish();
  CHECK(clock.dt == 0.75);
  CHECK(clock.seen[23] == std::byte{7});
  s.hero.finish();
  CHECK(clock.dt == 0);
  // An instance without an animator moves with its stages, too.
  s.scene.update(0.125);
  CHECK(clock.dt == 0.125);
  CHECK(s.hero.remove_stage(id).stage_count() == 0);
  CHECK(s.scene.last_error() == nullptr);
  s.scene.update(0.125);
  CHECK(clock.dt == 0.125);
}

TEST_CASE("a stage that is added while time waits gets only the time since") {
  Staged s;
  struct Timer {
    double dt = -1;
    static StageResult run(void* data, PoseEdit& edit) {
      static_cast<Timer*>(data)->dt = edit.dt_s();
      return StageResult::changed;
    }
  } older, newer;
  REQUIRE(s.hero.add_stage({"older", 1, 0, Timer::run, &older}));
  s.hero.advance(0.5);
  REQUIRE(s.hero.add_stage({"newer", 1, 0, Timer::run, &newer}));
  s.hero.advance(0.25);
  // Both times are in a snapshot.
  std::vector<std::byte> block(s.hero.snapshot_size());
  REQUIRE(s.hero.save(block));
  s.hero.advance(3);
  REQUIRE(s.hero.restore(block));
  s.hero.finish();
  CHECK(older.dt == 0.75);
  CHECK(newer.dt == 0.25);
  s.hero.finish();
  CHECK(older.dt == 0);
  // Times whose sum is beyond numbers stay finite.
  constexpr double kLargest = std::numeric_limits<double>::max();
  s.hero.advance(kLargest);
  s.hero.advance(kLargest);
  s.hero.finish();
  CHECK(older.dt == kLargest);
}

TEST_CASE("what is read of a bone leaves stages out until the instance is finished") {
  Staged s;
  LookAt look{s.head, {3, 2, 1}};
  const Node head = s.hero.bone("head");
  const Affine plain = head.world();
  REQUIRE(s.hero.add_stage(look.stage()));
  CHECK(difference(head.world(), plain) == "");
  s.hero.finish();
  CHECK(difference(head.world(), s.hero.model_from_joint()[s.head]) == "");
  CHECK(difference(head.world(), plain) != "");
}

TEST_CASE("stages run in order, and overrides after them") {
  Staged s;
  struct Mover {
    float x;
    static StageResult run(void* data, PoseEdit& edit) {
      Transform local = edit.local(0);
      local.translation.x = local.translation.x * 2 + static_cast<const Mover*>(data)->x;
      edit.set_local(0, local);
      return StageResult::changed;
    }
  } one{1}, two{10};
  REQUIRE(s.hero.add_stage({"one", 1, 0, Mover::run, &one}));
  REQUIRE(s.hero.add_stage({"two", 1, 0, Mover::run, &two}));
  s.hero.finish();
  const float rest = s.model.skeleton().rest(0).translation.x;
  CHECK(s.hero.finished_pose().transform(0).translation.x == (rest * 2 + 1) * 2 + 10);
  Transform fixed;
  fixed.translation.x = 5;
  s.hero.set_override(s.hero.bone(0u), fixed, 1);
  s.hero.finish();
  CHECK(s.hero.finished_pose().transform(0).translation.x == 5);
}

TEST_CASE("a stage cannot put what is not finite into a pose") {
  Staged s;
  struct Bad {
    static StageResult run(void*, PoseEdit& edit) {
      const Transform before = edit.local(1);
      Transform bad = before;
      bad.translation.y = std::numeric_limits<float>::quiet_NaN();
      CHECK_FALSE(edit.set_local(1, bad));
      bad = before;
      bad.rotation = {0, 0, 0, 0};
      CHECK_FALSE(edit.set_local(1, bad));
      CHECK(edit.local(1).translation.y == before.translation.y);
      bad.rotation = {0, 0, 0, 2};
      CHECK(edit.set_local(1, bad));
      CHECK(edit.local(1).rotation.w == 1);
      return StageResult::changed;
    }
  };
  REQUIRE(s.hero.add_stage({"bad", 1, 0, Bad::run, nullptr}));
  s.hero.finish();
}

TEST_CASE("a stage without a name or a function, or with too much state is an error") {
  Staged s;
  CHECK(s.hero.add_stage({.name = "no function"}).error().message == "a stage needs a name and a function");
  CHECK(s.hero.add_stage({.name = "", .run = LookAt::run}).error().message == "a stage needs a name and a function");
  CHECK(s.hero.add_stage({.name = nullptr, .run = LookAt::run}).error().message ==
        "a stage needs a name and a function");
  CHECK(s.hero.add_stage({"large", 1, kMaxStageBytes + 1, LookAt::run, nullptr}).error().code ==
        ErrorCode::limit_exceeded);
  CHECK(s.hero.stage_count() == 0);
}

TEST_CASE("the data of a stage is destroyed once, with the stage, its instance or its scene") {
  static int destroyed;
  destroyed = 0;
  const auto nothing = [](void*, PoseEdit&) { return StageResult::unchanged; };
  const auto make = [](StageResult (*run)(void*, PoseEdit&)) {
    return PoseStage{"owned", 1, 0, run, new int(1), [](void* data) {
                       delete static_cast<int*>(data);
                       ++destroyed;
                     }};
  };
  {
    Staged s;
    const PoseStage bad = make(nullptr);
    CHECK_FALSE(s.hero.add_stage(bad));
    CHECK(destroyed == 0);  // still that of the caller
    bad.destroy(bad.data);
    destroyed = 0;
    const StageId first = s.hero.add_stage(make(nothing)).value();
    REQUIRE(s.hero.add_stage(make(nothing)));
    s.hero.remove_stage(first);
    CHECK(destroyed == 1);
    s.hero.remove_stage(first);
    CHECK(destroyed == 1);
    s.scene.destroy(s.hero);
    CHECK(destroyed == 2);
    REQUIRE(s.scene.instantiate(s.model).add_stage(make(nothing)));
  }
  CHECK(destroyed == 3);
}

TEST_CASE("another animator drives an instance in a scene, and is destroyed with it") {
  Staged s;
  Pendulum::destroyed = 0;
  s.hero.set_animator(Pendulum::create(s.head));
  CHECK_FALSE(s.hero.has_mixer());
  CHECK(test::assert_message([&] { (void)s.hero.mixer(); }) ==
        "the animator of the instance is no mixer; has_mixer() tells");
  CHECK(s.scene.update(0.25));
  const Quat expected = from_axis_angle({1, 0, 0}, 0.25f);
  CHECK(s.hero.pose().transform(s.head).rotation.x == expected.x);
  CHECK_FALSE(s.hero.update(std::numeric_limits<double>::infinity()));
  CHECK(s.hero.events().empty());
  CHECK(s.hero.root_motion().translation.x == 0);
  SUBCASE("by another animator") {
    s.hero.set_animator(Pendulum::create(s.hand));
    CHECK(Pendulum::destroyed == 1);
  }
  SUBCASE("by none, and then a mixer") {
    s.hero.set_animator({});
    CHECK(Pendulum::destroyed == 1);
    s.scene.update(1);
    CHECK(s.hero.pose().transform(s.head).rotation.x == expected.x);
    s.hero.mixer().play(s.model.clips()[0]);
    CHECK(s.hero.has_mixer());
    CHECK(s.scene.update(0.1));
  }
  SUBCASE("by the end of the instance") {
    s.scene.destroy(s.hero);
    CHECK(Pendulum::destroyed == 1);
  }
}

TEST_CASE("an animator without a name, advance or evaluate is a mistake of the caller") {
  Staged s;
  AnimatorFunctions functions = Pendulum::kFunctions;
  SUBCASE("name") { functions.name = nullptr; }
  SUBCASE("advance") { functions.advance = nullptr; }
  SUBCASE("evaluate") { functions.evaluate = nullptr; }
  CHECK(test::assert_message([&] {
          s.hero.set_animator({&functions, nullptr});
        }) == "an animator needs a name, advance and evaluate");
}

TEST_CASE("a mixer gives way to another animator, and comes back new") {
  Staged s;
  s.hero.mixer().play(s.model.clips()[1]);
  s.hero.update(0.5);
  s.hero.set_animator(Pendulum::create(s.head));
  s.hero.update(0.5);
  s.hero.set_animator({});
  CHECK(s.hero.mixer().actions().size() == 0);
}

}  // namespace
}  // namespace marrow

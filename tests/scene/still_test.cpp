// Instances that updates skip: no animator, and stages that promised to change nothing.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <vector>

#include "scene/affine_difference.h"
#include "scene/character.h"
#include "scene/stages.h"
#include "support/threads.h"

namespace marrow {
namespace {

// Moves the first joint to `x`. It records the time that it gets.
struct Mover {
  float x = 1;
  StageResult result = StageResult::unchanged;
  std::vector<double> times;

  static StageResult run(void* data, PoseEdit& edit) {
    auto& self = *static_cast<Mover*>(data);
    self.times.push_back(edit.dt_s());
    edit.set_local(0, {{self.x, 0, 0}, {}, {1, 1, 1}});
    return self.result;
  }
  [[nodiscard]] PoseStage stage() { return {"mover", 1, 4, run, this}; }
};

struct StillScene {
  Model model = test::make_character();
  Scene scene;
  Instance hero = scene.instantiate(model);
  Mover mover;
  StageId id = hero.add_stage(mover.stage()).value();

  StillScene() {
    scene.update(0.5);
    mover.times.clear();
  }
  // Returns the times of the runs since the last call.
  std::vector<double> runs() { return std::exchange(mover.times, {}); }
};

using Times = std::vector<double>;

TEST_CASE("updates skip an instance whose stages promised that time changes nothing") {
  StillScene s;
  const std::uint64_t version = s.hero.version();
  test::Threads threads{2};
  CHECK(s.scene.update(0.25));
  CHECK(s.scene.update(0.25, {test::Threads::run, &threads}));
  CHECK(update_instances(s.scene.instances(), 0.25));
  CHECK(s.hero.update(0.25));
  s.hero.advance(0.25);
  s.hero.evaluate();
  s.scene.refresh();
  CHECK(s.runs() == Times{});
  CHECK(s.hero.version() == version);
  s.hero.finish();  // always runs them
  CHECK(s.runs().size() == 1);
}

TEST_CASE("an instance stays in updates while one of its stages makes no promise, or an animator drives it") {
  StillScene s;
  Mover other;
  SUBCASE("a stage before") { s.mover.result = StageResult::changed; }
  SUBCASE("a stage after") { other.result = StageResult::changed; }
  SUBCASE("an animator") { s.hero.set_animator(test::Pendulum::create(0)); }
  SUBCASE("a mixer") { (void)s.hero.mixer(); }
  REQUIRE(s.hero.add_stage(other.stage()));
  for (int frame = 0; frame < 3; ++frame) s.scene.update(0.25);
  CHECK(s.runs() == Times{0.25, 0.25, 0.25});
  CHECK(other.times == Times{0.25, 0.25, 0.25});
}

TEST_CASE("every change that can reach the matrices ends the skipping, with the time of that update alone") {
  using Change = std::function<void(StillScene&)>;
  const auto chest = [](StillScene& s) { return s.hero.bone("chest"); };
  const auto save = [](StillScene& s) {
    std::vector<std::byte> block(s.hero.snapshot_size());
    block.resize(s.hero.save(block).value());
    return block;
  };
  static Mover another;
  const std::pair<const char*, Change> changes[] = {
      {"touch", [](StillScene& s) { s.mover.x = 3, s.hero.touch(); }},
      {"edit_pose",
       [](StillScene& s) {
         s.hero.edit_pose().set_transform(1, {{3, 0, 0}, {}, {1, 1, 1}});
       }},
      {"set_override",
       [&](StillScene& s) {
         s.hero.set_override(chest(s), {{3, 0, 0}, {}, {1, 1, 1}});
       }},
      {"set_local",
       [&](StillScene& s) {
         chest(s).set_local({{3, 0, 0}, {}, {1, 1, 1}});
       }},
      {"add_stage", [](StillScene& s) { REQUIRE(s.hero.add_stage(another.stage())); }},
      {"restore", [&](StillScene& s) { REQUIRE(s.hero.restore(save(s))); }},
      {"set_animator", [](StillScene& s) { s.hero.set_animator(test::Pendulum::create(0)); }},
      {"mixer", [](StillScene& s) { s.hero.mixer().play(s.model.clips()[0]); }},
  };
  const std::pair<const char*, void (*)(StillScene&)> updates[] = {
      {"scene", [](StillScene& s) { s.scene.update(0.125); }},
      {"batch", [](StillScene& s) { update_instances(s.scene.instances(), 0.125); }},
      {"instance", [](StillScene& s) { s.hero.update(0.125); }},
  };
  for (const auto& change : changes) {
    for (const auto& update : updates) {
      CAPTURE(change.first);
      CAPTURE(update.first);
      StillScene s;
      update.second(s);
      update.second(s);
      CHECK(s.runs() == Times{});
      const std::uint64_t version = s.hero.version();
      change.second(s);
      update.second(s);
      CHECK(s.runs() == Times{0.125});
      CHECK(s.hero.version() == version + 1);
    }
  }
}

TEST_CASE("advances that a still instance skips are not waited for") {
  StillScene s;
  s.hero.advance(0.5);
  s.hero.advance(0.25);
  s.hero.touch();
  s.scene.update(0.125);
  CHECK(s.runs() == Times{0.125});
  // Of an update in which an event handler touches it, the stage gets the time.
  s.hero.advance(0.5);
  s.hero.touch();
  s.hero.finish();
  CHECK(s.runs() == Times{0.5});
  // From then on the time is added up again.
  s.mover.result = StageResult::changed;
  s.hero.touch();
  s.hero.finish();
  s.hero.advance(0.5);
  s.hero.advance(0.25);
  s.hero.finish();
  CHECK(s.runs() == Times{0, 0.75});
}

TEST_CASE("clearing overrides, and removing a stage or the animator, ends the skipping") {
  StillScene s;
  const auto settle_and = [&](const std::function<void()>& change) {
    s.scene.update(1);
    s.scene.update(1);
    (void)s.runs();
    change();
    s.scene.update(0.125);
    return s.runs();
  };
  const Node chest = s.hero.bone("chest");
  s.hero.set_override(chest, {{3, 0, 0}, {}, {1, 1, 1}});
  CHECK(settle_and([&] { s.hero.clear_override(chest); }) == Times{0.125});
  s.hero.set_override(chest, {{3, 0, 0}, {}, {1, 1, 1}});
  CHECK(settle_and([&] { s.hero.clear_overrides(); }) == Times{0.125});
  Mover more;
  const StageId id = s.hero.add_stage(more.stage()).value();
  CHECK(settle_and([&] { s.hero.remove_stage(id); }) == Times{0.125});
  s.hero.set_animator(test::Pendulum::create(0));
  CHECK(settle_and([&] { s.hero.set_animator({}); }) == Times{0.125});
  CHECK(settle_and([] {}) == Times{});
}

TEST_CASE("an instance that was woken is skipped again after the next promise, and shows the change") {
  StillScene s;
  const Node sword = s.scene.add_node("sword", {}, s.hero.bone(0));
  s.scene.update(0.25);
  s.mover.x = 7;
  s.hero.touch();
  s.scene.refresh();
  CHECK(s.runs() == Times{0});  // no update, so no time
  CHECK(s.hero.model_from_joint()[0].m[0][3] == 7);
  CHECK(sword.world().m[0][3] == 7);
  s.scene.update(0.25);
  CHECK(s.runs() == Times{});
}

TEST_CASE("a change between advance and finish gets the time of that advance") {
  StillScene s;
  for (int frame = 0; frame < 3; ++frame) {
    s.hero.advance(0.125);
    s.hero.evaluate();
    s.mover.x = static_cast<float>(frame);
    s.hero.touch();
    s.hero.finish();
  }
  CHECK(s.runs() == Times{0.125, 0.125, 0.125});
  // Out of sight: advanced alone, and not finished.
  for (int frame = 0; frame < 100; ++frame) s.hero.advance(0.125);
  s.hero.touch();
  s.hero.finish();
  CHECK(s.runs() == Times{0.125});
  s.hero.touch();
  s.hero.advance(0.5);
  s.hero.advance(0.25);
  s.hero.finish();
  CHECK(s.runs() == Times{0.75});
}

TEST_CASE("the state of a still instance is saved without the time of skipped updates") {
  StillScene s;
  s.scene.update(0.25);
  std::vector<std::byte> block(s.hero.snapshot_size());
  block.resize(s.hero.save(block).value());
  s.hero.update(1);
  REQUIRE(s.hero.restore(block));
  s.hero.update(0.125);
  CHECK(s.runs() == Times{0.125});
}

}  // namespace
}  // namespace marrow

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "marrow/scene/scene.h"
#include "scene/character.h"
#include "support/allocations.h"
#include "support/threads.h"

namespace marrow {
namespace {

TEST_CASE("updates of a scene, overrides, attachments and bounds allocate nothing") {
  const Model model = test::make_character();
  Scene scene;
  std::vector<Instance> crowd;
  std::vector<Node> things;
  for (std::size_t i = 0; i < 20; ++i) {
    InstanceOptions options;  // that no scratch of one fits the other
    options.mixer.actions = i % 2 == 0 ? 32 : 8;
    options.mixer.layers = i % 2 == 0 ? 1 : 4;
    crowd.push_back(scene.instantiate(model, options));
    crowd.back().mixer().play(model.clips()[i % 3]);
    for (const Clip& clip : model.clips()) (void)crowd.back().mixer().clip_action(clip).value();
    things.push_back(scene.add_node("thing"));
    crowd.back().set_override(crowd.back().bone("head"), {}, 0.5f);
  }
  scene.update(0.1);
  for (const Instance& one : crowd) (void)one.world_bounds();
  const std::size_t allocations = test::allocations_in([&] {
    for (int frame = 0; frame < 200; ++frame) {
      for (std::size_t i = 0; i < crowd.size(); ++i) {
        if (frame % 20 == static_cast<int>(i)) {
          crowd[i].mixer().cross_fade_to(model.clips()[static_cast<std::size_t>(frame) % 3], 0.2);
          (void)crowd[(i + 7) % crowd.size()].attach(things[i], frame % 2 == 0 ? "hand_R" : "hand_L");
        }
        crowd[i].set_override(crowd[i].bone("head"), {{0, 0, 0.1f}, {}, {1, 1, 1}}, 0.25f);
        crowd[i].node().set_local({{0, 0, static_cast<float>(frame)}, {}, {1, 1, 1}});
      }
      scene.update(1.0 / 60);
      for (const Instance& one : crowd) (void)one.world_bounds();
    }
  });
  CHECK(allocations == 0);
}

// Stages of two instances that wait for each other once: then two threads are at work at the same time.
struct Meeting {
  std::atomic<int> arrived{0};
  static StageResult run(void* data, PoseEdit&) {
    auto& self = *static_cast<Meeting*>(data);
    ++self.arrived;
    while (self.arrived < 2) std::this_thread::yield();
    return StageResult::changed;
  }
};

TEST_CASE("after commands that let mixers grow, updates on two threads allocate nothing") {
  const Model model = test::make_character();
  Scene scene;
  std::vector<Instance> crowd;
  for (int i = 0; i < 32; ++i) crowd.push_back(scene.instantiate(model, {"", {}, {}, {.actions = 1}}));
  for (const Instance& one : crowd) one.mixer().play(model.clips()[0]);
  Meeting meeting;
  for (const std::size_t i : {0u, 16u}) REQUIRE(crowd[i].add_stage({"meeting", 1, 0, Meeting::run, &meeting}));
  test::Threads threads{2};
  const auto update = [&] { scene.update(1.0 / 60, {test::Threads::run, &threads}); };
  update();
  const std::size_t of_threads = test::allocations_in(update);
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const Action action = crowd[i].mixer().new_action(model.clips()[k % 3]).value().play();
      action.seek(0.01 * static_cast<double>(k));
    }
  }
  CHECK(test::allocations_in(update) == of_threads);
  CHECK(crowd.back().mixer().scratch_size().poses == 32);
}

TEST_CASE("nodes that come and go take the places of others, and no more memory") {
  Scene scene;
  scene.reserve(10);
  for (int i = 0; i < 5; ++i) scene.add_node("a");
  const std::size_t allocations = test::allocations_in([&] {
    for (int i = 0; i < 10000; ++i) {
      const Node node = scene.add_node("b");  // without an update between
      scene.destroy(node);
    }
  });
  CHECK(allocations == 0);
  CHECK(scene.refresh() == 5);
}

}  // namespace
}  // namespace marrow

#include <doctest/doctest.h>

#include "marrow/scene/scene.h"
#include "scene/character.h"
#include "support/allocations.h"

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

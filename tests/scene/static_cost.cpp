// static_cost NODES: a hundred updates of a character with a sword in its hand, among so many nodes that stand still.
// static_cost.sh counts the instructions of `measured`.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "marrow/scene/scene.h"
#include "scene/character.h"

using marrow::Instance, marrow::Node, marrow::Scene;

extern "C" __attribute__((noinline)) void measured(Scene& scene) {
  for (int frame = 0; frame < 100; ++frame) scene.update(1.0 / 60);
}

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 0;
  Scene scene;
  scene.reserve(static_cast<std::size_t>(count) + 10);
  std::vector<Node> nodes;
  for (int i = 0; i < count; ++i) {
    // Some in rows, some in heaps.
    const bool top = nodes.empty() || i % 10 == 0;
    nodes.push_back(scene.add_node("static", {}, top ? Node() : nodes[nodes.size() - (i % 3 == 0 ? 2 : 1)]));
  }
  const marrow::Model model = marrow::test::make_character();
  for (int i = 0; i < count / 1000; ++i) (void)scene.instantiate(model);  // that nobody plays
  const Instance hero = scene.instantiate(model);
  hero.mixer().play(model.clips()[1]);
  const Node sword = scene.add_node("sword", {}, hero.bone("hand_R"));
  scene.update(0.1);
  measured(scene);
  std::printf("%g\n", static_cast<double>(sword.world().m[0][3]));
}

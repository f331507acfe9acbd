// What is made of a guest's draws: their hash, their copy and the box around them.
#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <vector>

#include "drawn_box.h"
#include "snapshot.h"

namespace marrow::console {
namespace {

// A host with a mesh of one triangle, skinned to bones 0 and 1; what is passed to it lies in a memory as a guest's.
struct Stage {
  GuestHost host;
  std::vector<std::byte> memory = std::vector<std::byte>(4096);
  std::uint32_t skinned = 0, plain = 0, skeleton = 0;

  std::uint32_t put(std::uint32_t at, const std::vector<float>& values) {
    std::memcpy(memory.data() + at, values.data(), values.size() * sizeof(float));
    return at;
  }
  // A matrix that moves by x.
  static std::vector<float> moved(float x) { return {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0}; }

  Stage() {
    const float first = std::bit_cast<float>(0x00000000u), second = std::bit_cast<float>(0x00000001u);
    const float all = std::bit_cast<float>(0x000000ffu);  // of the weight, to the first of four
    put(16, {0, 0, 0, first, all, 1, 0, 0, second, all, 0, 1, 0, first, all});
    skinned = host.load_mesh(memory, 16, 3, kGuestSkinned);
    put(16, {0, 0, 0, 1, 0, 0, 0, 2, 0});
    plain = host.load_mesh(memory, 16, 3, 0);
    skeleton = host.load_skeleton(memory, put(512, moved(-1)), 1);
    pose(0, 0);
  }
  void pose(float a, float b) {
    std::vector<float> bones = moved(a);
    const std::vector<float> other = moved(b);
    bones.insert(bones.end(), other.begin(), other.end());
    host.set_bones(memory, put(1024, bones), 2);
  }
};

TEST_CASE("The hash of a frame knows each mesh, skeleton, bone and transform") {
  const std::function<void(Stage&)> frames[] = {
      [](Stage&) {},
      [](Stage& s) { s.host.draw_mesh(s.skinned); },
      [](Stage& s) { s.host.draw_mesh(s.plain); },
      [](Stage& s) { s.host.draw_mesh(s.plain), s.host.draw_mesh(s.plain); },
      [](Stage& s) { s.host.skeleton_bind(s.skeleton), s.host.draw_mesh(s.skinned); },
      [](Stage& s) { s.pose(1, 0), s.host.draw_mesh(s.skinned); },
      [](Stage& s) { s.pose(0, 1), s.host.draw_mesh(s.skinned); },
      [](Stage& s) { s.host.set_bones(s.memory, 1024, 1), s.host.draw_mesh(s.skinned); },
      [](Stage& s) { s.host.transform_set_position(0, 0, 1), s.host.draw_mesh(s.skinned); },
  };
  std::vector<std::uint64_t> hashes;
  for (const auto& frame : frames) {
    Stage a, b;
    frame(a);
    frame(b);
    CHECK(hash_of_draws(a.host) == hash_of_draws(b.host));
    for (const std::uint64_t other : hashes) CHECK(hash_of_draws(a.host) != other);
    hashes.push_back(hash_of_draws(a.host));
    a.host.begin_frame();
    CHECK(hash_of_draws(a.host) == hashes[0]);
  }
}

TEST_CASE("What differs between two drawings is named") {
  const auto drawing = [](const std::function<void(Stage&)>& frame) {
    Stage stage;
    frame(stage);
    Drawing out;
    out.copy_from(stage.host);
    return out;
  };
  const auto two = [](Stage& s) { s.host.draw_mesh(s.plain), s.host.draw_mesh(s.skinned); };
  const Drawing original = drawing(two);
  const auto differs = [&](const std::function<void(Stage&)>& frame) { return difference(original, drawing(frame)); };
  CHECK(differs(two) == "");
  CHECK(differs([](Stage& s) { s.host.draw_mesh(s.plain); }) == "the number of draws");
  CHECK(differs([](Stage& s) { s.host.draw_mesh(s.skinned), s.host.draw_mesh(s.skinned); }) == "the mesh of draw 0");
  CHECK(differs([&](Stage& s) { s.host.skeleton_bind(1), two(s); }) == "the skeleton of draw 1");
  CHECK(differs([&](Stage& s) { s.host.transform_set_position(1, 0, 0), two(s); }) == "the transform of draw 0");
  CHECK(differs([&](Stage& s) { s.host.set_bones(s.memory, 1024, 1), two(s); }) == "the number of bones of draw 1");
  CHECK(differs([&](Stage& s) { s.pose(0, 5), two(s); }) == "bone 1 of draw 1");
  CHECK(differs([&](Stage& s) { s.pose(-0.0f, 0), two(s); }) == "bone 0 of draw 1");  // to the bit
}

TEST_CASE("The box around a frame is where bones and transforms put the vertices") {
  Stage stage;
  CHECK(is_empty(drawn_box(stage.host)));
  stage.pose(0, 4);
  stage.host.draw_mesh(stage.skinned);  // from x = 0 to 1 + 4
  Box box = drawn_box(stage.host);
  CHECK(box.low.x == 0);
  CHECK(box.high.x == 5);
  CHECK(box.high.y == 1);
  stage.host.transform_set_position(10, 0, 0);
  stage.host.draw_mesh(stage.plain);
  box = drawn_box(stage.host);
  CHECK(box.low.x == 0);
  CHECK(box.high.x == 11);
  CHECK(box.high.y == 2);
  stage.host.begin_frame();
  stage.host.skeleton_bind(stage.skeleton);
  stage.host.draw_mesh(stage.skinned);  // bone 0 comes from a bind at x = 1
  box = drawn_box(stage.host);
  CHECK(box.low.x == 9);
  CHECK(box.high.x == 15);
}

}  // namespace
}  // namespace marrow::console

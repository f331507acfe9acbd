#include "marrow/draw/sketch.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "marrow/scene/scene.h"
#include "src/draw/stroke_font.h"

namespace marrow {
namespace {

// A root of no skin, two joints of one with one of none between them, and an arm at each side.
Model make_model() {
  const char* names[] = {"armature", "hips", "between", "chest", "arm_L", "arm_R", "target"};
  const std::int32_t parents[] = {-1, 0, 1, 2, 3, 3, 0};
  const Vec3 places[] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 0.2f}, {0, 0, 0.3f}, {0.3f, 0, 0}, {-0.3f, 0, 0}, {2, 0, 0}};
  std::vector<JointDesc> joints(7);
  ModelParts parts;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i].name = names[i];
    joints[i].parent = parents[i];
    joints[i].rest.translation = places[i];
  }
  const SkeletonBuild build = *Skeleton::create(joints);
  parts.skeleton = build.skeleton;
  const std::uint32_t of_skin[] = {build.joint_of_input[1], build.joint_of_input[3], build.joint_of_input[4],
                                   build.joint_of_input[5]};
  const Affine binds[4];
  parts.skins = {*Skin::create(parts.skeleton, of_skin, binds)};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    ModelNode node;
    node.name = names[i];
    node.parent = parents[i];
    node.rest = joints[i].rest;
    node.joint = static_cast<std::int32_t>(build.joint_of_input[i]);
    parts.nodes.push_back(node);
  }
  return *Model::create(std::move(parts));
}

TEST_CASE("bones are drawn between the joints of skins and what is between them") {
  const Model model = make_model();
  const std::vector<bool> drawn = drawn_joints(model);
  const auto is_drawn = [&](const char* name) { return drawn[model.skeleton().joint(name).value()]; };
  CHECK_FALSE(is_drawn("armature"));
  CHECK_FALSE(is_drawn("target"));
  for (const char* name : {"hips", "between", "chest", "arm_L", "arm_R"}) {
    CAPTURE(name);
    CHECK(is_drawn(name));
  }
  Scene scene;
  Sketch sketch;
  add_bones(sketch, scene.instantiate(model));
  CHECK(sketch.solid.size() == 24 * 6);  // hips, between, two arms from the chest, two ends
  bool left = false, right = false;
  for (const SketchVertex& vertex : sketch.solid) {
    CHECK(std::isfinite(vertex.position.z));
    if (vertex.position.x > 0.31f) left = left || vertex.color.blue > vertex.color.red;
    if (vertex.position.x < -0.31f) right = right || vertex.color.red > vertex.color.blue;
  }
  CHECK(left);
  CHECK(right);
}

TEST_CASE("every letter has strokes of two points or more, within its box") {
  for (int code = ' ' + 1; code <= 0xFF; ++code) {
    CAPTURE(code);
    const std::string strokes(strokes_of(static_cast<char>(code)));
    CHECK_FALSE(strokes.empty());
    std::size_t points = 0;
    for (std::size_t i = 0; i <= strokes.size();) {
      if (i == strokes.size() || strokes[i] == ' ') {
        CHECK(points >= 2);
        points = 0;
        ++i;
        continue;
      }
      REQUIRE(i + 1 < strokes.size());
      CHECK((strokes[i] >= '0' && strokes[i] <= '4'));
      CHECK((strokes[i + 1] >= '0' && strokes[i + 1] <= '9'));
      ++points;
      i += 2;
    }
  }
  CHECK(strokes_of(' ').empty());
}

TEST_CASE("text is as wide as it says, and no letter is like another") {
  Sketch sketch;
  add_text(sketch, {10, 50}, 12, "Walk g", {});
  float right = 0, low = 0;
  for (const SketchVertex& vertex : sketch.flat) {
    right = std::max(right, vertex.position.x);
    low = std::max(low, vertex.position.y);
  }
  CHECK(right <= 10 + text_width(12, "Walk g") + 2);
  CHECK(right > 10 + text_width(12, "Walk "));
  CHECK(low > 52);  // the g
  CHECK(text_width(12, "\xC3\xA9") == text_width(12, "e"));
  for (char a = '!'; a < '~'; ++a) {
    for (char b = static_cast<char>(a + 1); b <= '~'; ++b) {
      if ((a == '0' && b == 'O')) continue;
      CAPTURE(a);
      CAPTURE(b);
      CHECK(strokes_of(a) != strokes_of(b));
    }
  }
}

TEST_CASE("places behind the camera have none in the picture, and trails go round them") {
  const SketchView view{{.eye = {0, -5, 1}, .target = {0, 0, 1}}, 200, 100};
  const std::optional<Vec2> middle = project_point(view, {0, 0, 1});
  REQUIRE(middle.has_value());
  CHECK(middle->x == doctest::Approx(100));
  CHECK(middle->y == doctest::Approx(50));
  CHECK(project_point(view, {0, 0, 1.5f})->y < 50);
  CHECK_FALSE(project_point(view, {0, -6, 1}).has_value());
  Sketch sketch;
  const Vec3 places[] = {{-1, 0, 1}, {0, 0, 1}, {0, -9, 1}, {1, 0, 1}, {1, 0, 1.2f}};
  add_trail(sketch, places, 1, {200, 0, 0, 255}, view);
  CHECK(sketch.flat.size() == 6 * (2 + 2));  // two pieces of line, and the dot with its seam
  sketch.clear();
  CHECK(sketch.flat.empty());
}

}  // namespace
}  // namespace marrow

#include "info/info.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "info/clip_facts.h"
#include "info/image_size.h"
#include "info/node_tree.h"
#include "tools/character.h"

namespace marrow::tool {
namespace {

using test::Character;

// Nodes without a skeleton: names and parents.
Model tree_of(const std::vector<std::pair<std::string, std::int32_t>>& nodes) {
  ModelParts parts;
  for (const auto& [name, parent] : nodes) parts.nodes.push_back({name, parent, {}, kNone, kNone, kNone, true});
  return *Model::create(parts);
}

std::string drawn(const Model& model, std::size_t width = 100) {
  Terminal terminal;
  terminal.width = width;
  std::string out;
  for (const std::string& line : node_tree(model, ModelFacts(model), terminal)) out += line + "\n";
  return out;
}

TEST_CASE("nodes are drawn with their marks, and a single child beside its parent") {
  CHECK(drawn(Character().model()) == "hips ─ chest ─ hand\n· body [mesh 0, skin 0]\n");
  ModelParts parts = Character().parts();
  parts.nodes.push_back({"sword", 2, {}, kNone, 0, kNone, false});
  CHECK(drawn(*Model::create(parts)) ==
        "hips ─ chest ─ hand ─ · sword [mesh 0] (not in the scene)\n· body [mesh 0, skin 0]\n");
}

TEST_CASE("branches are drawn with lines down to the last child") {
  const Model model = tree_of({{"a", -1}, {"b", 0}, {"c", 1}, {"d", 1}, {"e", 0}, {"", 4}});
  CHECK(drawn(model) ==
        "· a\n"
        "├─ · b\n"
        "│  ├─ · c\n"
        "│  └─ · d\n"
        "└─ · e ─ · node 5\n");
}

TEST_CASE("a chain that is too long for a line goes on below") {
  const Model model = tree_of({{"pelvis", -1}, {"spine", 0}, {"chest", 1}, {"neck", 2}});
  CHECK(drawn(model, 22) == "· pelvis ─ · spine\n└─ · chest ─ · neck\n");
}

TEST_CASE("leaves in a row share lines, up to some") {
  std::vector<std::pair<std::string, std::int32_t>> nodes = {{"root", -1}};
  for (int i = 0; i < 5; ++i) nodes.emplace_back("ik" + std::to_string(i), 0);
  CHECK(drawn(tree_of(nodes), 22) == "· root\n├─ · ik0, · ik1, · ik2\n└─ · ik3, · ik4\n");
  for (int i = 5; i < 1000; ++i) nodes.emplace_back("ik" + std::to_string(i), 0);
  const std::string many = drawn(tree_of(nodes));
  CHECK(std::count(many.begin(), many.end(), '\n') == 8);
  CHECK(many.ends_with(" leaves more\n"));
}

TEST_CASE("meshes have lines of their own unless they are very many") {
  for (const int count : {6, 12}) {
    ModelParts parts = Character().parts();
    for (int i = 0; i < count; ++i) parts.nodes.push_back({"prop", kNone, {}, kNone, 0, kNone, true});
    const std::string text = drawn(*Model::create(parts));
    CAPTURE(text);
    CHECK(std::count(text.begin(), text.end(), '\n') == (count == 6 ? 8 : 4));
  }
}

TEST_CASE("what is very deep is counted, not drawn") {
  // Every node has a second child, so that no line can hold two.
  std::vector<std::pair<std::string, std::int32_t>> nodes = {{"top", -1}};
  for (int i = 0; i < 100000; ++i) {
    const auto parent = static_cast<std::int32_t>(nodes.size()) - (i == 0 ? 1 : 2);
    nodes.emplace_back("node", parent);
    nodes.emplace_back("leaf", parent);
  }
  const std::string text = drawn(tree_of(nodes), 80);
  CHECK(text.size() < 5000);
  CHECK(text.find("· node … and 199,972 below") != std::string::npos);
}

TEST_CASE("skins are told of joints that are not in all of them, once") {
  ModelParts parts = Character().parts();
  const std::uint32_t joints[] = {1, 2};
  parts.skins.push_back(*Skin::create(parts.skeleton, joints, {}, "arm"));
  CHECK(drawn(*Model::create(parts)).starts_with("hips {0} ─ chest ─ hand\n"));
  const std::uint32_t hand[] = {2};
  parts.skins.push_back(*Skin::create(parts.skeleton, hand, {}, "glove"));
  CHECK(drawn(*Model::create(parts)).starts_with("hips {0} ─ chest {0,1} ─ hand\n"));
}

TEST_CASE("the facts of a clip") {
  Character character;
  character.clips[0].tracks.push_back({0, Property::translation, Interpolation::linear, {0, 1}, {0, 0, 1, 0, 0, 1}});
  const Model model = character.model();
  ClipFacts facts = clip_facts(model.skeleton(), model.clips()[0]);
  CHECK(facts.seconds == 1);
  CHECK(facts.keys_per_second == 10);
  CHECK(facts.tracks == 3);
  CHECK(facts.constant_tracks == 1);
  CHECK(facts.keys == 24);
  CHECK(facts.moved_joints == 2);
  CHECK(facts.bytes == model.clips()[0].memory_bytes());

  character.clips[0].tracks[0].times[3] += 0.02f;
  const Model uneven = character.model();
  facts = clip_facts(uneven.skeleton(), uneven.clips()[0]);
  CHECK_FALSE(facts.keys_per_second);
}

TEST_CASE("everything has its place in the text") {
  const std::string text = info_text({"character.glb", 1234}, {Character().model(), {{"odd", "/nodes/1"}}, {}}, {});
  for (const char* const part :
       {"character  1.2 KB\n0.9 × 0 × 1.7 units at rest (x × y × z, z up)\n"
        "3 joints, 1 skin, 1 clip, 1 mesh, 6 vertices, 4 triangles, 1 material\n",
        "\nNodes  · static\n  hips ─ chest", "\n  0  skin       3  hips   body\n",
        "\n  0  Walk     1.00      10       2    22             2",
        "\n  0  mesh      1         6          4           4    1  normals\n", "\n  /nodes/1:\n    odd\n"}) {
    CAPTURE(part);
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  }
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(info_text({"", 0}, {Model(), {}, {}}, {}).starts_with("  0 B\n0 × 0 × 0 units"));
}

std::vector<std::byte> bytes_of(std::initializer_list<int> numbers) {
  std::vector<std::byte> out;
  for (const int number : numbers) out.push_back(static_cast<std::byte>(number));
  return out;
}

TEST_CASE("sizes of pictures are read from their first bytes, whatever is cut off") {
  const std::vector<std::byte> png =
      bytes_of({0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 2, 0, 0, 0, 1, 0});
  const std::vector<std::byte> jpeg =
      bytes_of({0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 11, 8, 0, 20, 1, 4, 3});
  REQUIRE(image_size(png));
  CHECK(image_size(png)->width == 512);
  CHECK(image_size(png)->height == 256);
  REQUIRE(image_size(jpeg));
  CHECK(image_size(jpeg)->width == 260);
  CHECK(image_size(jpeg)->height == 20);
  for (const std::vector<std::byte>& whole : {png, jpeg}) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const std::optional<ImageSize> size = image_size({whole.data(), length});
      if (size) CHECK(length >= 18);
    }
  }
  CHECK_FALSE(image_size(bytes_of({'R', 'I', 'F', 'F'})));
}

}  // namespace
}  // namespace marrow::tool

#include "src/gltf/animations.h"

#include <doctest/doctest.h>

#include <cstring>

#include "gltf/file_builder.h"
#include "marrow/anim/clip_keys.h"
#include "marrow/anim/sampling.h"
#include "marrow/model/clip_library.h"

namespace marrow {
namespace {

using test::FileBuilder;
using test::Json;
using test::skinned_triangle;
using test::y_up;

// Two nodes, and one clip that moves the first along x.
FileBuilder two_nodes() {
  FileBuilder file;
  file.node({{"name", "a"}});
  file.node({{"name", "b"}});
  const std::size_t times = file.accessor<float>({0.5f, 1, 2}, "SCALAR");
  file.channel(0, "translation", times, file.accessor<float>({0, 0, 0, 1, 0, 0, 5, 0, 0}, "VEC3"));
  return file;
}

// A node with a mesh of two morph targets.
FileBuilder morphing() {
  FileBuilder file;
  const std::size_t still = file.accessor<float>({0, 0, 0}, "VEC3"), moved = file.accessor<float>({1, 0, 0}, "VEC3");
  file.mesh({{"POSITION", still}}, {{"mode", 0}, {"targets", {{{"POSITION", moved}}, {{"POSITION", moved}}}}});
  file.json["meshes"][0]["weights"] = {0.25, 0.5};
  file.node({{"name", "face"}, {"mesh", 0}});
  return file;
}

float x_at(const Model& model, double time, std::uint32_t joint = 0) {
  Pose pose(model.skeleton());
  sample(model.clips()[0], time, pose);
  return pose.transform(joint).translation.x;
}

TEST_CASE("animations move plain nodes without any skin") {
  const Model model = two_nodes().model();
  CHECK(model.skeleton().joint_count() == 1);
  CHECK(model.nodes()[1].joint == kNone);
  CHECK(model.clips()[0].duration() == 2.0);
  CHECK(x_at(model, 0) == 0);
  CHECK(x_at(model, 0.75) == 0.5f);
  CHECK(x_at(model, 1.5) == 3);
  CHECK(x_at(model, 9) == 5);
}

TEST_CASE("every clip of a file keeps its own keys") {
  // Of lengths that grow, shrink and leave no memory for one of the others.
  constexpr std::size_t kKeys[] = {3, 40, 2, 2000, 5, 7, 300, 1, 900};
  const auto value = [](std::size_t clip, std::size_t key) { return static_cast<float>(clip * 10000 + key + 1); };
  FileBuilder file;
  file.node({{"name", "a"}});
  for (std::size_t clip = 0; clip < std::size(kKeys); ++clip) {
    std::vector<float> times, values;
    for (std::size_t key = 0; key < kKeys[clip]; ++key) {
      times.push_back(static_cast<float>(key));
      values.insert(values.end(), {value(clip, key), 0, 0});
    }
    file.json["animations"].push_back({{"channels", Json::array()}, {"samplers", Json::array()}});
    file.channel(0, "translation", file.accessor(times, "SCALAR"), file.accessor(values, "VEC3"));
  }
  std::vector<Clip> clips;
  {
    const Model model = file.model();
    clips.assign(model.clips().begin(), model.clips().end());
  }
  clips.erase(clips.begin() + 1);  // what others share its memory with
  Pose pose(file.model().skeleton());
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const std::size_t clip = i == 0 ? 0 : i + 1;
    for (const std::size_t key : {std::size_t{0}, kKeys[clip] / 2, kKeys[clip] - 1}) {
      CAPTURE(clip);
      CAPTURE(key);
      sample(clips[i], static_cast<double>(key), pose);
      CHECK(pose.transform(0).translation.x == value(clip, key));
    }
  }
}

TEST_CASE("steps hold the key before, cubic splines go by their tangents") {
  FileBuilder file = two_nodes();
  file.json["animations"][0]["samplers"][0]["interpolation"] = "STEP";
  CHECK(x_at(file.model(), 1.99) == 1);
  FileBuilder cubic;
  cubic.node({{"name", "a"}});
  // From 0 to 1 in two seconds, leaving and arriving at a speed of 1: at the middle 0.5 + 2 * (1 - 1) / 8.
  cubic.channel(0, "translation", cubic.accessor<float>({0, 2}, "SCALAR"),
                cubic.accessor<float>({0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}, "VEC3"), "CUBICSPLINE");
  CHECK(x_at(cubic.model(), 1) == doctest::Approx(0.5 + 2 * 0.125));
}

TEST_CASE("morph weights rest where the node or its mesh says, and are animated") {
  FileBuilder file = morphing();
  const Model resting = file.model();
  REQUIRE(resting.skeleton().joint_count() == 1);
  CHECK(resting.skeleton().rest_morph_weights(0)[1] == 0.5f);
  CHECK(resting.meshes()[0].morph_names == std::vector<std::string>{"morph_0", "morph_1"});
  file.json["nodes"][0]["weights"] = {1, 2};
  file.json["meshes"][0]["extras"]["targetNames"] = {"smile", "frown"};
  file.channel(0, "weights", file.accessor<float>({0, 1}, "SCALAR"), file.accessor<float>({0, 0, 1, 4}, "SCALAR"));
  const Model model = file.model();
  CHECK(model.skeleton().rest_morph_weights(0)[1] == 2);
  CHECK(model.meshes()[0].morph_names[1] == "frown");
  Pose pose(model.skeleton());
  sample(model.clips()[0], 0.5, pose);
  CHECK(pose.morph_weights(0)[0] == 0.5f);
  CHECK(pose.morph_weights(0)[1] == 2);
}

TEST_CASE("pointers to nodes and to the weights of meshes move them, others are left out with a warning") {
  FileBuilder file = morphing();
  file.node({{"name", "twin"}, {"mesh", 0}});
  file.node({{"name", "own weights"}, {"mesh", 0}, {"weights", {0, 0}}});
  const std::size_t times = file.accessor<float>({0, 1}, "SCALAR");
  file.channel(0, "pointer", times, file.accessor<float>({0, 0, 1, 4}, "SCALAR"));
  file.channel(0, "pointer", times, file.accessor<float>({0, 0, 0, 1, 0, 0}, "VEC3"));
  file.channel(0, "pointer", times, file.accessor<float>({0, 0, 0, 1, 0, 0}, "VEC3"));
  const char* pointers[] = {"/meshes/0/weights", "/nodes/1/translation", "/materials/0/emissiveFactor"};
  for (std::size_t i = 0; i < 3; ++i) {
    file.json["animations"][0]["channels"][i]["target"] = {
        {"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", {{"pointer", pointers[i]}}}}}};
  }
  const Model model = file.model(y_up());
  REQUIRE(model.clips()[0].tracks().size() == 3);
  Pose pose(model.skeleton());
  sample(model.clips()[0], 1, pose);
  CHECK(pose.morph_weights(*model.skeleton().joint("face"))[1] == 4);
  CHECK(pose.morph_weights(*model.skeleton().joint("twin"))[1] == 4);
  CHECK(pose.morph_weights(*model.skeleton().joint("own weights"))[1] == 0);
  CHECK(pose.transform(*model.skeleton().joint("twin")).translation.x == 1);
  CHECK(file.warnings() ==
        "/animations/0/channels/2/target/extensions/KHR_animation_pointer/pointer: \"/materials/0/emissiveFactor\" is "
        "nothing that nodes or morph weights can express; the channel is left out\n");
}

// Adds a channel for a pointer.
void point(FileBuilder& file, const char* pointer, std::size_t input, std::size_t output, const char* how = "LINEAR") {
  file.channel(0, "pointer", input, output, how);
  file.json["animations"][0]["channels"].back()["target"] = {
      {"path", "pointer"}, {"extensions", {{"KHR_animation_pointer", {{"pointer", pointer}}}}}};
}

std::vector<float> weights_at(const Model& model, double time, const char* joint = "face") {
  Pose pose(model.skeleton());
  sample(model.clips()[0], time, pose);
  const auto weights = pose.morph_weights(*model.skeleton().joint(joint));
  return {weights.begin(), weights.end()};
}

TEST_CASE("a pointer to one weight moves that one, of a node or of all that show a mesh") {
  FileBuilder file = morphing();
  file.node({{"name", "twin"}, {"mesh", 0}});
  const std::size_t times = file.accessor<float>({0, 1}, "SCALAR"), up = file.accessor<float>({0, 1}, "SCALAR");
  point(file, "/nodes/0/weights/1", times, up);
  const Model one = file.model();
  CHECK(weights_at(one, 0.75) == std::vector<float>{0.25f, 0.75f});
  CHECK(weights_at(one, 0.75, "twin") == std::vector<float>{0.25f, 0.5f});
  point(file, "/meshes/0/weights/0", times, up);
  const Model both = file.model();
  CHECK(weights_at(both, 0.75) == std::vector<float>{0.75f, 0.75f});
  CHECK(weights_at(both, 0.75, "twin") == std::vector<float>{0.75f, 0.5f});
}

TEST_CASE("weights that are moved one by one keep their own times and interpolation") {
  const auto animated = [](bool first, bool second) {
    FileBuilder file = morphing();
    if (first) {  // jumps at 3
      point(file, "/nodes/0/weights/0", file.accessor<float>({0.25f, 3}, "SCALAR"),
            file.accessor<float>({2, 5}, "SCALAR"), "STEP");
    }
    if (second) {  // in-tangent, value, out-tangent; what is before the first key and behind the last does not matter
      point(file, "/nodes/0/weights/1", file.accessor<float>({0.5f, 2.5f}, "SCALAR"),
            file.accessor<float>({9, 1, 0.5f, -2, 3, 7}, "SCALAR"), "CUBICSPLINE");
    }
    return file.model();
  };
  const Model both = animated(true, true), first = animated(true, false), second = animated(false, true);
  for (const double time : {0.0, 0.3, 0.4, 0.5, 0.7, 1.0, 1.8, 2.5, 2.7, 2.9999, 3.0, 4.0}) {
    CAPTURE(time);
    const std::vector<float> weights = weights_at(both, time);
    CHECK(weights[0] == doctest::Approx(weights_at(first, time)[0]).epsilon(1e-6));
    CHECK(weights[1] == doctest::Approx(weights_at(second, time)[1]).epsilon(1e-6));
  }
  CHECK(weights_at(both, 2.0)[0] == 2);
  CHECK(weights_at(both, 3.0)[0] == 5);
  CHECK(weights_at(both, 0.4)[1] == 1);
  CHECK(weights_at(both, 2.9)[1] == 3);
}

TEST_CASE("what moves a weight twice, or one that is not there, is left out") {
  FileBuilder file = morphing();
  const std::size_t times = file.accessor<float>({0, 1}, "SCALAR"), up = file.accessor<float>({0, 1}, "SCALAR");
  point(file, "/nodes/0/weights/1", times, up);
  point(file, "/nodes/0/weights/1", times, up);
  point(file, "/nodes/0/weights", times, file.accessor<float>({0, 0, 8, 8}, "SCALAR"));
  point(file, "/nodes/0/weights/2", times, up);
  point(file, "/nodes/7/weights/0", times, up);
  point(file, "/nodes/0/weights/x", times, up);
  const std::string again = ": another channel moves the same property of the same node; this one is left out\n";
  const std::string pointer = "/target/extensions/KHR_animation_pointer";
  const std::string expected =
      "/animations/0/channels/3" + pointer +
      ": node 0 has only 2 morph targets; the channel is left out\n/animations/0/channels/4" + pointer +
      "/pointer: there is no node 7; the channel is left out\n/animations/0/channels/5" + pointer +
      "/pointer: \"/nodes/0/weights/x\" is nothing that nodes or morph weights can express; the "
      "channel is left out\n/animations/0/channels/1" +
      again + "/animations/0/channels/2" + again;
  CHECK(file.warnings() == expected);
  CHECK(weights_at(file.model(), 1) == std::vector<float>{0.25f, 1});
  FileBuilder broken = morphing();
  point(broken, "/nodes/0/weights/1", broken.accessor<float>({1, 0}, "SCALAR"),
        broken.accessor<float>({0, 1}, "SCALAR"));
  CHECK(broken.error() == "/animations/0/channels/0: the times of the keys are not ascending numbers");
}

TEST_CASE("an animated node with a matrix is told of, once") {
  FileBuilder file = two_nodes();
  file.json["nodes"][0]["matrix"] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 3, 1};
  const std::size_t times = file.accessor<float>({0, 1}, "SCALAR");
  file.channel(0, "rotation", times, file.accessor<float>({0, 0, 0, 1, 1, 0, 0, 0}, "VEC4"));
  CHECK(file.warnings() ==
        "/nodes/0/matrix: the node is animated but has a matrix; that is taken apart, and what has no channel stays as "
        "it was\n");
  Pose pose(file.model().skeleton());
  sample(file.model().clips()[0], 0, pose);
  CHECK(pose.transform(0).scale.x == 2);
}

TEST_CASE("rotations in small integers may be as far from unit as rounding makes them") {
  FileBuilder file;
  file.node({{"name", "a"}});
  // The worst of all roundings to 1/127, and a key that is really short.
  const std::size_t times = file.accessor<float>({0, 1, 2}, "SCALAR");
  file.channel(0, "rotation", times,
               file.accessor<std::int8_t>({64, 64, 64, 64, 127, 0, 0, 0, 100, 0, 0, 0}, "VEC4", true));
  LoadOptions thorough;
  thorough.thorough = true;
  CHECK(file.warnings(thorough).find("1 of 3 rotation keys are not of unit length") != std::string::npos);
}

TEST_CASE("channels without a target, for nothing or for the same again are left out") {
  FileBuilder file = two_nodes();
  const Json channel = file.json["animations"][0]["channels"][0];
  Json& channels = file.json["animations"][0]["channels"];
  channels.push_back(channel);
  channels.push_back({{"sampler", 0}, {"target", {{"path", "translation"}}}});
  channels.push_back({{"sampler", 0}, {"target", {{"node", 1}, {"path", "colour"}}}});
  channels.push_back({{"sampler", 0}, {"target", {{"node", 1}, {"path", "weights"}}}});
  CHECK(file.model().clips()[0].tracks().size() == 1);
  CHECK(file.warnings() ==
        "/animations/0/channels/3/target/path: \"colour\" is nothing that a node has; the channel is left out\n"
        "/animations/0/channels/4/target: node 1 has no morph targets; the channel is left out\n"
        "/animations/0/channels/1: another channel moves the same property of the same node; this one is left out\n");
}

TEST_CASE("broken animations are refused with the channel or sampler") {
  const auto error_with = [](auto&& change) {
    FileBuilder file = two_nodes();
    change(file);
    return file.error();
  };
  CHECK(error_with([](FileBuilder& f) { f.json["animations"][0]["samplers"][0]["output"] = 7; }) ==
        "/animations/0/samplers/0/output: there is no accessor 7; the file has 2");
  CHECK(error_with([](FileBuilder& f) { f.json["animations"][0]["samplers"][0]["output"] = 0; }) ==
        "/animations/0/samplers/0/output: elements of 3 numbers are wanted here, the accessor's have 1");
  CHECK(error_with([](FileBuilder& f) { f.json["animations"][0]["samplers"][0]["interpolation"] = "SMOOTH"; }) ==
        "/animations/0/samplers/0/interpolation: there is no interpolation \"SMOOTH\"");
  CHECK(error_with([](FileBuilder& f) { f.json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"; }) ==
        "/animations/0/samplers/0/output: 3 keys need 9 elements, but there are 3");
  CHECK(error_with([](FileBuilder& f) { f.json["animations"][0]["channels"][0]["sampler"] = 1; }) ==
        "/animations/0/channels/0/sampler: there is no sampler 1; the file has 1");
  CHECK(error_with([](FileBuilder& f) { f.json["animations"][0]["channels"][0]["target"]["node"] = 2; }) ==
        "/animations/0/channels/0/target/node: there is no node 2; the file has 2");
  CHECK(error_with([](FileBuilder& f) { f.json["animations"][0]["channels"][0].erase("target"); }) ==
        "/animations/0/channels/0/target: no target is stated");
  // The times 0.5, 1, 2 with the last put first.
  CHECK(error_with([](FileBuilder& f) {
          const float late = 3;
          std::memcpy(f.buffer.data(), &late, sizeof late);
        }) ==
        "/animations/0/channels/0: clip \"clip_0\": the translation track of joint \"a\" has a key 1 earlier than "
        "the one before it");
}

TEST_CASE("a broken track is named by its channel in the file") {
  FileBuilder file = two_nodes();
  const std::size_t falling = file.accessor<float>({1, 0}, "SCALAR");
  file.channel(1, "translation", falling, file.accessor<float>({0, 0, 0, 1, 0, 0}, "VEC3"));
  Json& channels = file.json["animations"][0]["channels"];
  const Json left_out = {{"sampler", 0}, {"target", {{"node", 0}, {"path", "colour"}}}};
  channels.insert(channels.begin() + 1, left_out);
  // Its track has number 1.
  CHECK(file.error() ==
        "/animations/0/channels/2: clip \"clip_0\": the translation track of joint \"b\" has a key 1 earlier than the "
        "one before it");
}

TEST_CASE("rotation keys that are odd but legal are told when asked for") {
  FileBuilder file;
  file.node({{"name", "a"}});
  file.channel(0, "rotation", file.accessor<float>({0, 1, 2}, "SCALAR"),
               file.accessor<float>({0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0, -2}, "VEC4"));
  CHECK(file.warnings() == "");
  LoadOptions options;
  options.thorough = true;
  const std::string warnings = file.warnings(options);
  CHECK(warnings.find("/animations/0/channels/0: 1 of 3 rotation keys are not of unit length") != std::string::npos);
  CHECK(warnings.find("/animations/0/channels/0: 1 of 3 rotation keys are on the other side") != std::string::npos);
}

TEST_CASE("the clips of a library are bound by the names of its joints") {
  FileBuilder library;
  library.node({{"name", "unknown"}, {"children", {1}}});
  library.node({{"name", "tip"}});
  const std::size_t times = library.accessor<float>({0, 1}, "SCALAR");
  const std::size_t values = library.accessor<float>({0, 0, 0, 6, 0, 0}, "VEC3");
  library.channel(0, "translation", times, values);
  library.channel(1, "translation", times, values);
  library.json["animations"][0]["name"] = "hop";
  const Model model = skinned_triangle().model();
  const Result<AddedClips> added = add_clips(model, library.model());
  REQUIRE(added.ok());
  CHECK(added->model.clips().size() == 2);
  CHECK(added->first_added == 1);
  REQUIRE(added->unmapped[0].size() == 1);
  CHECK(added->unmapped[0][0].joint == 0);
  const Clip* const hop = added->model.find_clip("hop");
  REQUIRE(hop == &added->model.clips()[1]);
  Pose pose(model.skeleton());
  sample(*hop, 1, pose);
  CHECK(pose.transform(*model.skeleton().joint("tip")).translation.x == 6);
  CHECK(!add_clips(model, library.model(y_up())).ok());
  library.json["nodes"][1]["name"] = "nobody";
  CHECK(!add_clips(model, library.model()).ok());
}

}  // namespace
}  // namespace marrow

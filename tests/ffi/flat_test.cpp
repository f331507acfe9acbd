// The flat functions and the model's contents through C: what C++ has, bit for bit.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "ffi/life.h"
#include "marrow/anim/blend.h"
#include "marrow/anim/sampling.h"
#include "marrow/gltf/reader.h"
#include "marrow/scene/scene.h"
#include "marrow/skin/skinning.h"

namespace marrow {
namespace {

using namespace test;

const Model& reference() {
  static const Model model = load_gltf(asset("character.glb")).value().model;
  return model;
}

// A pose with memory for everything.
struct OwnPose {
  std::vector<marrow_transform> transforms = std::vector<marrow_transform>(kJoints);
  std::vector<float> morphs = std::vector<float>(count_morphs());
  std::vector<std::uint8_t> present = std::vector<std::uint8_t>(kJoints);
  marrow_pose pose = {transforms.data(), transforms.size(), morphs.data(),
                      morphs.size(),     present.data(),    present.size()};
  static std::uint64_t count_morphs() {
    std::uint64_t count = 0;
    MARROW_REQUIRE_OK(marrow_model_rest_morphs(character(), nullptr, 0, &count));
    return count;
  }
  bool operator==(const Pose& other) const {
    std::vector<Transform> own(kJoints);
    other.to_transforms(own);
    if (std::memcmp(own.data(), transforms.data(), kJoints * sizeof own[0]) != 0) return false;
    std::size_t morph = 0;
    for (std::uint32_t j = 0; j < kJoints; ++j) {
      for (const float weight : other.morph_weights(j)) {
        if (weight != morphs[morph++]) return false;
      }
      const Property properties[] = {Property::translation, Property::rotation, Property::scale, Property::morph};
      for (int p = 0; p < 4; ++p) {
        if (other.has(j, properties[p]) != ((present[j] >> p & 1) != 0)) return false;
      }
    }
    return morph == morphs.size();
  }
};

TEST_CASE("what is sampled and blended through C is what C++ samples and blends") {
  const Model& model = reference();
  OwnPose walk, wave, out;
  Pose cpp_walk(model.skeleton()), cpp_wave(model.skeleton()), cpp_out(model.skeleton());
  MARROW_REQUIRE_OK(marrow_sample(character(), clip("walk"), 0.4, &walk.pose));
  MARROW_REQUIRE_OK(marrow_sample(character(), clip("wave"), 0.7, &wave.pose));
  sample(model.clips()[clip("walk")], 0.4, cpp_walk);
  sample(model.clips()[clip("wave")], 0.7, cpp_wave);
  CHECK(walk == cpp_walk);
  CHECK(wave == cpp_wave);
  CHECK(!(wave == cpp_walk));

  const marrow_blend_input both[] = {{walk.pose, 1, 0.75f}, {wave.pose, 2, 0.5f}}, upper = {wave.pose, 1, 1};
  std::vector<float> mask(kJoints);
  MARROW_REQUIRE_OK(marrow_model_branch_mask(character(), 4, 1, mask.data(), mask.size(), nullptr));
  const marrow_blend_layer layers[] = {{both, 2, nullptr, 0, MARROW_REPLACE, MARROW_FILL_WEIGHT, 1, 0},
                                       {&upper, 1, mask.data(), kJoints, MARROW_REPLACE, MARROW_FILL_FADE, 0.8f, 0}};
  MARROW_REQUIRE_OK(marrow_blend(character(), layers, 2, &out.pose));
  const BlendInput cpp_both[] = {{cpp_walk, 1, 0.75f}, {cpp_wave, 2, 0.5f}}, cpp_upper = {cpp_wave, 1, 1};
  const JointMask cpp_mask = JointMask::from_branch(model.skeleton(), 4, 1);
  const BlendLayer cpp_layers[] = {{cpp_both, LayerMode::replace, 1, nullptr, Fill::weight},
                                   {{&cpp_upper, 1}, LayerMode::replace, 0.8f, &cpp_mask, Fill::fade}};
  blend(cpp_layers, cpp_out);
  CHECK(out == cpp_out);
  MARROW_REQUIRE_OK(marrow_blend(character(), layers, 2, &walk.pose));  // which is one of the inputs
  CHECK(walk == cpp_out);
}

TEST_CASE("a blend of what is none is refused") {
  OwnPose walk, out;
  MARROW_REQUIRE_OK(marrow_sample(character(), 1, 0.4, &walk.pose));
  marrow_blend_input input = {walk.pose, 1, 1};
  marrow_blend_layer layer = {&input, 1, nullptr, 0, MARROW_REPLACE, MARROW_FILL_FADE, 1, 0};
  const auto status = [&] { return marrow_blend(character(), &layer, 1, &out.pose); };
  CHECK(status() == MARROW_OK);
  input.weight = -1;
  CHECK(status() == MARROW_ERROR_INVALID_ARGUMENT);
  input.weight = NAN;
  CHECK(status() == MARROW_ERROR_NOT_FINITE);
  input = {walk.pose, 1, 1.5f};
  CHECK(status() == MARROW_ERROR_INVALID_ARGUMENT);
  input = {walk.pose, 1, 1};
  input.pose.transforms = nullptr;
  CHECK(status() == MARROW_ERROR_NULL_POINTER);
  input.pose = walk.pose;
  input.pose.transform_count = kJoints - 1;
  CHECK(status() == MARROW_ERROR_SHORT_BUFFER);
  input.pose = walk.pose;
  walk.transforms[kJoints - 1].rotation[0] = 2;
  CHECK(status() == MARROW_ERROR_INVALID_ARGUMENT);
  walk.transforms[kJoints - 1].rotation[0] = INFINITY;
  CHECK(status() == MARROW_ERROR_NOT_FINITE);
  MARROW_REQUIRE_OK(marrow_sample(character(), 1, 0.4, &walk.pose));
  walk.morphs[0] = NAN;
  CHECK(status() == MARROW_ERROR_NOT_FINITE);
  walk.morphs[0] = 0;
  layer.mode = 2;
  CHECK(status() == MARROW_ERROR_INVALID_ARGUMENT);
  layer.mode = MARROW_ADD;
  layer.weight = 2;
  CHECK(status() == MARROW_ERROR_INVALID_ARGUMENT);
  layer.weight = 1;
  const std::vector<float> mask(kJoints + 1, 1.0f);
  layer.mask = mask.data();
  layer.mask_count = kJoints - 1;
  CHECK(status() == MARROW_ERROR_SHORT_BUFFER);
  layer.mask_count = kJoints + 1;
  CHECK(status() == MARROW_ERROR_SIZE_MISMATCH);
  layer = {&input, 257, nullptr, 0, MARROW_REPLACE, MARROW_FILL_FADE, 1, 0};
  CHECK(status() == MARROW_ERROR_LIMIT_EXCEEDED);
  layer = {nullptr, 1, nullptr, 0, MARROW_REPLACE, MARROW_FILL_FADE, 1, 0};
  CHECK(status() == MARROW_ERROR_NULL_POINTER);
  CHECK(marrow_blend(character(), nullptr, 0, &out.pose) == MARROW_OK);  // the rest pose
}

TEST_CASE("vertices that are skinned through C are where C++ puts them, whatever their stride") {
  const Mesh& mesh = reference().meshes()[0];
  const Vertices& v = *mesh.parts[0].vertices;
  const std::size_t count = v.positions.size();
  Life life;
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("run"), nullptr, nullptr));
  MARROW_REQUIRE_OK(marrow_instance_update(life.hero, 0.3));
  const std::vector<marrow_affine> matrices = palette(life.hero);
  std::vector<Vec3> positions(count), normals(count);
  skin_vertices(v, {}, {reinterpret_cast<const Affine*>(matrices.data()), matrices.size()}, {positions, normals, {}});

  const auto floats = [&](std::uint32_t attribute) {
    return all<float>([&](float* out, std::uint64_t size, std::uint64_t* n) {
      return marrow_model_part_floats(character(), 0, 0, attribute, 0, out, size, n);
    });
  };
  std::vector<float> in = floats(MARROW_POSITION), in_normals = floats(MARROW_NORMAL), weights = floats(MARROW_WEIGHTS);
  auto joints = all<std::uint16_t>([&](std::uint16_t* out, std::uint64_t size, std::uint64_t* n) {
    return marrow_model_part_joints(character(), 0, 0, out, size, n);
  });
  std::vector<float> out(count * 8, 7.0f);
  marrow_skin_job job = {};
  job.struct_size = sizeof job;
  job.influences = v.influences;
  job.vertex_count = count;
  job.positions = {in.data(), in.size() * 4, 0};
  job.normals = {in_normals.data(), in_normals.size() * 4, 12};
  job.joints = {joints.data(), joints.size() * 2, 0};
  job.weights = {weights.data(), weights.size() * 4, 0};
  job.palette = matrices.data();
  job.palette_count = matrices.size();
  job.out_positions = {out.data(), out.size() * 4 - 20, 32};
  job.out_normals = {out.data() + 4, out.size() * 4 - 20, 32};
  MARROW_REQUIRE_OK(marrow_skin_vertices(&job));
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE(std::memcmp(&out[i * 8], &positions[i], 12) == 0);
    REQUIRE(std::memcmp(&out[i * 8 + 4], &normals[i], 12) == 0);
    REQUIRE(out[i * 8 + 3] == 7.0f);
  }

  const auto refused = [&](const auto& change) {
    marrow_skin_job changed = job;
    change(changed);
    return marrow_skin_vertices(&changed);
  };
  CHECK(refused([](marrow_skin_job& j) { j.out_positions.bytes -= 1; }) == MARROW_ERROR_SHORT_BUFFER);
  CHECK(refused([](marrow_skin_job& j) { j.positions.bytes -= 1; }) == MARROW_ERROR_SHORT_BUFFER);
  CHECK(refused([](marrow_skin_job& j) { j.joints.bytes -= 1; }) == MARROW_ERROR_SHORT_BUFFER);
  CHECK(refused([](marrow_skin_job& j) { j.weights.bytes -= 1; }) == MARROW_ERROR_SHORT_BUFFER);
  CHECK(refused([](marrow_skin_job& j) { j.vertex_count = ~std::uint64_t{0}; }) == MARROW_ERROR_SHORT_BUFFER);
  CHECK(refused([](marrow_skin_job& j) { j.positions.data = nullptr; }) == MARROW_ERROR_NULL_POINTER);
  CHECK(refused([](marrow_skin_job& j) { j.normals.data = nullptr; }) == MARROW_ERROR_NULL_POINTER);
  CHECK(refused([](marrow_skin_job& j) { j.joints.data = nullptr; }) == MARROW_ERROR_NULL_POINTER);
  CHECK(refused([](marrow_skin_job& j) { j.weights.data = nullptr; }) == MARROW_ERROR_NULL_POINTER);
  CHECK(refused([](marrow_skin_job& j) { j.palette = nullptr; }) == MARROW_ERROR_NULL_POINTER);
  CHECK(refused([](marrow_skin_job& j) { j.palette_count = 0; }) == MARROW_ERROR_SHORT_BUFFER);
  CHECK(refused([](marrow_skin_job& j) { j.positions.stride = 8; }) == MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(refused([](marrow_skin_job& j) { j.positions.stride = 13; }) == MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(refused([](marrow_skin_job& j) { j.joints.stride = 9; }) == MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(refused([](marrow_skin_job& j) { j.influences = 5000; }) == MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(refused([](marrow_skin_job& j) {
          j.positions.data = static_cast<char*>(j.positions.data) + 1;
          j.vertex_count = 1;
        }) == MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(refused([](marrow_skin_job& j) { j.vertex_count = 0; }) == MARROW_OK);
  CHECK(refused([](marrow_skin_job& j) { j.out_normals = {nullptr, 0, 3}; }) == MARROW_OK);  // of nothing
  CHECK(refused([](marrow_skin_job& j) { j.tangents = {nullptr, 5, 7}; }) == MARROW_OK);
}

TEST_CASE("the mesh of an instance is skinned as C++ does, with its morph weights") {
  const Model& model = reference();
  Scene scene;
  const Instance cpp = scene.instantiate(model);
  cpp.mixer().play(model.clips()[clip("wave")]);
  cpp.update(0.9);
  Life life;
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("wave"), nullptr, nullptr));
  MARROW_REQUIRE_OK(marrow_instance_update(life.hero, 0.9));
  std::uint32_t node = 0;
  while (model.nodes()[node].mesh == kNone) ++node;
  const std::size_t count = model.meshes()[0].parts[0].vertices->positions.size();
  std::vector<Vec3> expected(count);
  cpp.skin(node, 0, {expected, {}, {}});
  std::vector<float> positions(count * 3);
  MARROW_REQUIRE_OK(
      marrow_instance_skin(life.hero, node, 0, positions.data(), positions.size(), nullptr, 0, nullptr, 0));
  CHECK(std::memcmp(positions.data(), expected.data(), count * 12) == 0);
  CHECK(marrow_instance_skin(life.hero, 0, 0, positions.data(), positions.size(), nullptr, 0, nullptr, 0) ==
        MARROW_ERROR_INVALID_ARGUMENT);
  marrow_box box;
  MARROW_REQUIRE_OK(marrow_instance_bounds(life.hero, &box));
  const Box own = cpp.bounds();
  CHECK(std::memcmp(&box, &own, sizeof box) == 0);
}

TEST_CASE("a model tells through C what it tells through C++") {
  const Model& model = reference();
  marrow_model_info info = {};
  info.struct_size = sizeof info;
  MARROW_REQUIRE_OK(marrow_model_get_info(character(), &info));
  CHECK(info.up == MARROW_UP_Z);
  CHECK(info.joint_count == model.skeleton().joint_count());
  CHECK(info.clip_count == model.clips().size());
  CHECK(info.node_count == model.nodes().size());
  for (std::uint32_t j = 0; j < info.joint_count; ++j) {
    CHECK(text([&](char* out, std::uint64_t size, std::uint64_t* n) {
            return marrow_model_joint_name(character(), j, out, size, n);
          }) == model.skeleton().name(j));
  }
  for (std::uint32_t c = 0; c < info.clip_count; ++c) {
    double seconds = -1;
    MARROW_REQUIRE_OK(marrow_model_clip_duration(character(), c, &seconds));
    CHECK(seconds == model.clips()[c].duration());
  }
  const auto binds = all<marrow_affine>([&](marrow_affine* out, std::uint64_t size, std::uint64_t* n) {
    return marrow_model_skin_inverse_binds(character(), 0, out, size, n);
  });
  CHECK(std::memcmp(binds.data(), model.skins()[0].inverse_binds().data(), binds.size() * 48) == 0);
  marrow_material_info material = {};
  material.struct_size = sizeof material;
  MARROW_REQUIRE_OK(marrow_model_get_material(character(), 0, &material));
  CHECK(material.base_color[0] == model.materials()[0].base_color.x);
  CHECK(material.roughness == model.materials()[0].roughness);
  CHECK(text([&](char* out, std::uint64_t size, std::uint64_t* n) {
          return marrow_model_material_name(character(), 0, out, size, n);
        }) == model.materials()[0].name);
  const auto indices = all<std::uint32_t>([&](std::uint32_t* out, std::uint64_t size, std::uint64_t* n) {
    return marrow_model_part_indices(character(), 0, 0, out, size, n);
  });
  CHECK(indices == model.meshes()[0].parts[0].indices);
}

TEST_CASE("vertices that nobody wants are not skinned, however many they are said to be") {
  marrow_skin_job job = {};
  job.struct_size = sizeof job;
  job.vertex_count = ~std::uint64_t{0};
  MARROW_REQUIRE_OK(marrow_skin_vertices(&job));
  const marrow_affine palette = {};
  job.palette = &palette;
  job.palette_count = std::uint64_t{1} << 58;
  CHECK(marrow_skin_vertices(&job) == MARROW_ERROR_OUT_OF_RANGE);
}

TEST_CASE("options of loading do what they say") {
  marrow_load_options options = MARROW_LOAD_OPTIONS_INIT;
  options.up = MARROW_UP_Y;
  options.skip_meshes = 1;
  marrow_model model = 0;
  MARROW_REQUIRE_OK(marrow_model_load(asset("sword.glb").c_str(), &options, &model));
  marrow_model_info info = {};
  info.struct_size = sizeof info;
  MARROW_REQUIRE_OK(marrow_model_get_info(model, &info));
  CHECK(info.up == MARROW_UP_Y);
  CHECK(info.mesh_count == 0);
  MARROW_REQUIRE_OK(marrow_model_destroy(model));
  options.up = 2;
  CHECK(marrow_model_load(asset("sword.glb").c_str(), &options, &model) == MARROW_ERROR_INVALID_ARGUMENT);
  options = MARROW_LOAD_OPTIONS_INIT;
  options.memory_limit = 10;
  CHECK(marrow_model_load(asset("sword.glb").c_str(), &options, &model) == MARROW_ERROR_LIMIT_EXCEEDED);
  CHECK(marrow_model_load(MARROW_ASSETS, nullptr, &model) == MARROW_ERROR_UNREADABLE);
  CHECK(marrow_model_load("", nullptr, &model) != MARROW_OK);
  CHECK(marrow_model_read("mrw?", 4, nullptr, &model) == MARROW_ERROR_MALFORMED);
}

}  // namespace
}  // namespace marrow

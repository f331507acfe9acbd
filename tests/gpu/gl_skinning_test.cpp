#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gpu/gl_runner.h"
#include "gpu/skinning_case.h"

namespace marrow {
namespace {

using test::Captured;
using test::CaptureProgram;
using test::GlContext;
using test::GlKind;
using test::required;
using test::SkinningCase;

// One case through everything: buffers, program, GPU.
Captured run(const GlContext& context, CaptureProgram& program, PaletteStorage storage, std::uint32_t max_bones,
             const SkinningCase& c, const GlMesh& mesh) {
  const Device device = context.device().device();
  const GlSkinning skinning = required(GlSkinning::create(context.device(), program.name()));
  PaletteBufferOptions options;
  options.max_bones = max_bones;
  options.storage = storage;
  PaletteBuffer palettes = required(PaletteBuffer::create(device, options));
  PaletteBuffer binds = required(PaletteBuffer::create(device, options));
  // Not at the beginning, where offsets would not matter.
  const std::vector<Affine> others(std::min(max_bones, 7u));
  REQUIRE(palettes.add(others));
  REQUIRE(binds.add(std::span(others).first(3)));
  const PaletteRef palette = required(palettes.add(c.bones));
  required(palettes.upload());
  if (c.inverse_binds.empty()) {
    required(skinning.bind(palettes, palette, mesh.largest_joint()));
  } else {
    const PaletteRef skeleton = required(binds.add(c.inverse_binds));
    required(binds.upload());
    required(skinning.bind(palettes, palette, binds, skeleton, mesh.largest_joint()));
  }
  if (c.vertices.targets.empty()) return program.run(mesh);
  const MorphTargets targets = required(MorphTargets::create(device, c.vertices));
  MorphBufferOptions morph_options;
  morph_options.max_targets = targets.targets();
  MorphBuffer weights = required(MorphBuffer::create(device, morph_options));
  REQUIRE(weights.add(targets, {}));
  const MorphRef ref = required(weights.add(targets, c.morph_weights));
  required(weights.upload());
  required(skinning.bind_morphs(targets, weights, ref, mesh.vertex_count()));
  return program.run(mesh);
}

struct Variant {
  const char* name;
  SkinTechnique technique;
};
constexpr Variant kVariants[] = {
    {"uniform_3x4", {PaletteStorage::uniform_3x4, false}},
    {"uniform_4x4", {PaletteStorage::uniform_4x4, false}},
    {"texture_3x4", {PaletteStorage::texture_3x4, false}},
    {"texture_4x4", {PaletteStorage::texture_4x4, false}},
    {"bound uniform_3x4", {PaletteStorage::uniform_3x4, true}},
    {"bound texture_3x4", {PaletteStorage::texture_3x4, true}},
    {"bound texture_4x4", {PaletteStorage::texture_4x4, true}},
};

// How many bones the shader of a variant declares: as the documents say, or as many as there are beyond. Textures have
// no such number.
std::uint32_t declared_bones(SkinTechnique technique, std::uint32_t bones) {
  if (is_texture(technique.storage)) return 0;
  if (technique.storage == PaletteStorage::uniform_4x4) return kMaxBones4x4;
  return std::max(technique.bound ? kMaxBoundBones : kBonesOf16KiB, bones);
}

struct Worst {
  double position = 0, normal = 0;
  int cases = 0, same_bits = 0;
};

void compare_case(const GlContext& context, const Variant& variant, CaptureProgram& program, std::uint32_t declared,
                  const test::SkinningCaseOptions& options, JointEncoding joints, const Affine* world, Worst& worst) {
  SkinningCase c = test::make_skinning_case(options);
  if (world != nullptr) test::place(c, *world);
  const GlMesh mesh = test::make_mesh(context, c, joints);
  const Captured captured =
      run(context, program, variant.technique.storage, std::max(declared, options.bones), c, mesh);
  const test::SkinningDifference d = compare(c, captured.positions, captured.normals);
  CAPTURE(variant.name);
  CAPTURE(options.bones);
  CAPTURE(options.morphs);
  CAPTURE(options.bound);
  CAPTURE(d.vertex);
  CHECK(d.position <= 1e-5);
  CHECK(d.normal <= 1e-5);
  worst.position = std::max(worst.position, d.position);
  worst.normal = std::max(worst.normal, d.normal);
  ++worst.cases;
  worst.same_bits += d.same_bits ? 1 : 0;
}

// Turned about z by a right angle, stretched, mirrored and moved.
constexpr Affine kWorld = {{{0, -1.25f, 0, 3}, {-0.75f, 0, 0, -2}, {0, 0, 1.5f, 1}}};

void compare_variant(const GlContext& context, const Variant& variant, bool whole) {
  const SkinTechnique technique = variant.technique;
  Worst worst;
  for (const std::uint32_t morphs : {0u, 7u}) {
    std::unique_ptr<CaptureProgram> program;
    std::uint32_t made_for = ~0u;
    for (const std::uint32_t bones : test::kBoneCounts) {
      if (bones > max_bones(technique.storage, context.device().device().limits)) continue;
      const std::uint32_t declared = declared_bones(technique, bones);
      if (declared != made_for) {
        const VertexShaderOptions options = {technique, declared, morphs, false};
        program = std::make_unique<CaptureProgram>(
            context, whole ? *vertex_shader(options, context.language())
                           : test::own_shader(context.language(), technique, declared, morphs));
        if (whole) program->bind_frame(kWorld);
        made_for = declared;
      }
      for (const JointEncoding joints : {JointEncoding::u8x4, JointEncoding::u16x4}) {
        if (joints == JointEncoding::u8x4 && bones > 256) continue;
        for (std::uint32_t bound = 0; bound <= (technique.bound ? 1u : 0u); ++bound) {
          compare_case(context, variant, *program, declared, {bones, bound == 1, morphs, bones + morphs + bound},
                       joints, whole ? &kWorld : nullptr, worst);
        }
      }
    }
  }
  CHECK(worst.cases > 0);
  std::printf("  %-18s %-12s %3d cases, %3d bit for bit; positions off by %.1e, normals by %.1e\n", variant.name,
              whole ? "whole shader" : "pasted", worst.cases, worst.same_bits, worst.position, worst.normal);
}

void compare_all(GlKind kind) {
  const GlContext context(kind);
  std::printf("  %s\n", context.device().version().c_str());
  for (const bool whole : {false, true}) {
    for (const Variant& variant : kVariants) compare_variant(context, variant, whole);
  }
}

TEST_CASE("the whole shader puts vertices before the camera, tells how deep they are, and passes uvs on") {
  const GlContext context;
  const SkinTechnique technique{PaletteStorage::uniform_3x4, false};
  SkinningCase c = test::make_skinning_case({24, false, 0, 5});
  std::vector<Vec2> uvs;
  for (std::size_t i = 0; i < c.vertices.positions.size(); ++i) {
    uvs.push_back({0.25f + 0.001f * static_cast<float>(i), 0.75f - 0.002f * static_cast<float>(i)});
  }
  c.vertices.uvs = {uvs};
  test::place(c, kWorld);
  const GlMesh mesh = test::make_mesh(context, c, JointEncoding::u8x4);
  CaptureProgram program(context, *vertex_shader({technique, kBonesOf16KiB, 0, false}, context.language()),
                         test::Outputs::all);
  // No entry is where it would be in the other order, and none is zero that need not be.
  const CaptureProgram::View view{
      {{{0.8f, -0.5f, 0.3f, 1.5f}, {0.4f, 0.9f, -0.2f, -2}, {-0.1f, 0.6f, 1.1f, -7}}},
      {1.3f, 0.1f, 0.2f, 0.05f, -0.3f, 1.7f, 0.4f, 0.15f, 0.25f, -0.35f, -1.02f, -1, 0.6f, -0.7f, -0.2f, 0.5f}};
  program.bind_frame(kWorld, view);
  const Captured captured = run(context, program, technique.storage, kBonesOf16KiB, c, mesh);
  REQUIRE(captured.positions.size() == c.positions.size());
  for (std::size_t i = 0; i < c.positions.size(); ++i) {
    CAPTURE(i);
    const Vec3 seen = transform_point(view.view, c.positions[i]);
    const float from[] = {seen.x, seen.y, seen.z, 1};
    double clip[4] = {}, size = 1;
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 4; ++column) {
        clip[row] += static_cast<double>(view.projection[4 * column + row]) * static_cast<double>(from[column]);
      }
      size = std::max(size, std::fabs(clip[row]));
    }
    const Vec4 got = captured.clip_positions[i];
    const float parts[] = {got.x, got.y, got.z, got.w};
    for (int row = 0; row < 4; ++row) REQUIRE(std::fabs(static_cast<double>(parts[row]) - clip[row]) < 1e-5 * size);
    REQUIRE(captured.depths[i] == doctest::Approx(-seen.z).epsilon(1e-5));
    REQUIRE(captured.uvs[i].x == uvs[i].x);
    REQUIRE(captured.uvs[i].y == uvs[i].y);
  }
}

// What is compared is seen to differ: rows taken for columns, in one technique after the other.
TEST_CASE("a shader with rows and columns exchanged is found out") {
  const GlContext context;
  const SkinningCase c = test::make_skinning_case({24, true, 0, 1});
  const SkinningCase raw = test::make_skinning_case({24, false, 0, 1});
  const GlMesh mesh = test::make_mesh(context, c, JointEncoding::u8x4);
  const GlMesh raw_mesh = test::make_mesh(context, raw, JointEncoding::u8x4);
  for (const Variant& variant : kVariants) {
    const SkinTechnique technique = variant.technique;
    std::string text = test::own_shader(context.language(), technique, 0, 0);
    const std::string from = "MarrowMatrix a = marrow_bone(int(joints.x)),";
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(),
                 "MarrowMatrix m = marrow_bone(int(joints.x)), a = MarrowMatrix(vec4(m.x.x, m.y.x, m.z.x, m.x.w), "
                 "vec4(m.x.y, m.y.y, m.z.y, m.y.w), vec4(m.x.z, m.y.z, m.z.z, m.z.w)),");
    CaptureProgram program(context, text);
    const std::uint32_t declared = std::max(declared_bones(technique, 24), 24u);
    const SkinningCase& expected = technique.bound ? c : raw;
    const Captured captured =
        run(context, program, technique.storage, declared, expected, technique.bound ? mesh : raw_mesh);
    CAPTURE(variant.name);
    CHECK(compare(expected, captured.positions, captured.normals).position > 1e-3);
  }
}

TEST_CASE("every shader puts every vertex where the CPU does, in OpenGL ES") { compare_all(GlKind::es_3_0); }
#if !defined(__EMSCRIPTEN__)
TEST_CASE("every shader puts every vertex where the CPU does, in OpenGL") { compare_all(GlKind::gl_3_3); }
#endif

}  // namespace
}  // namespace marrow

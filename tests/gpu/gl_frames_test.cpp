// Whole frames: several palettes, skeletons, modes and meshes one after the other.
#include <doctest/doctest.h>

#include "gpu/gl_runner.h"
#include "marrow/math/affine.h"
#include "marrow/skin/skinning.h"
#include "skin/random_vertices.h"

namespace marrow {
namespace {

using test::Captured;
using test::CaptureProgram;
using test::GlContext;
using test::required;
using test::SkinningCase;

void check_same(const SkinningCase& c, const Captured& captured) {
  const test::SkinningDifference d = compare(c, captured.positions, captured.normals);
  CAPTURE(d.vertex);
  CHECK(d.position <= 1e-5);
  CHECK(d.normal <= 1e-5);
}

PaletteBuffer make_palettes(const GlContext& context, PaletteStorage storage, std::uint32_t bones) {
  return required(PaletteBuffer::create(context.device().device(), {.max_bones = bones, .storage = storage}));
}

TEST_CASE("skeletons and modes change from draw to draw, and none disturbs another") {
  const GlContext context;
  const SkinningCase first = test::make_skinning_case({24, true, 0, 1});
  const SkinningCase second = test::make_skinning_case({100, true, 0, 2});
  const SkinningCase raw = test::make_skinning_case({60, false, 0, 3});
  const GlMesh first_mesh = make_mesh(context, first, JointEncoding::u8x4);
  const GlMesh second_mesh = make_mesh(context, second, JointEncoding::u16x4);
  const GlMesh raw_mesh = make_mesh(context, raw, JointEncoding::u8x4);
  for (const PaletteStorage storage : {PaletteStorage::uniform_3x4, PaletteStorage::texture_3x4}) {
    CAPTURE(to_string(storage));
    CaptureProgram program(context, test::own_shader(context.language(), {storage, true}, 0, 0));
    const GlSkinning skinning = required(GlSkinning::create(context.device(), program.name()));
    PaletteBuffer palettes = make_palettes(context, storage, 256), binds = make_palettes(context, storage, 256);
    const PaletteRef first_skeleton = *binds.add(first.inverse_binds),
                     second_skeleton = *binds.add(second.inverse_binds);
    required(binds.upload());
    for (int frame = 0; frame < 4; ++frame) {
      palettes.begin_frame();
      const PaletteRef a = *palettes.add(first.bones), b = *palettes.add(second.bones), c = *palettes.add(raw.bones);
      required(palettes.upload());
      for (int pass = 0; pass < 2; ++pass) {
        required(skinning.bind(palettes, a, binds, first_skeleton, first_mesh.largest_joint()));
        check_same(first, program.run(first_mesh));
        required(skinning.bind(palettes, c, raw_mesh.largest_joint()));
        check_same(raw, program.run(raw_mesh));
        required(skinning.bind(palettes, b, binds, second_skeleton, second_mesh.largest_joint()));
        check_same(second, program.run(second_mesh));
      }
      CHECK(palettes.counters().writes == 1);
      CHECK(palettes.counters().blocks == 3);
      CHECK(binds.counters().writes == 1);
      // More of them, when some were drawn already.
      const PaletteRef late = *palettes.add(raw.bones);
      CHECK_FALSE(skinning.bind(palettes, late, raw_mesh.largest_joint()).ok());
      required(palettes.upload());
      required(skinning.bind(palettes, late, raw_mesh.largest_joint()));
      check_same(raw, program.run(raw_mesh));
      required(skinning.bind(palettes, a, binds, first_skeleton, first_mesh.largest_joint()));
      check_same(first, program.run(first_mesh));
      if (frame > 0) CHECK(palettes.counters().allocations == 0);
    }
  }
  CHECK(context.error() == 0);
}

TEST_CASE("palettes that stay are read from each copy, and those that change are the new ones") {
  const GlContext context;
  SkinningCase cases[] = {test::make_skinning_case({24, false, 0, 1}), test::make_skinning_case({67, false, 0, 2}),
                          test::make_skinning_case({100, false, 0, 3})};
  for (const PaletteStorage storage : {PaletteStorage::uniform_3x4, PaletteStorage::texture_3x4}) {
    CAPTURE(to_string(storage));
    CaptureProgram program(context, test::own_shader(context.language(), {storage, false}, 0, 0));
    const GlSkinning skinning = required(GlSkinning::create(context.device(), program.name()));
    PaletteBuffer palettes = make_palettes(context, storage, kBonesOf16KiB);
    std::uint64_t versions[] = {0, 0, 0};
    for (int frame = 0; frame < 12; ++frame) {
      CAPTURE(frame);
      if (frame == 6) {  // the second moves
        ++versions[1];
        for (Affine& bone : cases[1].bones) bone.m[0][3] += 1;
        skin_vertices(cases[1].vertices, {}, cases[1].bones, {cases[1].positions, cases[1].normals, {}});
      }
      palettes.begin_frame();
      PaletteRef refs[3];
      for (std::uint32_t i = 0; i < 3; ++i) refs[i] = *palettes.add({7, i}, versions[i], cases[i].bones);
      required(palettes.upload());
      CHECK((palettes.counters().bytes > 0) == (frame < 3 || (frame >= 6 && frame < 9)));
      for (std::size_t i = 0; i < 3; ++i) {
        const GlMesh mesh = make_mesh(context, cases[i], JointEncoding::u8x4);
        required(skinning.bind(palettes, refs[i], mesh.largest_joint()));
        check_same(cases[i], program.run(mesh));
      }
    }
  }
  CHECK(context.error() == 0);
}

TEST_CASE("one palette moves three meshes at many places, and is uploaded once") {
  const GlContext context;
  test::Random random(8);
  const SkinningCase c = test::make_skinning_case({67, false, 0, 4});
  const GlMesh meshes[] = {make_mesh(context, c, JointEncoding::u8x4), make_mesh(context, c, JointEncoding::u16x4),
                           make_mesh(context, c, JointEncoding::u8x4)};
  const VertexShaderOptions options = {{PaletteStorage::uniform_3x4, false}, 0, 0, false};
  CaptureProgram program(context, *vertex_shader(options, context.language()));
  const GlSkinning skinning = required(GlSkinning::create(context.device(), program.name()));
  PaletteBuffer palettes = make_palettes(context, PaletteStorage::uniform_3x4, kBonesOf16KiB);
  palettes.begin_frame();
  const PaletteRef palette = *palettes.add(c.bones);
  required(palettes.upload());
  for (int place = 0; place < 4; ++place) {
    // Stretched, turned, and one of them mirrored.
    const Affine world =
        to_affine({test::random_vector(random, 5), test::random_quat(random), {place == 2 ? -1.0f : 2.0f, 1, 0.5f}});
    program.bind_frame(world);
    SkinningCase there = c;
    test::place(there, world);
    for (const GlMesh& mesh : meshes) {
      required(skinning.bind(palettes, palette, mesh.largest_joint()));
      check_same(there, program.run(mesh));
    }
  }
  CHECK(palettes.counters().blocks == 1);
  CHECK(palettes.counters().writes == 1);
  CHECK(palettes.counters().bytes == 67 * 48);
  CHECK(context.error() == 0);
}

TEST_CASE("packed vertices move as what they unpack to") {
  const GlContext context;
  SkinningCase c = test::make_skinning_case({100, false, 0, 5});
  for (const VertexFormat& format : {kPackedVertex, kPackedVertexManyJoints}) {
    const std::vector<std::byte> packed = *pack_vertices(c.vertices, format);
    const Vertices unpacked = *unpack_vertices(packed, format);
    skin_vertices(unpacked, {}, c.bones, {c.positions, c.normals, {}});
    const GlMesh mesh = required(GlMesh::create(context.device(), c.vertices, {}, format));
    const VertexShaderOptions options = {{PaletteStorage::texture_3x4, false}, 0, 0, true};
    CaptureProgram program(context, *vertex_shader(options, context.language()));
    program.bind_frame();
    const GlSkinning skinning = required(GlSkinning::create(context.device(), program.name()));
    PaletteBuffer palettes = make_palettes(context, PaletteStorage::texture_3x4, 100);
    const PaletteRef palette = *palettes.add(c.bones);
    required(palettes.upload());
    required(skinning.bind(palettes, palette, mesh.largest_joint()));
    check_same(c, program.run(mesh));
  }
}

// Bones of any size, and of none.
std::vector<Affine> scaled_bones(std::vector<Affine> bones, float size) {
  for (Affine& bone : bones) {
    for (auto& row : bone.m) {
      for (float& x : row) x *= size;
    }
  }
  return bones;
}

TEST_CASE("tangents lie in the surface, and tell where it is mirrored") {
  const GlContext context;
  // The tangent comes out in place of the position, and its side in that of the normal.
  std::string text = test::own_shader(context.language(), {PaletteStorage::uniform_3x4, false}, 0, 0);
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("out vec3 v_world_position;", "layout(location = 5) in vec4 a_tangent;\nout vec3 v_world_position;");
  replace("marrow_position(skin, position);", "marrow_tangent(skin, a_tangent).xyz;");
  replace("marrow_normal(skin, normal);", "vec3(marrow_tangent(skin, a_tangent).w);");
  CaptureProgram program(context, text);
  const GlSkinning skinning = required(GlSkinning::create(context.device(), program.name()));
  VertexFormat format = kFloatVertex;
  format.tangent = TangentEncoding::f32x4;
  for (const std::uint64_t seed : {1u, 2u}) {  // the second is mirrored
    const SkinningCase c = test::make_skinning_case({24, false, 0, seed});
    const GlMesh mesh = required(GlMesh::create(context.device(), c.vertices, {}, format));
    for (const float size : {1.0f, 1e-16f, 1e-8f, 1e8f, 1e16f, 0.0f}) {
      CAPTURE(size);
      const std::vector<Affine> bones = scaled_bones(c.bones, size);
      std::vector<Vec4> tangents(c.positions.size());
      skin_vertices(c.vertices, {}, bones, {{}, {}, tangents});
      SkinningCase expected = c;
      expected.size = 1;
      for (std::size_t i = 0; i < tangents.size(); ++i) {
        expected.positions[i] = {tangents[i].x, tangents[i].y, tangents[i].z};
        expected.normals[i] = {tangents[i].w, tangents[i].w, tangents[i].w};
      }
      PaletteBuffer palettes = make_palettes(context, PaletteStorage::uniform_3x4, kBonesOf16KiB);
      const PaletteRef palette = *palettes.add(bones);
      required(palettes.upload());
      required(skinning.bind(palettes, palette, mesh.largest_joint()));
      check_same(expected, program.run(mesh));
    }
  }
}

TEST_CASE("normals survive bones of any size, and vanish with bones of none") {
  const GlContext context;
  SkinningCase c = test::make_skinning_case({24, false, 0, 6});
  CaptureProgram program(context, test::own_shader(context.language(), {PaletteStorage::uniform_3x4, false}, 0, 0));
  const GlSkinning skinning = required(GlSkinning::create(context.device(), program.name()));
  const GlMesh mesh = make_mesh(context, c, JointEncoding::u8x4);
  for (const float size : {1e-12f, 1e-8f, 1e8f, 1e12f, 0.0f}) {
    CAPTURE(size);
    const std::vector<Affine> bones = scaled_bones(c.bones, size);
    SkinningCase scaled = c;
    skin_vertices(c.vertices, {}, bones, {scaled.positions, scaled.normals, {}});
    scaled.size = size == 0 ? 1 : c.size * size;
    PaletteBuffer palettes = make_palettes(context, PaletteStorage::uniform_3x4, kBonesOf16KiB);
    const PaletteRef palette = *palettes.add(bones);
    required(palettes.upload());
    required(skinning.bind(palettes, palette, mesh.largest_joint()));
    check_same(scaled, program.run(mesh));
  }
}

}  // namespace
}  // namespace marrow

// What guests draw, on the GPU: number by number, and as pictures of few colours.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "fixtures/random.h"
#include "gpu/gl_runner.h"
#include "guest/guest_memory.h"
#include "marrow/draw/gl_target.h"
#include "marrow/draw/guest_renderer.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "marrow/math/vec3.h"
#include "marrow/skin/skinning.h"
#include "src/draw/guest_draw_list.h"
#include "src/gpu/gl_context.h"

namespace marrow {
namespace {

using test::CaptureProgram;
using test::GlContext;
using test::GuestMemory;
using test::LoggedHost;
using test::Random;
using test::required;

Affine random_matrix(Random& random) {
  const auto number = [&random] { return random.rangef(-1, 1); };
  Transform t;
  t.translation = {number(), number(), number()};
  t.rotation = normalize(Quat{number(), number(), number(), number()});
  t.scale = {1.2f + number() * 0.5f, 1, 1.5f + number()};
  return to_affine(t);
}

std::vector<Affine> random_matrices(Random& random, std::size_t count) {
  std::vector<Affine> out(count);
  for (Affine& matrix : out) matrix = random_matrix(random);
  return out;
}

struct Corner {
  float position[3], normal[3];
  std::uint8_t bones[4], weights[4];
};
std::vector<Corner> random_corners(Random& random, std::size_t count, std::uint32_t bones) {
  std::vector<Corner> out(count);
  for (Corner& corner : out) {
    for (float& x : corner.position) x = random.rangef(-1, 1);
    for (float& x : corner.normal) x = random.rangef(-1, 1);
    std::uint32_t left = 255;
    for (std::size_t i = 0; i < 4; ++i) {
      corner.bones[i] = static_cast<std::uint8_t>(random.below(bones));
      const std::uint32_t part = i == 3 ? left : random.below(left + 1);
      corner.weights[i] = static_cast<std::uint8_t>(part);
      left -= part;
    }
  }
  return out;
}

// The renderer's own vertex shader, with its outputs under the names that are captured.
std::string renderer_shader(const GlContext& context, bool skinned) {
  std::string text = context.device().is_es() ? "#version 300 es\n" : "#version 330 core\n";
  text += "precision highp float;\nprecision highp int;\n";
  text += "#define v_position v_world_position\n#define v_normal v_world_normal\n";
  if (skinned) text += "#define MARROW_SKINNED 1\n";
  text += shader_file(skinned ? "glsl/skin_bound.glsl" : "glsl/skin_none.glsl");
  return text + std::string(shader_file("glsl/render_mesh_vertex.glsl"));
}

// Where a draw's vertices are by the CPU, in the world.
struct Moved {
  std::vector<Vec3> positions, normals;
};
Moved by_cpu(const GuestHost& host, const GuestDraw& draw) {
  const Vertices& vertices = draw.mesh->vertices;
  Moved out{std::vector<Vec3>(vertices.positions.size()), std::vector<Vec3>(vertices.positions.size())};
  const SkinnedVertices skinned{out.positions, out.normals, {}};
  if (vertices.influences > 0) {
    std::array<Affine, kMaxGuestBones> palette;
    guest_palette(host, draw, palette);
    skin_vertices(vertices, {}, palette, skinned);
  } else {
    skin_rigidly(vertices, {}, Affine{}, skinned);
  }
  Vertices still;
  still.positions = out.positions;
  still.normals = out.normals;
  skin_rigidly(still, {}, draw.transform, skinned);
  return out;
}

}  // namespace

TEST_CASE("a frame with two skeletons, a static prop and mode switches equals CPU skinning number by number") {
  for (const test::GlKind kind : {test::GlKind::es_3_0, test::GlKind::gl_3_3}) {
    GlContext context(kind);
    const gl::Functions& gl = context.device().context()->functions;
    Random random(7);
    LoggedHost guest;
    GuestHost& host = guest.host;
    GuestMemory memory;
    const std::uint32_t binds_a = memory.put(random_matrices(random, 256)),
                        binds_b = memory.put(random_matrices(random, 5)),
                        bones_a = memory.put(random_matrices(random, 256)),
                        bones_b = memory.put(random_matrices(random, 5)),
                        few = memory.put(random_matrices(random, 3)),  // the others are the identity
        places = memory.put(random_matrices(random, 6)), corners_a = memory.put(random_corners(random, 300, 256)),
                        corners_b = memory.put(random_corners(random, 99, 5));
    std::vector<float> prop(36 * 6);
    for (float& x : prop) x = random.rangef(-1, 1);
    const std::uint32_t corners_prop = memory.put(prop);
    const std::uint32_t a = host.load_skeleton(memory.bytes, binds_a, 256),
                        b = host.load_skeleton(memory.bytes, binds_b, 5),
                        mesh_a = host.load_mesh(memory.bytes, corners_a, 300, kGuestNormal | kGuestSkinned),
                        mesh_b = host.load_mesh(memory.bytes, corners_b, 99, kGuestNormal | kGuestSkinned),
                        still = host.load_mesh(memory.bytes, corners_prop, 36, kGuestNormal);
    REQUIRE(a * b * mesh_a * mesh_b * still > 0);

    host.skeleton_bind(a);
    host.set_bones(memory.bytes, bones_a, 256);
    host.transform_set(memory.bytes, places);
    host.draw_mesh(mesh_a);
    host.skeleton_bind(b);
    host.set_bones(memory.bytes, bones_b, 5);
    host.transform_set(memory.bytes, places + 48);
    host.draw_mesh(mesh_b);
    host.draw_mesh(still);
    host.skeleton_bind(0);  // the same bones, raw
    host.transform_set(memory.bytes, places + 96);
    host.draw_mesh(mesh_b);
    host.set_bones(memory.bytes, few, 3);
    host.draw_mesh(mesh_a);
    host.set_bones(memory.bytes, 0, 0);
    host.draw_mesh(mesh_b);
    host.set_bones(memory.bytes, bones_a, 256);
    host.transform_set(memory.bytes, places + 144);
    host.draw_mesh(mesh_a);
    host.skeleton_bind(a);
    host.draw_mesh(mesh_a);
    host.draw_mesh(mesh_b);
    REQUIRE(guest.take() == "");
    REQUIRE(host.draws().size() == 9);

    GuestDrawList list = required(GuestDrawList::create(context.device()));
    const MeshList meshes = required(list.collect(host));
    REQUIRE(meshes.draws.size() == 9);
    CaptureProgram skinned(context, renderer_shader(context, true)), plain(context, renderer_shader(context, false));
    const GlSkinning skinning = required(GlSkinning::create(context.device(), skinned.name()));
    float worst_position = 0, worst_normal = 0;
    for (std::size_t i = 0; i < meshes.draws.size(); ++i) {
      CAPTURE(i);
      const MeshDraw& draw = meshes.draws[i];
      CaptureProgram& program = draw.bones ? skinned : plain;
      gl.UseProgram(program.name());
      if (draw.bones && draw.inverse_binds) {
        required(skinning.bind(*meshes.bones, *draw.bones, *meshes.inverse_binds, *draw.inverse_binds,
                               draw.mesh->largest_joint()));
      } else if (draw.bones) {
        required(skinning.bind(*meshes.bones, *draw.bones, draw.mesh->largest_joint()));
      }
      float world[16];
      to_column_major(draw.world, world);
      gl.UniformMatrix4fv(gl.GetUniformLocation(program.name(), "u_world"), 1, 0, world);
      const test::Captured got = program.run(*draw.mesh);
      const Moved expected = by_cpu(host, host.draws()[i]);
      REQUIRE(got.positions.size() == expected.positions.size());
      for (std::size_t v = 0; v < got.positions.size(); ++v) {
        worst_position = std::max(worst_position, distance(got.positions[v], expected.positions[v]));
        worst_normal = std::max(worst_normal, distance(got.normals[v], expected.normals[v]));
      }
      CHECK(worst_position < 1e-5f);
      CHECK(worst_normal < 1e-5f);
    }
    MESSAGE("positions within " << worst_position << ", normals " << worst_normal);
  }
}

TEST_CASE("front faces are seen from behind where most bones of a draw mirror, raw and bound") {
  GlContext context(test::GlKind::es_3_0);
  Random random(11);
  LoggedHost guest({.max_loaded_bytes = std::uint64_t{1} << 30});
  GuestHost& host = guest.host;
  GuestMemory memory;
  const std::uint32_t corners = memory.put(test::skinned_triangle());
  const std::uint32_t mesh = host.load_mesh(memory.bytes, corners, 3, kGuestSkinned);
  const auto matrices = [&](std::size_t count) {
    std::vector<Affine> out = random_matrices(random, count);
    const std::uint32_t odds = random.below(5);
    for (Affine& matrix : out) {
      if (random.below(4) >= odds) continue;
      for (auto& row : matrix.m) row[0] = -row[0];
    }
    return memory.put(out);
  };
  GuestDrawList list = required(GuestDrawList::create(context.device()));
  std::size_t mirrored = 0, draws = 0;
  for (int frame = 0; frame < 100; ++frame) {
    host.begin_frame();
    for (int draw = 0; draw < 5; ++draw) {
      const std::uint32_t bind_count = 1 + random.below(256), bone_count = random.below(257);
      const std::uint32_t binds = matrices(bind_count), bones = matrices(bone_count);
      if (random.below(2) == 0) host.set_bones(memory.bytes, bones, bone_count);
      host.skeleton_bind(random.below(3) == 0 ? 0 : host.load_skeleton(memory.bytes, binds, bind_count));
      host.draw_mesh(mesh);
    }
    const MeshList meshes = required(list.collect(host));
    REQUIRE(meshes.draws.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
      CAPTURE(frame);
      CAPTURE(i);
      const GuestDraw& draw = host.draws()[i];
      std::array<Affine, kMaxGuestBones> palette;
      guest_palette(host, draw, palette);
      const auto count = std::count_if(palette.begin(), palette.begin() + draw.bone_count,
                                       [](const Affine& bone) { return determinant(bone) < 0; });
      CHECK(meshes.draws[i].bones_mirror == (2 * count > draw.bone_count));
      mirrored += meshes.draws[i].bones_mirror ? 1 : 0;
      ++draws;
    }
  }
  CHECK(mirrored > draws / 5);
  CHECK(mirrored < draws * 4 / 5);
}

namespace {

constexpr std::uint32_t kSide = 64;

// A coloured square in the plane y = 0 that faces the camera, from (-1, 0, -1) to (1, 0, 1), bound to bone 1.
std::vector<std::byte> square(Vec4 color) {
  struct Vertex {
    float position[3], color[4], normal[3];
    std::uint8_t bones[4] = {1, 0, 0, 0}, weights[4] = {255, 0, 0, 0};
  };
  std::vector<Vertex> vertices;
  for (const auto& [x, z] : {std::pair{-1.f, -1.f}, {1.f, -1.f}, {1.f, 1.f}, {-1.f, -1.f}, {1.f, 1.f}, {-1.f, 1.f}}) {
    vertices.push_back({{x, 0, z}, {color.x, color.y, color.z, color.w}, {0, -1, 0}});
  }
  const auto bytes = std::as_bytes(std::span(vertices));
  return {bytes.begin(), bytes.end()};
}

struct Drawn {
  GlContext context;
  GlTarget target = required(GlTarget::create(context.device(), kSide, kSide, 0));
  GuestRenderer renderer = required(GuestRenderer::create(context.device()));

  // What the camera sees of the plane y = 0: from -4 to 4.
  Picture picture(const GuestHost& host) {
    DrawOptions options;
    options.camera.eye = {0, -40, 0};
    options.camera.target = {0, 0, 0};
    options.camera.field_of_view = 2 * std::atan(0.1f);
    options.environment = {
        .middle = {0, 0, 0}, .radius = 6, .ground = false, .grid = false, .shadow = false, .backdrop = false};
    required(renderer.draw(host, options, {target.framebuffer(), 0, 0, kSide, kSide}));
    Picture out;
    required(target.read(out));
    return out;
  }
};

// The colour at a place of that plane.
char color_at(const Picture& picture, float x, float z) {
  const auto column = static_cast<std::size_t>((x + 4) * kSide / 8),
             row = static_cast<std::size_t>((4 - z) * kSide / 8);
  const std::uint8_t* p = picture.rgba.data() + 4 * (row * picture.width + column);
  if (p[3] < 128) return '.';
  return p[0] > p[1] && p[0] > p[2] ? 'r' : p[1] > p[2] ? 'g' : 'b';
}

}  // namespace

TEST_CASE("a guest's meshes are drawn where bones, inverse binds and transform put them, in their colours") {
  Drawn drawn;
  LoggedHost guest;
  GuestHost& host = guest.host;
  GuestMemory memory;
  const std::uint32_t flags = kGuestColor | kGuestNormal | kGuestSkinned;
  const std::uint32_t red = memory.put(square({1, 0, 0, 1})), green = memory.put(square({0, 1, 0, 1}));
  const std::uint32_t binds = memory.put(std::vector<Affine>{{}, test::moved(0, 0, 2)});
  const std::uint32_t bones = memory.put(std::vector<Affine>{{}, test::moved(-2, 0, 0)});
  const std::uint32_t skeleton = host.load_skeleton(memory.bytes, binds, 2);
  const std::uint32_t red_mesh = host.load_mesh(memory.bytes, red, 6, flags),
                      green_mesh = host.load_mesh(memory.bytes, green, 6, flags);
  REQUIRE(guest.take() == "");

  const GuestState loaded = host.state();
  host.set_bones(memory.bytes, bones, 2);
  host.draw_mesh(red_mesh);  // raw: at (-2, 0)
  host.skeleton_bind(skeleton);
  host.draw_mesh(green_mesh);  // bound: at (-2, 2)
  host.transform_set_position(4, 0, 0);
  host.draw_mesh(red_mesh);  // and moved: at (2, 2)
  Picture picture = drawn.picture(host);
  CHECK(color_at(picture, -2, 0) == 'r');
  CHECK(color_at(picture, -2, 2) == 'g');
  CHECK(color_at(picture, 2, 2) == 'r');
  CHECK(color_at(picture, 2, 0) == '.');
  CHECK(color_at(picture, 0, -2) == '.');

  // Frame after frame, with what was loaded and lost in between.
  for (int frame = 0; frame < 20; ++frame) {
    CAPTURE(frame);
    host.restore(loaded);
    host.begin_frame();
    const std::uint32_t again = host.load_skeleton(memory.bytes, binds, 2),
                        mesh = host.load_mesh(memory.bytes, frame % 2 == 0 ? red : green, 6, flags);
    CHECK(again == 2);
    CHECK(mesh == 3);
    host.skeleton_bind(again);
    host.set_bones(memory.bytes, bones, 2);
    host.draw_mesh(mesh);
    host.skeleton_bind(skeleton);
    host.transform_set_position(4, 0, -2);
    host.draw_mesh(green_mesh);
    picture = drawn.picture(host);
    CHECK(color_at(picture, -2, 2) == (frame % 2 == 0 ? 'r' : 'g'));
    CHECK(color_at(picture, 2, 0) == 'g');
    CHECK(color_at(picture, -2, 0) == '.');
  }
  host.begin_frame();
  picture = drawn.picture(host);
  CHECK(color_at(picture, -2, 2) == '.');
}

}  // namespace marrow

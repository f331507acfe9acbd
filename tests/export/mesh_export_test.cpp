#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "export/model_builder.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/export/exported.h"
#include "marrow/skin/skinning.h"

namespace marrow {
namespace {

using test::ModelBuilder;
using test::moved;
using test::translation;

// Where the exported vertices are with the bones at rest, or with one of them moved.
std::vector<Vec3> posed(const ExportedMesh& mesh, std::int32_t bone = -1, const Affine& by = {}) {
  const Result<Vertices> vertices = unpack_vertices(mesh.vertices, mesh.format);
  REQUIRE(vertices);
  std::vector<Vec3> out(vertices->positions.size());
  if (mesh.skeleton.bones.empty()) return {vertices->positions.begin(), vertices->positions.end()};
  const std::vector<ExportedBone>& bones = mesh.skeleton.bones;
  std::vector<Affine> local, model(bones.size()), palette;
  for (const ExportedBone& b : bones) local.push_back(b.rest);
  if (bone >= 0) local[static_cast<std::size_t>(bone)] = multiply(local[static_cast<std::size_t>(bone)], by);
  exported_to_model(bones, local, model);
  for (std::size_t b = 0; b < bones.size(); ++b) palette.push_back(multiply(model[b], bones[b].inverse_bind));
  skin_vertices(*vertices, {}, palette, {out, {}, {}});
  return out;
}

void check_near(const Vec3& a, const Vec3& b) {
  CHECK(a.x == doctest::Approx(b.x).epsilon(2e-3));
  CHECK(a.y == doctest::Approx(b.y).epsilon(2e-3));
  CHECK(a.z == doctest::Approx(b.z).epsilon(2e-3));
}

// A skinned triangle on an arm, and a helmet that hangs on its second joint.
ModelBuilder soldier() {
  ModelBuilder builder;
  builder.joint("root", -1, moved(0, 0, 1));
  builder.joint("head", 0, moved(0, 0, 2));
  builder.skin({1, 0}, {translation(0, 0, -3), translation(0, 0, -1)});
  const std::uint32_t body = builder.node("body", -1);
  builder.loose(body).mesh = builder.triangle({{0, 0, 1}, {1, 0, 1}, {0, 1, 3}}, {1, 1, 0});
  builder.loose(body).skin = 0;
  const std::uint32_t helmet = builder.node("helmet", 1, moved(0, 0, 0.5f));
  builder.loose(helmet).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  return builder;
}

TEST_CASE("skinned vertices name bones, and what hangs on a bone follows it") {
  const Result<ExportedMesh> mesh = export_mesh(soldier().build());
  REQUIRE(mesh);
  CHECK(mesh->flags == kExportSkinned);
  CHECK(mesh->stride == 16);
  CHECK(mesh->vertex_count == 6);
  CHECK(mesh->indices == std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5});
  REQUIRE(mesh->parts.size() == 2);
  CHECK(mesh->parts[1].node == "helmet");
  CHECK(mesh->parts[1].rigid);
  CHECK(mesh->parts[1].first_index == 3);
  const std::vector<Vec3> rest = posed(*mesh);
  check_near(rest[2], {0, 1, 3});
  check_near(rest[4], {1, 0, 3.5f});
  const std::vector<Vec3> raised = posed(*mesh, 1, translation(0, 0, 4));
  check_near(raised[1], {1, 0, 1});
  check_near(raised[2], {0, 1, 7});
  check_near(raised[4], {1, 0, 7.5f});
  for (std::uint32_t v = 0; v < mesh->vertex_count; ++v) {
    int sum = 0;
    for (std::uint32_t i = 12; i < 16; ++i) sum += std::to_integer<int>(mesh->vertices[v * 16 + i]);
    CHECK(sum == 255);
  }
}

TEST_CASE("what hangs on no bone is left out, with a note") {
  ModelBuilder builder = soldier();
  builder.loose(builder.node("ground", -1)).mesh = builder.triangle({{0, 0, 0}, {9, 0, 0}, {0, 9, 0}});
  const Result<ExportedMesh> mesh = export_mesh(builder.build());
  REQUIRE(mesh);
  CHECK(mesh->parts.size() == 2);
  REQUIRE(mesh->notes.size() == 1);
  CHECK(mesh->notes[0] == "Meshes that hang on no bone are left out: \"ground\"");
}

TEST_CASE("parts have the name of their node, of its mesh, or a number") {
  ModelBuilder builder;
  for (const char* name : {"thing", "", ""}) {
    const std::int32_t mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    builder.loose(builder.node(name, -1)).mesh = mesh;
  }
  builder.parts.meshes[2].name.clear();
  const Result<ExportedMesh> mesh = export_mesh(builder.build());
  REQUIRE(mesh);
  CHECK(mesh->parts[0].node == "thing");
  CHECK(mesh->parts[1].node == "mesh 1");
  CHECK(mesh->parts[2].node == "node_2");
}

TEST_CASE("a mesh without skins is put where its nodes are, without bones") {
  ModelBuilder builder;
  const std::uint32_t outer = builder.node("outer", -1, moved(0, 0, 1));
  const std::uint32_t inner = builder.node("inner", static_cast<std::int32_t>(outer), {{1, 0, 0}, {}, {1, -1, 1}});
  auto vertices = std::make_shared<Vertices>();
  vertices->positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  vertices->normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 0}};
  builder.loose(inner).mesh = builder.mesh(vertices, {0, 1, 2});
  const Result<ExportedMesh> mesh = export_mesh(builder.build());
  REQUIRE(mesh);
  CHECK(mesh->flags == kExportNormal);
  CHECK(mesh->skeleton.bones.empty());
  check_near(posed(*mesh)[2], {1, -1, 1});
  // Mirrored: the corners go the other way round, so that the front stays in front.
  CHECK(mesh->indices == std::vector<std::uint16_t>{0, 2, 1});
  const Result<Vertices> read = unpack_vertices(mesh->vertices, mesh->format);
  CHECK(read->normals[0].z == doctest::Approx(1));
  CHECK(read->normals[2].z == doctest::Approx(1));
}

TEST_CASE("skins that bind all they share in the same other way share the bones") {
  ModelBuilder builder;
  builder.joint("a", -1);
  builder.joint("b", 0, moved(0, 0, 1));
  builder.joint("c", 1, moved(0, 0, 1));
  const Affine larger = to_affine({{0, 5, 0}, {}, {4, 4, 4}});
  builder.skin({0, 1}, {translation(0, 0, 0), translation(0, 0, -1)});
  builder.skin({1, 0, 2}, {multiply(translation(0, 0, -1), larger), larger, multiply(translation(0, 0, -2), larger)});
  const std::uint32_t body = builder.node("body", -1), hair = builder.node("hair", -1);
  builder.loose(body).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, {0, 0, 1});
  builder.loose(body).skin = 0;
  builder.loose(hair).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, {0, 1, 2});
  builder.loose(hair).skin = 1;
  const Result<ExportedMesh> mesh = export_mesh(builder.build());
  REQUIRE(mesh);
  CHECK(mesh->skeleton.bones.size() == 3);
  check_near(posed(*mesh)[5], {0, 9, 4});
  check_near(posed(*mesh, 2, translation(1, 0, 0))[5], {1, 9, 4});
  check_near(posed(*mesh, 1, translation(1, 0, 0))[3], {1, 5, 0});
}

TEST_CASE("a joint that a skin binds but does not use does not stand in the way of sharing") {
  ModelBuilder builder;
  builder.joint("a", -1);
  builder.joint("b", 0, moved(0, 0, 1));
  const Affine larger = to_affine({{}, {}, {4, 4, 4}});
  builder.skin({0, 1}, {translation(0, 0, 0), translation(0, 0, -1)});
  builder.skin({0, 1}, {larger, translation(7, 7, 7)});
  for (std::int32_t i = 0; i < 2; ++i) {
    const std::uint32_t node = builder.node("n", -1);
    builder.loose(node).mesh =
        builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, {0, 0, static_cast<std::uint16_t>(1 - i)});
    builder.loose(node).skin = i;
  }
  const Result<ExportedMesh> mesh = export_mesh(builder.build());
  REQUIRE(mesh);
  CHECK(mesh->skeleton.bones.size() == 2);
  check_near(posed(*mesh)[4], {4, 0, 0});
}

TEST_CASE("skins that bind a joint differently each have their bone for it") {
  ModelBuilder builder;
  builder.joint("a", -1);
  builder.joint("b", 0, moved(0, 0, 1));
  builder.skin({0, 1}, {translation(0, 0, 0), translation(0, 0, -1)});
  builder.skin({0, 1}, {translation(0, 0, 0), translation(0, 3, -1)});
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::uint32_t node = builder.node("n", -1);
    builder.loose(node).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}, {0, 0, 1});
    builder.loose(node).skin = static_cast<std::int32_t>(i);
  }
  const Result<ExportedMesh> mesh = export_mesh(builder.build());
  REQUIRE(mesh);
  CHECK(mesh->skeleton.bones.size() == 3);
  check_near(posed(*mesh)[2], {0, 1, 1});
  check_near(posed(*mesh)[5], {0, 4, 1});
  check_near(posed(*mesh, 1, translation(1, 0, 0))[5], {1, 4, 1});
}

TEST_CASE("positions beyond half floats, too many vertices and nothing at all are refused with what to do") {
  ModelBuilder builder;
  const std::uint32_t node = builder.node("thing", -1);
  SUBCASE("far away") {
    builder.loose(node).mesh = builder.triangle({{0, 0, 0}, {70000, 0, 0}, {0, 1, 0}});
    const Result<ExportedMesh> mesh = export_mesh(builder.build());
    REQUIRE_FALSE(mesh);
    CHECK(to_string(mesh.error()) ==
          "positions/1: a vertex of \"thing\" is 70000.000000 from the origin, and half floats end at 65504: write "
          "floats "
          "(--float), or scale the model down");
  }
  SUBCASE("65,535 and one more") {
    for (const std::size_t count : {kMaxExportVertices, kMaxExportVertices + 1}) {
      ModelBuilder many;
      auto vertices = std::make_shared<Vertices>();
      vertices->positions.resize(count);
      many.loose(many.node("n", -1)).mesh = many.mesh(vertices, {0, 1, static_cast<std::uint32_t>(count - 1)});
      const Result<ExportedMesh> mesh = export_mesh(many.build());
      CHECK(mesh.ok() == (count == kMaxExportVertices));
      if (mesh.ok()) CHECK(mesh->indices.back() == 65534);
      if (!mesh.ok()) CHECK(mesh.error().message.find("65,535") != std::string::npos);
    }
  }
  SUBCASE("one mesh in many places: counted, not made") {
    ModelBuilder many;
    auto vertices = std::make_shared<Vertices>();
    vertices->positions.resize(60000);
    vertices->uvs = {std::vector<Vec2>(60000)};
    const std::int32_t mesh = many.mesh(vertices, {0, 1, 2});
    for (int i = 0; i < 100000; ++i) many.loose(many.node("n", -1)).mesh = mesh;
    const Result<ExportedMesh> out = export_mesh(many.build());
    REQUIRE_FALSE(out);
    CHECK(out.error().message.starts_with("the meshes have 6000000000 vertices, more than the 65,535 "));
  }
  SUBCASE("lines alone") {
    auto vertices = std::make_shared<Vertices>();
    vertices->positions.resize(2);
    builder.loose(node).mesh = builder.mesh(vertices, {0, 1}, Topology::lines);
    const Result<ExportedMesh> mesh = export_mesh(builder.build());
    REQUIRE_FALSE(mesh);
    CHECK(mesh.error().message == "there are no triangles to export; Lines and points are left out: \"thing\"");
  }
  SUBCASE("hidden") {
    builder.loose(node).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    builder.loose(node).shown = false;
    CHECK_FALSE(export_mesh(builder.build()));
  }
  SUBCASE("a mesh that is not there") {
    MeshExportOptions options;
    options.meshes = {3};
    CHECK_FALSE(export_mesh(builder.build(), options));
  }
}

TEST_CASE("parts that share vertices share them in the export") {
  ModelBuilder builder;
  const std::uint32_t node = builder.node("n", -1);
  builder.loose(node).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  Mesh& mesh = builder.parts.meshes[0];
  MeshPart second = mesh.parts[0];
  std::reverse(second.indices.begin(), second.indices.end());
  mesh.parts.push_back(second);
  const Result<ExportedMesh> out = export_mesh(builder.build());
  CHECK(out->vertex_count == 3);
  CHECK(out->indices == std::vector<std::uint16_t>{0, 1, 2, 2, 1, 0});
}

TEST_CASE("floats have the colors as they are, bones and weights stay bytes") {
  ModelBuilder builder;
  builder.joint("a", -1);
  builder.skin({0});
  auto vertices = std::make_shared<Vertices>();
  vertices->positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  vertices->uvs = {{{0, 0}, {3, 0}, {0, 3}}};
  vertices->colors = {{0.1f, 0.2f, 0.3f, 1}, {2, -1, 0, 0.5f}, {1, 1, 1, 1}};
  vertices->normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
  vertices->influences = 1;
  vertices->joints = {0, 0, 0};
  vertices->weights = {1, 1, 1};
  const std::uint32_t node = builder.node("n", -1);
  builder.loose(node).mesh = builder.mesh(vertices, {0, 1, 2});
  builder.loose(node).skin = 0;
  MeshExportOptions options;
  options.floats = true;
  const Result<ExportedMesh> mesh = export_mesh(builder.build(), options);
  REQUIRE(mesh);
  const std::vector<VertexType> types = {VertexType::f32x3, VertexType::f32x2, VertexType::f32x4,
                                         VertexType::f32x3, VertexType::u8x4,  VertexType::unorm8x4};
  const VertexLayout layout = vertex_layout(mesh->format);
  REQUIRE(layout.attributes.size() == types.size());
  for (std::size_t i = 0; i < types.size(); ++i) CHECK(layout.attributes[i].type == types[i]);
  CHECK(mesh->stride == 56);
  const Result<Vertices> read = unpack_vertices(mesh->vertices, mesh->format);
  CHECK(read->colors[0].y == 0.2f);
  CHECK(read->colors[1].x == 2);
  CHECK(mesh->notes.empty());
}

TEST_CASE("more than four joints are reduced to four, colors are clamped, morphs are at rest") {
  ModelBuilder builder;
  std::vector<std::uint32_t> joints;
  for (std::int32_t i = 0; i < 6; ++i) joints.push_back(builder.joint("j", i - 1));
  builder.skin(joints);
  auto vertices = std::make_shared<Vertices>();
  vertices->positions = {{0, 0, 0}};
  vertices->influences = 6;
  vertices->joints = {0, 1, 2, 3, 4, 5};
  vertices->weights = {0.05f, 0.15f, 0.2f, 0.2f, 0.3f, 0.1f};
  vertices->colors = {{2, 0.5f, -1, 1}};
  vertices->targets.resize(1);
  vertices->targets[0].positions = {{1, 0, 0}};
  const std::uint32_t node = builder.node("n", -1);
  builder.loose(node).mesh = builder.mesh(vertices, {0, 0, 0});
  builder.loose(node).skin = 0;
  const Result<ExportedMesh> mesh = export_mesh(builder.build());
  REQUIRE(mesh);
  const Result<Vertices> read = unpack_vertices(mesh->vertices, mesh->format);
  CHECK(read->joints == std::vector<std::uint16_t>{4, 2, 3, 1});
  CHECK(read->colors[0].x == 1);
  CHECK(read->colors[0].z == 0);
  CHECK(read->positions[0].x == 0);
  CHECK(mesh->notes.size() == 3);
}

}  // namespace
}  // namespace marrow

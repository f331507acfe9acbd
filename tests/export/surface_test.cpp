#include <doctest/doctest.h>

#include <cmath>

#include "export/model_builder.h"
#include "marrow/export/exported.h"

namespace marrow {
namespace {

using test::ModelBuilder;

std::shared_ptr<Vertices> vertices_with_uvs(std::vector<Vec2> uvs) {
  auto vertices = std::make_shared<Vertices>();
  vertices->positions.resize(uvs.size());
  vertices->uvs = {std::move(uvs)};
  return vertices;
}

TEST_CASE("texture coordinates that repeat are moved into 0 to 1 where they fit, and refused where not") {
  ModelBuilder builder;
  const std::uint32_t node = builder.node("wall", -1);
  SUBCASE("fit") {
    builder.loose(node).mesh = builder.mesh(vertices_with_uvs({{-2, 3.25f}, {-1.5f, 3.5f}, {-1, 4}}), {0, 1, 2});
    const Result<ExportedMesh> mesh = export_mesh(builder.build());
    REQUIRE(mesh);
    CHECK(mesh->flags == kExportUv);
    const Result<Vertices> read = unpack_vertices(mesh->vertices, mesh->format);
    CHECK(read->uvs[0][0].x == 0);
    CHECK(read->uvs[0][2].x == 1);
    CHECK(read->uvs[0][0].y == doctest::Approx(0.25));
    CHECK(read->uvs[0][2].y == 1);
  }
  SUBCASE("do not fit") {
    builder.loose(node).mesh = builder.mesh(vertices_with_uvs({{0, 0}, {0.5f, 0}, {0, 7.5f}}), {0, 1, 2});
    const Model model = builder.build();
    const Result<ExportedMesh> mesh = export_mesh(model);
    REQUIRE_FALSE(mesh);
    CHECK(to_string(mesh.error()) ==
          "uvs/2: the texture coordinates of \"wall\" run from 0.000000 to 7.500000, but packed ones go from 0 to 1: "
          "write "
          "floats (--float), leave them out (--no-uv), or lay out the mesh so that its picture does not repeat");
    MeshExportOptions options;
    options.floats = true;
    const Result<ExportedMesh> floats = export_mesh(model, options);
    REQUIRE(floats);
    CHECK(unpack_vertices(floats->vertices, floats->format)->uvs[0][2].y == 7.5f);
    options = {};
    options.uvs = false;
    CHECK(export_mesh(model, options)->flags == 0);
  }
}

TEST_CASE("what the material does to texture coordinates is done to them") {
  ModelBuilder builder;
  builder.parts.images.emplace_back();
  Material material;
  material.name = "cloth";
  material.base_color = {1, 0.5f, 0, 1};
  material.base_color_texture.image = 0;
  material.base_color_texture.scale = {0.5f, 0.25f};
  material.base_color_texture.offset = {0.25f, 0.5f};
  builder.parts.materials.push_back(material);
  const std::uint32_t node = builder.node("flag", -1);
  builder.loose(node).mesh = builder.mesh(vertices_with_uvs({{0, 0}, {1, 0}, {0, 1}}), {0, 1, 2});
  builder.parts.meshes[0].parts[0].material = 0;
  const Result<ExportedMesh> mesh = export_mesh(builder.build());
  REQUIRE(mesh);
  const Result<Vertices> read = unpack_vertices(mesh->vertices, mesh->format);
  CHECK(read->uvs[0][1].x == doctest::Approx(0.75));
  CHECK(read->uvs[0][2].y == doctest::Approx(0.75));
  CHECK(mesh->parts[0].material == "cloth");
  CHECK(mesh->parts[0].color.y == 0.5f);
}

// A roof along x: two squares that meet at its ridge, a part each, of one array of vertices.
ModelBuilder roof() {
  ModelBuilder builder;
  const std::uint32_t node = builder.node("roof", -1);
  auto vertices = std::make_shared<Vertices>();
  vertices->positions = {{0, -1, 0}, {1, -1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 0}, {1, 1, 0}};
  builder.loose(node).mesh = builder.mesh(vertices, {0, 1, 3, 0, 3, 2});
  Mesh& mesh = builder.parts.meshes[0];
  mesh.parts.push_back(mesh.parts[0]);
  mesh.parts[1].indices = {2, 3, 4, 3, 5, 4};
  // Normals are exported where a mesh has some.
  auto other = std::make_shared<Vertices>();
  other->positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  other->normals = {{0, 0, 3}, {0, 0, 1}, {0, 0, 1}};
  builder.loose(builder.node("floor", -1)).mesh = builder.mesh(other, {0, 1, 2});
  return builder;
}

TEST_CASE("normals of shared vertices are made from the triangles of all parts, and have length 1") {
  ModelBuilder builder = roof();
  SUBCASE("that share them in the export") {}
  SUBCASE("that have copies there, since their pictures lie differently") {
    Mesh& mesh = builder.parts.meshes[0];
    auto with_uvs = std::make_shared<Vertices>(*mesh.parts[0].vertices);
    with_uvs->uvs = {{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 0}}};
    mesh.parts[0].vertices = mesh.parts[1].vertices = with_uvs;
    builder.parts.images.emplace_back();
    builder.parts.materials.emplace_back().base_color_texture.image = 0;
    builder.parts.materials[0].base_color_texture.scale = {0.5f, 0.5f};
    mesh.parts[1].material = 0;
  }
  MeshExportOptions options;
  options.floats = true;
  const Result<ExportedMesh> mesh = export_mesh(builder.build(), options);
  REQUIRE(mesh);
  const Result<Vertices> read = unpack_vertices(mesh->vertices, mesh->format);
  const float half = std::sqrt(0.5f);
  const Vec3 expected[] = {{0, -half, half}, {0, -half, half}, {0, 0, 1}, {0, 0, 1}, {0, half, half}, {0, half, half}};
  for (const ExportedPart& part : mesh->parts) {
    for (std::uint32_t i = 0; i < part.vertex_count; ++i) {
      CAPTURE(part.part_index);
      CAPTURE(i);
      const Vec3 is = read->normals[part.first_vertex + i];
      const Vec3 meant = part.vertex_count == 6 ? expected[i] : Vec3{0, 0, 1};
      CHECK(is.x == doctest::Approx(meant.x));
      CHECK(is.y == doctest::Approx(meant.y));
      CHECK(is.z == doctest::Approx(meant.z));
    }
  }
}

}  // namespace
}  // namespace marrow

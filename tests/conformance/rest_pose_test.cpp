// Runs on files that are not part of the project: see files.h.
#include <doctest/doctest.h>

#include <cmath>

#include "anim/reference.h"
#include "conformance/files.h"
#include "marrow/scene/scene.h"

namespace marrow {
namespace {

// The largest difference of an entry from that of the identity.
template <typename Matrix>
double off_identity(const std::vector<Matrix>& palette) {
  double off = 0;
  for (const Matrix& m : palette) {
    for (int i = 0; i < 12; ++i) {
      off = std::max(off, std::fabs(static_cast<double>(m.m[i / 4][i % 4]) - (i % 5 == 0 ? 1.0 : 0.0)));
    }
  }
  return off;
}

TEST_CASE("where models are bound at rest, palettes are the identity at rest and vertices those of the mesh, to 1e-6") {
  int models = 0, bound_at_rest = 0, skins = 0, parts = 0;
  double worst_palette = 0, worst_vertex = 0, worst_error = 0;
  test::for_each_model([&](const std::string& name, const Model& model) {
    if (model.skins().empty()) return;
    ++models;
    Scene scene;
    const Instance instance = scene.instantiate(model);
    // The size of the model is that of its meshes.
    Box all;
    for (const Mesh& mesh : model.meshes()) {
      for (const MeshPart& part : mesh.parts) {
        for (const Vec3& p : part.vertices->positions) all = enclose(all, p);
      }
    }
    const Vec3 sides = size_of(all);
    const double size = std::max(1.0, std::hypot(static_cast<double>(sides.x), sides.y, sides.z));
    bool any = false;
    for (std::uint32_t n = 0; n < model.nodes().size(); ++n) {
      const ModelNode& node = model.nodes()[n];
      if (node.mesh == kNone || node.skin == kNone) continue;
      CAPTURE(name);
      const auto skin = static_cast<std::uint32_t>(node.skin);
      const std::span<const Affine> palette = instance.palette(skin);
      const auto exact = test::to_palette(model.skins()[skin], test::to_model(instance.pose()));
      for (std::size_t i = 0; i < palette.size(); ++i) {
        const auto error = static_cast<double>(
            std::max(test::linear_error(palette[i], exact[i]), test::translation_error(palette[i], exact[i])));
        worst_error = std::max(worst_error, error / size);
      }
      // Bound at rest is what is so when computed in long double; in some files it is so to four digits or five.
      if (off_identity(exact) > 5e-7 * size) continue;
      any = true;
      ++skins;
      const double off = off_identity(std::vector(palette.begin(), palette.end()));
      CHECK(off <= 1e-6 * size);
      worst_palette = std::max(worst_palette, off / size);
      const Mesh& mesh = model.meshes()[static_cast<std::size_t>(node.mesh)];
      for (std::uint32_t p = 0; p < mesh.parts.size(); ++p) {
        const Vertices& vertices = *mesh.parts[p].vertices;
        if (vertices.influences == 0) continue;
        std::vector<Vec3> moved(vertices.positions.size());
        Array<Vec3> expected = vertices.positions;
        morph_vertices(vertices, instance.morph_weights(n), {expected, {}, {}});
        instance.skin(n, p, {moved, {}, {}});
        double far = 0;
        for (std::size_t i = 0; i < moved.size(); ++i) {
          far = std::max({far, std::fabs(static_cast<double>(moved[i].x) - expected[i].x),
                          std::fabs(static_cast<double>(moved[i].y) - expected[i].y),
                          std::fabs(static_cast<double>(moved[i].z) - expected[i].z)});
        }
        CHECK(far <= 1e-6 * size);
        worst_vertex = std::max(worst_vertex, far / size);
        ++parts;
      }
    }
    if (any) ++bound_at_rest;
  });
  MESSAGE(models << " models with skins, " << bound_at_rest << " bound at rest (" << skins << " skins, " << parts
                 << " parts); worst palette " << worst_palette << ", worst vertex " << worst_vertex
                 << " of the model's size; worst palette of all models against long double " << worst_error);
  CHECK(bound_at_rest > 0);
}

}  // namespace
}  // namespace marrow

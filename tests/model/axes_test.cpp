#include "marrow/model/axes.h"

#include <doctest/doctest.h>

#include <cstring>

#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/affine.h"
#include "marrow/model/model_file.h"
#include "marrow/skin/skinning.h"
#include "model/random_model.h"

namespace marrow {
namespace {

// Where the vertices of the first mesh are in a clip.
std::vector<Vec3> skinned(const Model& model, std::size_t clip, double time_s) {
  Pose pose(model.skeleton());
  sample(model.clips()[clip], time_s, pose);
  std::vector<Affine> joints(model.skeleton().joint_count()), matrices(model.skins()[0].size());
  local_to_model(pose, joints);
  palette(model.skins()[0], joints, matrices);
  const Vertices& vertices = *model.meshes()[0].parts[0].vertices;
  std::vector<Vec3> out(vertices.positions.size());
  const float weights[] = {0.5f, 0.25f};
  skin_vertices(vertices, weights, matrices, {out, {}, {}});
  return out;
}

TEST_CASE("a model with another axis up moves as it did, turned") {
  test::Random random(11);
  for (int i = 0; i < 20; ++i) {
    const Model model = test::random_model(random);
    const Up other = model.up() == Up::y ? Up::z : Up::y;
    const Result<Model> turned = with_up(model, other);
    REQUIRE_MESSAGE(turned, to_string(turned.error()));
    CHECK(turned->up() == other);
    for (std::size_t clip = 0; clip < model.clips().size(); ++clip) {
      const double time_s = model.clips()[clip].duration() * 0.37;
      const std::vector<Vec3> a = skinned(model, clip, time_s), b = skinned(*turned, clip, time_s);
      for (std::size_t v = 0; v < a.size(); ++v) {
        const Vec3 expected = other == Up::z ? Vec3{a[v].x, -a[v].z, a[v].y} : Vec3{a[v].x, a[v].z, -a[v].y};
        const double size = 1 + std::abs(a[v].x) + std::abs(a[v].y) + std::abs(a[v].z);
        CHECK(std::abs(b[v].x - expected.x) < 1e-4 * size);
        CHECK(std::abs(b[v].y - expected.y) < 1e-4 * size);
        CHECK(std::abs(b[v].z - expected.z) < 1e-4 * size);
      }
    }
    CHECK(turned->meshes()[0].parts[0].vertices == turned->meshes()[0].parts[1].vertices);
  }
}

TEST_CASE("there and back is the same model") {
  test::Random random(12);
  const Model model = test::random_model(random);
  const Model back = *with_up(*with_up(model, model.up() == Up::y ? Up::z : Up::y), model.up());
  CHECK(back.skeleton().hash() == model.skeleton().hash());
  for (std::size_t i = 0; i < model.clips().size(); ++i) CHECK(back.clips()[i].hash() == model.clips()[i].hash());
  const Array<Vec3>&a = model.meshes()[0].parts[0].vertices->positions,
        &b = back.meshes()[0].parts[0].vertices->positions;
  CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0);
  CHECK(write_model_file(*with_up(model, model.up())) == write_model_file(model));
}

}  // namespace
}  // namespace marrow

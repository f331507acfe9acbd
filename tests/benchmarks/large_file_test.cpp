#include "large_file.h"

#include <doctest/doctest.h>

#include "fixtures/humanoid.h"
#include "marrow/core/hash.h"
#include "marrow/gltf/reader.h"
#include "src/gltf/glb.h"
#include "src/text/json.h"

namespace marrow {
namespace {

TEST_CASE("the large file is of the size and shape that it says, and the same everywhere") {
  const std::vector<std::byte> bytes = bench::make_large_file();
  CHECK(bytes.size() / 100'000 == 220);
  CHECK(hash_bytes(bytes) == 0xf1e0b7b7f5c9e013);
  const Result<GlbParts> parts = read_glb(bytes);
  REQUIRE(parts.ok());
  const Result<JsonDocument> json = JsonDocument::parse(parts->json);
  REQUIRE(json.ok());
  CHECK(json->root()["accessors"].size() == 14400);
  CHECK(json->root()["bufferViews"].size() == 14400);
}

TEST_CASE("the large file reads without warnings, to the humanoid and its motions") {
  const Result<LoadedModel> loaded = read_gltf(bench::make_large_file());
  REQUIRE_MESSAGE(loaded.ok(), to_string(loaded.error()));
  CHECK(loaded->warnings.empty());
  const Model& model = loaded->model;
  const Skeleton skeleton = humanoid::make_skeleton();
  REQUIRE(model.skeleton().joint_count() == skeleton.joint_count());
  for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
    CHECK(model.skeleton().name(joint) == skeleton.name(joint));
    const Vec3 expected = skeleton.rest(joint).translation, actual = model.skeleton().rest(joint).translation;
    CHECK(actual.x == expected.x);
    CHECK(actual.y == expected.y);
    CHECK(actual.z == expected.z);
  }
  REQUIRE(model.clips().size() == 40);
  for (const Clip& clip : model.clips()) CHECK(clip.tracks().size() == (clip.name() == "Wave" ? 58 : 201));

  // There and back: the keys as the humanoid makes them.
  const humanoid::Motion motion = {"", 92 / 30.0, 0.4, humanoid::Keys::dense, Interpolation::linear, 2};
  const std::vector<TrackKeys> keys = humanoid::make_keys(skeleton, motion);
  CHECK(model.clips()[1].name() == "Walk.000");
  CHECK(model.clips()[1].hash() == create_clip(skeleton, {"", keys[0].times.back(), keys})->hash());
}

}  // namespace
}  // namespace marrow

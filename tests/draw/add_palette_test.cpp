#include "marrow/draw/add_palette.h"

#include <doctest/doctest.h>

#include "gpu/recording_device.h"
#include "marrow/scene/scene.h"
#include "scene/affine_difference.h"
#include "scene/character.h"

namespace marrow {
namespace {

using test::RecordingDevice;

TEST_CASE("a skin of an instance is uploaded once in a frame, however many meshes ask for it") {
  const Model model = test::make_character();
  Scene scene;
  std::vector<Instance> crowd;
  for (std::size_t i = 0; i < 30; ++i) {
    crowd.push_back(scene.instantiate(model));
    crowd.back().mixer().play(model.clips()[i % 3]);
    crowd.back().update(0.01 * static_cast<double>(i));
  }
  RecordingDevice recording;
  PaletteBuffer buffer = *PaletteBuffer::create(recording.device, {.max_bones = 128});
  for (int frame = 0; frame < 5; ++frame) {
    scene.update(1.0 / 60);
    buffer.begin_frame();
    for (int mesh = 0; mesh < 3; ++mesh) {
      for (const Instance& one : crowd) REQUIRE(add_palette(buffer, one, 0));
    }
    const int writes = recording.writes;
    REQUIRE(buffer.upload());
    REQUIRE(buffer.upload());
    CHECK(recording.writes == writes + 1);
    CHECK(buffer.counters().blocks == crowd.size());
    for (const Instance& one : crowd) {
      const std::span<const Affine> palette = one.palette(0);
      const BufferBinding at = *buffer.binding(*add_palette(buffer, one, 0));
      CHECK(test::difference(recording.bones_at(at, palette.size(), false), palette) == "");
    }
    CHECK(buffer.counters().blocks == crowd.size());
  }
  // One that takes the place of another in the same frame is not taken for it.
  REQUIRE(scene.destroy(crowd[3]));
  crowd[3] = scene.instantiate(model);
  REQUIRE(add_palette(buffer, crowd[3], 0));
  CHECK(buffer.counters().blocks == crowd.size() + 1);
}

TEST_CASE("an instance is not taken for one of a scene that is gone, whose memory it has") {
  const Model model = test::make_character();
  RecordingDevice recording;
  PaletteBuffer buffer = *PaletteBuffer::create(recording.device, {.max_bones = 128});
  buffer.begin_frame();
  for (std::uint32_t i = 0; i < 20; ++i) {
    Scene scene;
    REQUIRE(add_palette(buffer, scene.instantiate(model), 0));
    CHECK(buffer.counters().blocks == i + 1);
  }
}

TEST_CASE("an instance that is finished again in a frame has another palette") {
  const Model model = test::make_character();
  Scene scene;
  const Instance one = scene.instantiate(model);
  RecordingDevice recording;
  PaletteBuffer buffer = *PaletteBuffer::create(recording.device, {.max_bones = 128});
  buffer.begin_frame();
  const PaletteRef before = *add_palette(buffer, one, 0);
  one.edit_pose().set_transform(0, {{1, 2, 3}, {}, {1, 1, 1}});
  one.finish();
  const PaletteRef after = *add_palette(buffer, one, 0);
  CHECK(after.block != before.block);
  REQUIRE(buffer.upload());
  const std::span<const Affine> palette = one.palette(0);
  CHECK(test::difference(recording.bones_at(*buffer.binding(after), palette.size(), false), palette) == "");
}

}  // namespace
}  // namespace marrow

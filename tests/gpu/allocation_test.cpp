#include <doctest/doctest.h>

#include "gpu/recording_device.h"
#include "marrow/draw/add_palette.h"
#include "marrow/gpu/morph_buffer.h"
#include "marrow/gpu/palette_buffer.h"
#include "marrow/scene/scene.h"
#include "scene/character.h"
#include "skin/random_vertices.h"
#include "support/allocations.h"

namespace marrow {
namespace {

TEST_CASE("uploads allocate nothing once a frame was as large as the next") {
  const Model model = test::make_character();
  Scene scene;
  std::vector<Instance> crowd;
  for (std::size_t i = 0; i < 100; ++i) {
    crowd.push_back(scene.instantiate(model));
    crowd.back().mixer().play(model.clips()[i % 3]);
  }
  test::Random random(1);
  Vertices vertices = test::random_vertices(random, 10, 4, 4);
  vertices.targets.resize(5);
  const std::vector<float> weights(5, 0.5f);
  for (const PaletteStorage storage : {PaletteStorage::uniform_3x4, PaletteStorage::uniform_4x4,
                                       PaletteStorage::texture_3x4, PaletteStorage::texture_4x4}) {
    test::RecordingDevice recording;
    PaletteBuffer palettes = *PaletteBuffer::create(recording.device, {.max_bones = 128, .storage = storage});
    MorphBuffer morphs = *MorphBuffer::create(recording.device);
    const MorphTargets targets = *MorphTargets::create(recording.device, vertices);
    bool good = true;
    const auto frame = [&] {
      scene.update(1.0 / 60);
      palettes.begin_frame();
      morphs.begin_frame();
      for (int mesh = 0; mesh < 3; ++mesh) {
        for (const Instance& one : crowd) {
          good = add_palette(palettes, one, 0).ok() && morphs.add(targets, weights).ok() && good;
        }
      }
      good = palettes.upload().ok() && morphs.upload().ok() && good;
    };
    frame();
    const std::size_t allocations = test::allocations_in([&] {
      for (int i = 0; i < 50; ++i) frame();
    });
    CHECK(allocations == 0);
    CHECK(good);
    CHECK(palettes.counters().allocations == 0);
    CHECK(palettes.counters().blocks == crowd.size());
    CHECK(palettes.counters().writes == 1);
  }
}

}  // namespace
}  // namespace marrow

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

TEST_CASE("ten thousand frames of characters that come, hide, move and go allocate nothing") {
  test::RecordingDevice recording;
  PaletteBuffer palettes = *PaletteBuffer::create(recording.device, {.max_bones = 20});
  std::vector<PaletteKey> keys(200);
  std::vector<std::uint64_t> versions(keys.size());
  test::Random random(3);
  const std::vector<Affine> bones(20);
  std::uint64_t next = 1;
  std::size_t failures = 0;
  const auto frame = [&] {
    palettes.begin_frame();
    const std::uint32_t hidden = random.below(10);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (random.below(10) < hidden) continue;
      if (random.below(100) == 0) keys[i].owner = next++;
      if (random.below(3) == 0) ++versions[i];
      failures += palettes.add(keys[i], versions[i], std::span(bones).first(1 + i % 20)).ok() ? 0 : 1;
      if (random.below(100) == 0) failures += palettes.add(bones).ok() ? 0 : 1;
    }
    failures += palettes.upload().ok() ? 0 : 1;
  };
  for (int i = 0; i < 1000; ++i) frame();
  const std::size_t allocations = test::allocations_in([&] {
    for (int i = 0; i < 10000; ++i) frame();
  });
  CHECK(allocations == 0);
  CHECK(failures == 0);
}

}  // namespace
}  // namespace marrow

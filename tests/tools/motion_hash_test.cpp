#include "motion_hash.h"

#include <doctest/doctest.h>

#include "marrow/core/hash.h"
#include "marrow/mixer/player.h"
#include "posed_model.h"
#include "tools/character.h"

namespace marrow::tool {
namespace {

// Word for word what the header says, with an action for every clip.
std::uint64_t plain_hash(const Model& model) {
  const std::size_t clips = model.clips().size();
  MixerOptions options;
  options.actions = static_cast<std::uint32_t>(2 * clips + 16);
  Player player(model.skeleton(), options);
  PosedModel posed(model);
  Hasher hasher;
  for (std::size_t frame = 0; frame < 600; ++frame) {
    for (std::size_t k = 0; k < clips; ++k) {
      if (600 * k / clips == frame) player.mixer().cross_fade_to(model.clips()[k], 0.25);
    }
    player.update(1.0 / 60);
    posed.pose().copy_from(player.pose());
    posed.finish();
    for (const Affine& matrix : posed.palettes()[0]) hasher.add(std::span<const float>(&matrix.m[0][0], 12));
  }
  return hasher.finish();
}

TEST_CASE("the hash of a motion is that of a crossfade to every clip in turn, also where a frame begins with several") {
  for (const std::size_t count : {1u, 7u, 599u, 600u, 601u, 1300u}) {
    test::Character character;
    const ClipKeys wave = character.clips[0];
    character.clips.clear();
    for (std::size_t i = 0; i < count; ++i) {
      ClipKeys keys = wave;
      keys.duration = 1 + 0.001 * static_cast<double>(i);
      for (std::size_t k = 0; k < keys.tracks[0].times.size(); ++k) {
        const Quat q = from_axis_angle({0, 1, 0}, 0.01f * static_cast<float>(i * k % 131));
        float* const value = keys.tracks[0].values.data() + 4 * k;
        value[0] = q.x, value[1] = q.y, value[2] = q.z, value[3] = q.w;
      }
      character.clips.push_back(keys);
    }
    const Model model = character.model();
    CAPTURE(count);
    CHECK(motion_hash(model) == plain_hash(model));
  }
}

}  // namespace
}  // namespace marrow::tool

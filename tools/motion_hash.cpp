#include "motion_hash.h"

#include <algorithm>

#include "marrow/core/hash.h"
#include "marrow/mixer/player.h"
#include "posed_model.h"

namespace marrow::tool {
namespace {

constexpr std::size_t kFrames = 600;
constexpr double kStep = 1.0 / 60, kFade = 0.25;

void add(Hasher& hasher, const std::vector<Affine>& matrices) {
  for (const Affine& matrix : matrices) hasher.add(std::span<const float>(&matrix.m[0][0], 12));
}

}  // namespace

std::uint64_t motion_hash(const Model& model) {
  const std::size_t clips = model.clips().size();
  MixerOptions options;
  options.actions = static_cast<std::uint32_t>(std::min(clips, kFrames) + 1);
  Player player(model.skeleton(), options);
  PosedModel posed(model);
  Hasher hasher;
  std::size_t next = 0;
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    const std::size_t first = next;
    while (next < clips && frame == kFrames * next / clips) ++next;
    // Of several in one frame the last counts alone. Those before it have not shown yet, so they stop at once; and what
    // shows sets out from the same place, however often it is asked to leave.
    if (next > first) player.mixer().cross_fade_to(model.clips()[next - 1], kFade);
    player.update(kStep);
    posed.pose().copy_from(player.pose());
    posed.finish();
    for (const std::vector<Affine>& palette : posed.palettes()) add(hasher, palette);
    if (posed.palettes().empty()) add(hasher, posed.nodes());
  }
  return hasher.finish();
}

}  // namespace marrow::tool

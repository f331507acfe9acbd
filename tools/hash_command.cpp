#include <cinttypes>
#include <cstdio>

#include "commands.h"
#include "marrow/core/hash.h"
#include "marrow/mixer/mixer.h"
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
  options.actions = static_cast<std::uint32_t>(2 * clips + 16);
  options.clips = static_cast<std::uint32_t>(clips + 1);
  Mixer mixer(model.skeleton(), options);
  PosedModel posed(model);
  Hasher hasher;
  std::size_t next = 0;
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    for (; next < clips && frame == kFrames * next / clips; ++next) mixer.cross_fade_to(model.clips()[next], kFade);
    mixer.update(kStep);
    posed.pose().copy_from(mixer.pose());
    posed.finish();
    for (const std::vector<Affine>& palette : posed.palettes()) add(hasher, palette);
    if (posed.palettes().empty()) add(hasher, posed.nodes());
  }
  return hasher.finish();
}

int hash(const HashOptions& options) {
  LoadOptions load;
  load.meshes = false;
  const std::optional<LoadedModel> loaded = open_model(options.file, load);
  if (!loaded) return 1;
  std::printf("%016" PRIx64 "\n", motion_hash(loaded->model));
  return 0;
}

}  // namespace marrow::tool

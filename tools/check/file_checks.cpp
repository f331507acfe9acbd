#include <algorithm>

#include "check.h"
#include "text.h"

namespace marrow::tool {
namespace {

// Between an insect and a house: what a skinned model in metres may measure at its longest.
constexpr double kSmallest = 0.05, kLargest = 40;

}  // namespace

Findings check_file(const Subject& subject) {
  Findings out;
  const Model& model = subject.model;
  if (model.clips().empty()) out.push_back({Rule::no_clips, "", ""});
  if (model.skins().empty()) {
    out.push_back({Rule::no_skin, "", ""});
    return out;
  }
  const Vec3 size = size_of(subject.box);
  const double longest = static_cast<double>(std::max({size.x, size.y, size.z}));
  if (!model.meshes().empty() && longest > 0 && (longest < kSmallest || longest > kLargest)) {
    const double height = static_cast<double>(model.up() == Up::z ? size.z : size.y);
    out.push_back({Rule::units, "",
                   short_number(height) + " units tall, " + short_number(longest) + " at its longest" +
                       (longest > kLargest ? "; centimetres?" : "")});
  }
  return out;
}

Findings check_all(const LoadedModel& loaded, const std::function<void(std::size_t)>& progress) {
  const Subject subject(loaded.model, loaded.track_sources, loaded.part_primitives);
  Findings out = reader_findings(loaded.warnings);
  const auto add = [&](Findings more) {
    out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  add(check_skeleton(subject));
  add(check_skins(subject));
  add(check_meshes(subject));
  add(check_clip_names(subject));
  std::set<std::uint64_t> counted;
  for (std::size_t i = 0; i < loaded.model.clips().size(); ++i) {
    if (progress) progress(i);
    const ClipKeys keys = clip_keys(loaded.model.skeleton(), loaded.model.clips()[i]);
    add(check_clip(subject, i, keys));
    add(check_tracks(subject, i, keys, counted));
  }
  add(check_loops(subject));
  add(check_file(subject));
  return out;
}

}  // namespace marrow::tool

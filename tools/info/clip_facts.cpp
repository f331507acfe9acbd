#include "clip_facts.h"

#include <cmath>
#include <vector>

#include "marrow/anim/clip_keys.h"

namespace marrow::tool {
namespace {

constexpr double kUneven = 0.02;  // of an interval, that a key may be off

// The rate of keys at even distances; 0 if they are not, or fewer than three.
double rate_of(const std::vector<float>& times) {
  if (times.size() < 3) return 0;
  const double first = static_cast<double>(times.front()), intervals = static_cast<double>(times.size() - 1);
  const double interval = (static_cast<double>(times.back()) - first) / intervals;
  if (!(interval > 0)) return 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double expected = first + interval * static_cast<double>(i);
    if (std::fabs(static_cast<double>(times[i]) - expected) > kUneven * interval) return 0;
  }
  return 1 / interval;
}

std::optional<double> common_rate(const ClipKeys& keys, std::span<const TrackInfo> tracks) {
  double common = 0;
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    if (tracks[t].constant) continue;
    const double rate = rate_of(keys.tracks[t].times);
    if (rate == 0 || (common != 0 && std::fabs(rate - common) > kUneven * common)) return std::nullopt;
    common = rate;
  }
  if (common == 0) return std::nullopt;
  // Times are rounded, so 29.9999 is meant to be 30.
  const double whole = std::round(common);
  return std::fabs(common - whole) < 1e-3 * common ? whole : common;
}

}  // namespace

ClipFacts clip_facts(const Skeleton& skeleton, const Clip& clip) {
  ClipFacts facts;
  facts.seconds = clip.duration();
  facts.tracks = clip.tracks().size();
  facts.bytes = clip.memory_bytes();
  std::vector<bool> moved(clip.joint_count(), false);
  for (const TrackInfo& track : clip.tracks()) {
    facts.keys += track.key_count;
    if (track.property == Property::morph) ++facts.morph_tracks;
    if (track.constant) {
      ++facts.constant_tracks;
    } else if (!moved[track.joint]) {
      moved[track.joint] = true;
      ++facts.moved_joints;
    }
  }
  facts.keys_per_second = common_rate(clip_keys(skeleton, clip), clip.tracks());
  return facts;
}

}  // namespace marrow::tool

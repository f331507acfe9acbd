#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "check.h"
#include "text.h"

namespace marrow::tool {
namespace {

constexpr float kShortest = 1e-3f;  // seconds between keys

std::string seconds_text(double seconds) { return short_number(seconds) + " s"; }

std::string track_text(const Subject& subject, const TrackKeys& track) {
  return in_quotes(subject.model.skeleton().name(track.joint)) + " " + to_string(track.property);
}

bool is_still(const Clip& clip) {
  const std::span<const TrackInfo> tracks = clip.tracks();
  return std::all_of(tracks.begin(), tracks.end(), [](const TrackInfo& track) { return track.constant; });
}

void check_start(const Subject& subject, std::size_t index, const ClipKeys& keys, Findings& out) {
  float first = -1;
  for (std::size_t t = 0; t < keys.tracks.size(); ++t) {
    // A track that never changes has no beginning that could be seen.
    if (subject.model.clips()[index].tracks()[t].constant) continue;
    const float start = keys.tracks[t].times.front();
    if (first < 0 || start < first) first = start;
  }
  if (first > kShortest) {
    out.push_back({Rule::late_start, place_of("animations", index),
                   in_quotes(keys.name) + " begins at " + seconds_text(static_cast<double>(first)) + " of " +
                       seconds_text(keys.duration)});
  }
}

void check_times(const Subject& subject, std::size_t index, const ClipKeys& keys, Findings& out) {
  for (std::size_t t = 0; t < keys.tracks.size(); ++t) {
    const TrackKeys& track = keys.tracks[t];
    std::size_t equal = 0, close = 0;
    float when_equal = 0, when_near = 0;
    for (std::size_t k = 1; k < track.times.size(); ++k) {
      const float interval = track.times[k] - track.times[k - 1];
      if (interval <= 0) {
        if (equal++ == 0) when_equal = track.times[k];
      } else if (interval < kShortest) {
        if (close++ == 0) when_near = track.times[k];
      }
    }
    const auto add = [&](Rule rule, std::size_t count, float when) {
      if (count == 0) return;
      out.push_back({rule, subject.track_place(index, t),
                     count_of(count, "key") + " of " + track_text(subject, track) + ", the first at " +
                         seconds_text(static_cast<double>(when))});
    };
    add(Rule::equal_times, equal, when_equal);
    add(Rule::short_interval, close, when_near);
  }
}

}  // namespace

Findings check_clip_names(const Subject& subject) {
  Findings out;
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < subject.model.clips().size(); ++i) {
    const std::string_view name = subject.model.clips()[i].name();
    const auto [it, is_new] = first.emplace(name, i);
    if (is_new) continue;
    out.push_back({Rule::duplicate_clip_name, place_of("animations", i),
                   in_quotes(name) + ", as " + to_string(place_of("animations", it->second))});
  }
  return out;
}

Findings check_clip(const Subject& subject, std::size_t index, const ClipKeys& keys) {
  Findings out;
  if (keys.tracks.empty()) return out;
  const Place place = place_of("animations", index);
  if (keys.duration <= 0) {
    if (!is_named_like_a_pose(keys.name)) out.push_back({Rule::no_length, place, in_quotes(keys.name)});
    return out;
  }
  if (is_still(subject.model.clips()[index])) {
    if (!is_named_like_a_pose(keys.name)) {
      out.push_back({Rule::still_clip, place, in_quotes(keys.name) + ", " + seconds_text(keys.duration)});
    }
    return out;
  }
  check_start(subject, index, keys, out);
  check_times(subject, index, keys, out);
  return out;
}

Findings check_loops(const Subject& subject, SeamBudget budget) {
  Findings out;
  const std::span<const Clip> clips = subject.model.clips();
  std::size_t left_out = 0, first_left_out = 0;
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const std::string_view name = clips[i].name();
    if (!(clips[i].duration() > 0) || is_still(clips[i]) || !is_named_like_a_loop(name)) continue;
    const std::optional<Seam> seam = measure_seam(subject, clips[i], budget);
    if (!seam) {
      if (left_out++ == 0) first_left_out = i;
    } else if (seam->jumps) {
      out.push_back({Rule::loop_seam, place_of("animations", i),
                     in_quotes(name) + ": " + in_quotes(subject.model.skeleton().name(seam->joint)) + " is " +
                         short_number(seam->distance) + " units away, " + percent_text(seam->distance / subject.size) +
                         " of the model's size"});
    }
  }
  if (left_out > 0) {
    out.push_back({Rule::more_loops, place_of("animations", first_left_out),
                   count_of(left_out, "clip") + ", the first is " + in_quotes(clips[first_left_out].name())});
  }
  return out;
}

}  // namespace marrow::tool

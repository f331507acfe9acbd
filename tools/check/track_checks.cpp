#include <algorithm>
#include <cmath>

#include "check.h"
#include "marrow/math/quat.h"
#include "redundancy.h"
#include "scales.h"
#include "text.h"

namespace marrow::tool {
namespace {

constexpr double kSameRotation = 1e-4;  // radians
constexpr double kSameScale = 1e-5;
constexpr double kSameRestPlace = 1e-5;  // of the model's size
constexpr double kManyRedundant = 0.1;   // of the keys of a clip
constexpr std::uint64_t kFewBytes = 1024;

bool is_near(float a, float b, double tolerance) {
  return std::fabs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
}

bool is_near(Vec3 a, const float* b, double tolerance) {
  return is_near(a.x, b[0], tolerance) && is_near(a.y, b[1], tolerance) && is_near(a.z, b[2], tolerance);
}

// The value of a track that never changes.
const float* constant_value(const TrackKeys& track) {
  const bool cubic = track.interpolation == Interpolation::cubic_spline;
  return track.values.data() + (cubic ? track.values.size() / 3 : 0);
}

bool is_rest(const Subject& subject, const TrackKeys& track) {
  const Skeleton& skeleton = subject.model.skeleton();
  const float* value = constant_value(track);
  const Transform& rest = skeleton.rest(track.joint);
  switch (track.property) {
    case Property::translation: return is_near(rest.translation, value, kSameRestPlace * subject.size);
    case Property::scale: return is_near(rest.scale, value, kSameScale);
    case Property::rotation:
      return static_cast<double>(angle_between(rest.rotation, {value[0], value[1], value[2], value[3]})) <=
             kSameRotation;
    case Property::morph: {
      const std::span<const float> weights = skeleton.rest_morph_weights(track.joint);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        if (!is_near(weights[i], value[i], kSameScale)) return false;
      }
      return true;
    }
  }
  return false;
}

// A kind of waste in a clip.
struct Waste {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  std::size_t tracks[4] = {};  // of each property

  void add(Property property, std::size_t more, std::uint64_t more_bytes) {
    count += more;
    bytes += more_bytes;
    ++tracks[static_cast<std::size_t>(property)];
  }

  // "12 translation, 40 scale"
  [[nodiscard]] std::string properties() const {
    std::string out;
    for (const Property property : {Property::translation, Property::rotation, Property::scale, Property::morph}) {
      const std::size_t number = tracks[static_cast<std::size_t>(property)];
      if (number > 0) out += (out.empty() ? "" : ", ") + grouped(number) + " " + to_string(property);
    }
    return out;
  }
};

void check_scale_keys(const Subject& subject, std::size_t index, const ClipKeys& keys, Findings& out) {
  const Skeleton& skeleton = subject.model.skeleton();
  for (std::size_t t = 0; t < keys.tracks.size(); ++t) {
    const TrackKeys& track = keys.tracks[t];
    if (track.property != Property::scale) continue;
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    bool negative = false, uneven = false;
    for (std::size_t at = cubic ? 3 : 0; at + 3 <= track.values.size(); at += cubic ? 9 : 3) {
      const Vec3 scale = {track.values[at], track.values[at + 1], track.values[at + 2]};
      negative = negative || is_negative(scale);
      uneven = uneven || is_uneven(scale);
    }
    const Place place = subject.track_place(index, t);
    const std::string name = in_quotes(skeleton.name(track.joint));
    if (negative && !is_negative(skeleton.rest(track.joint).scale)) {
      out.push_back({Rule::negative_scale, place, name + " in " + in_quotes(keys.name)});
    }
    if (uneven && !is_uneven(skeleton.rest(track.joint).scale) && !skeleton.children(track.joint).empty()) {
      out.push_back({Rule::uneven_scale, place, name + " in " + in_quotes(keys.name)});
    }
  }
}

}  // namespace

Findings check_tracks(const Subject& subject, std::size_t index, const ClipKeys& keys,
                      std::set<std::uint64_t>& counted) {
  Findings out;
  check_scale_keys(subject, index, keys, out);
  const Clip& clip = subject.model.clips()[index];
  KeyTolerance tolerance{};
  tolerance.translation = kSameRestPlace * subject.size;
  Waste rest, constant, redundant;
  std::size_t all_keys = 0;
  for (std::size_t t = 0; t < keys.tracks.size(); ++t) {
    const TrackInfo& track = clip.tracks()[t];
    all_keys += track.key_count;
    const Subject::Stored stored = subject.stored(index, t);
    // Values that several tracks share are in the file once.
    const std::uint64_t bytes = counted.insert(stored.accessor).second ? stored.bytes : 0;
    if (track.constant) {
      if (is_rest(subject, keys.tracks[t])) {
        rest.add(track.property, 1, bytes);
      } else if (track.key_count > 2) {
        constant.add(track.property, 1, bytes - bytes / track.key_count);
      }
    } else if (const std::size_t keys_of_track = count_redundant(keys.tracks[t], tolerance); keys_of_track > 0) {
      redundant.add(track.property, keys_of_track, bytes / track.key_count * keys_of_track);
    }
  }
  const auto tell = [&](Rule rule, const Waste& waste, const std::string& detail) {
    out.push_back(
        {rule, place_of("animations", index),
         in_quotes(keys.name) + ": " + bytes_text(waste.bytes) + " in " + grouped(waste.count) + " of " + detail,
         waste.bytes});
  };
  const std::string of_tracks = count_of(keys.tracks.size(), "track");
  if (rest.bytes >= kFewBytes) tell(Rule::rest_track, rest, of_tracks + " (" + rest.properties() + ")");
  if (constant.bytes >= kFewBytes) {
    tell(Rule::constant_track, constant, of_tracks + " (" + constant.properties() + ")");
  }
  const double share = static_cast<double>(redundant.count) / static_cast<double>(std::max<std::size_t>(all_keys, 1));
  if (redundant.bytes >= kFewBytes && share > kManyRedundant) {
    tell(Rule::redundant_keys, redundant, count_of(all_keys, "key"));
  }
  return out;
}

}  // namespace marrow::tool

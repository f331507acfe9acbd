#include "marrow/anim/clip_keys.h"

#include <map>

#include "src/anim/clip_data.h"
#include "src/anim/pose_slot.h"
#include "src/anim/skeleton_data.h"

namespace marrow {
namespace {

// Finds what writes a lane of a slot, and reads its keys.
class LayoutReader {
 public:
  explicit LayoutReader(const ClipData& data) : data_(data) {
    for (const ConstantSlot& slot : data.constants) slots_.emplace(slot.target, Source{.constant = &slot});
    for (const OwnOctet& own : data.own_octets) slots_.emplace(own.target, Source{.own = &own});
    for (const Group& group : data.groups) {
      for (std::uint32_t r = 0; r < group.run_count; ++r) {
        const Run& run = data.runs[group.first_run + r];
        for (std::uint32_t b = 0; b < run.octet_count; ++b) {
          const Octet& octet = data.octets[run.first_octet + b];
          slots_.emplace(octet.target, Source{.group = &group, .octet = &octet});
        }
      }
    }
  }

  void read_times(std::uint32_t target, std::uint32_t lane, TrackKeys& track) const {
    const Source source = find(target, lane);
    const float* first = data_.times.data();
    if (source.constant != nullptr) {
      track.times = {0.0f};
    } else if (source.own != nullptr) {
      first += source.own->times;
      track.times.assign(first + source.own->first_key[lane], first + source.own->end_key[lane]);
    } else {
      first += source.group->times;
      track.times.assign(first, first + source.group->key_count);
    }
  }

  // Reads `size` floats of each part of each key to places from `component` on in the values of the track.
  void read_values(std::uint32_t target, std::uint32_t lane, std::uint32_t size, std::uint32_t component,
                   TrackKeys& track) const {
    const Source source = find(target, lane);
    const bool cubic = track.interpolation == Interpolation::cubic_spline;
    const std::size_t parts = cubic ? 3 : 1, keys = track.times.size();
    const std::size_t track_size = track.values.size() / (keys * parts);
    for (std::size_t key = 0; key < keys; ++key) {
      for (std::size_t part = 0; part < parts; ++part) {
        float* to = track.values.data() + (key * parts + part) * track_size + component;
        for (std::size_t i = 0; i < size; ++i) {
          if (source.constant != nullptr) {
            if (!cubic || part == 1) to[i] = data_.layout.values[source.constant->values + i * 8 + lane];
          } else if (source.own != nullptr) {
            const std::size_t at = source.own->first_key[lane] + key;
            to[i] = data_.layout.values[source.own->values + (at * parts + part) * size + i];
          } else {
            const std::size_t row = source.group->rows + key * source.group->row_size + source.octet->in_row;
            to[i] = data_.layout.values[row + (part * size + i) * 8 + lane];
          }
        }
      }
    }
  }

 private:
  struct Source {
    const ConstantSlot* constant = nullptr;
    const OwnOctet* own = nullptr;
    const Group* group = nullptr;
    const Octet* octet = nullptr;

    [[nodiscard]] bool writes(std::uint32_t lane) const {
      const std::uint32_t lanes = constant != nullptr ? constant->lanes : own != nullptr ? own->lanes : octet->lanes;
      return (lanes >> lane & 1u) != 0;
    }
  };

  [[nodiscard]] Source find(std::uint32_t target, std::uint32_t lane) const {
    auto [it, end] = slots_.equal_range(target);
    while (it != end && !it->second.writes(lane)) ++it;
    MARROW_ASSERT(it != end, "a clip has a track without keys");
    return it->second;
  }

  const ClipData& data_;
  std::multimap<std::uint32_t, Source> slots_;  // by the slot's target
};

// Reads the tracks for which wanted(track) holds.
template <typename Wanted>
ClipKeys read_tracks(const Skeleton& skeleton, const Clip& clip, const Wanted& wanted) {
  const ClipData& data = clip.data();
  MARROW_ASSERT(clip.fits(skeleton), "the clip was made for a skeleton with another number of joints or morph weights");
  const LayoutReader reader(data);
  ClipKeys keys{data.name, data.duration, {}};
  for (const TrackInfo& info : data.tracks) {
    if (!wanted(info)) continue;
    TrackKeys track{info.joint, info.property, info.interpolation, {}, {}};
    const bool morph = info.property == Property::morph;
    const std::uint32_t target = slot_target(skeleton, info.joint, info.property);
    const std::uint32_t lane = morph ? 0 : info.joint % kBlockJoints;
    const std::uint32_t size = value_size(skeleton, info.joint, info.property);
    reader.read_times(target, lane, track);
    track.values.resize(track.times.size() * size * (info.interpolation == Interpolation::cubic_spline ? 3 : 1));
    if (morph) {
      for (std::uint32_t k = 0; k < size; ++k) reader.read_values(target + k / 8 * 8, k % 8, 1, k, track);
    } else {
      reader.read_values(target, lane, size, 0, track);
    }
    keys.tracks.push_back(std::move(track));
  }
  return keys;
}

}  // namespace

ClipKeys clip_keys(const Skeleton& skeleton, const Clip& clip) {
  return read_tracks(skeleton, clip, [](const TrackInfo&) { return true; });
}

ClipKeys clip_keys(const Skeleton& skeleton, const Clip& clip, std::uint32_t joint) {
  return read_tracks(skeleton, clip, [&](const TrackInfo& info) { return info.joint == joint; });
}

Result<Clip> create_clip(const Skeleton& skeleton, const ClipKeys& keys) {
  std::vector<TrackDesc> tracks;
  tracks.reserve(keys.tracks.size());
  for (const TrackKeys& track : keys.tracks) {
    tracks.push_back({track.joint, track.property, track.interpolation, track.times, track.values});
  }
  return Clip::create(skeleton, {keys.name, tracks, keys.duration});
}

}  // namespace marrow

// Lays out the keys of a clip for sampling; clip_layout.h says how.
#include <algorithm>
#include <map>

#include "marrow/core/hash.h"
#include "src/anim/clip_data.h"
#include "src/anim/pose_slot.h"
#include "src/anim/skeleton_data.h"
#include "src/anim/track_keys.h"

namespace marrow {
namespace {

// The part of a pose that one property of a block takes, or eight morph weights.
struct Slot {
  std::uint32_t target;      // offset into the pose
  std::uint32_t size;        // 1, 3 or 4
  std::uint32_t lane_count;  // those with a joint or a weight; the others are padding
};

// One track in one lane of a slot. A morph track has as many as it has weights.
struct LaneTrack {
  const CheckedTrack* track;
  std::uint32_t component;  // of the track's value: the weight, else 0
  std::uint32_t lane;
  std::uint32_t timeline;
};

// Numbers timelines so that tracks with the same times get the same number.
class TimelineNumbers {
 public:
  std::uint32_t number(std::span<const float> times, std::uint64_t hash) {
    for (auto [it, end] = by_hash_.equal_range(hash); it != end; ++it) {
      const std::span<const float> other = all_[it->second];
      const bool same = other.data() == times.data() && other.size() == times.size();
      if (same || std::equal(other.begin(), other.end(), times.begin(), times.end())) return it->second;
    }
    const auto number = static_cast<std::uint32_t>(all_.size());
    all_.push_back(times);
    by_hash_.emplace(hash, number);
    return number;
  }
  [[nodiscard]] std::span<const float> times(std::uint32_t number) const { return all_[number]; }

 private:
  std::vector<std::span<const float>> all_;
  std::multimap<std::uint64_t, std::uint32_t> by_hash_;
};

OctetKind kind_of(Interpolation interpolation, std::uint32_t size) {
  switch (interpolation) {
    case Interpolation::step: return size == 1 ? OctetKind::step1 : size == 3 ? OctetKind::step3 : OctetKind::step4;
    case Interpolation::linear:
      return size == 1 ? OctetKind::linear1 : size == 3 ? OctetKind::linear3 : OctetKind::slerp;
    default: return size == 1 ? OctetKind::cubic1 : size == 3 ? OctetKind::cubic3 : OctetKind::cubic4;
  }
}

// True if all neighbouring keys are close enough for the short series of slerp_near.
bool keys_are_near(const CheckedTrack& track) {
  const float* v = track.values.data();
  for (std::size_t k = 1; k < track.times.size(); ++k, v += 4) {
    const float x = v[4] - v[0], y = v[5] - v[1], z = v[6] - v[2], w = v[7] - v[3];
    if (!(((x * x + y * y) + (z * z + w * w)) * 0.25f <= kNearChord)) return false;
  }
  return true;
}

class Builder {
 public:
  Builder(const Skeleton& skeleton, KeyPool& pool, ClipData& data) : skeleton_(skeleton), pool_(pool), data_(data) {}

  void build(std::span<const CheckedTrack> tracks) {
    const SkeletonData& skeleton = skeleton_.data();
    for (const CheckedTrack& track : tracks) add_track(track);

    // Every slot of the pose in order: what moves, what is constant, what is at rest.
    for (std::uint32_t block = 0; block < skeleton.block_count(); ++block) {
      for (const Property property : {Property::translation, Property::rotation, Property::scale}) {
        const std::uint32_t joint = block * kBlockJoints, lanes = std::min(kBlockJoints, skeleton.joint_count - joint);
        place_slot({slot_target(skeleton_, joint, property), value_size(skeleton_, joint, property), lanes});
      }
    }
    for (std::uint32_t joint = 0; joint < skeleton.joint_count; ++joint) {
      const std::uint32_t count = skeleton.morph_counts[joint];
      const std::uint32_t first = slot_target(skeleton_, joint, Property::morph);
      for (std::uint32_t k = 0; k < count; k += 8) place_slot({first + k, 1, std::min(8u, count - k)});
    }

    build_groups();
    fill_values();
    std::stable_sort(data_.own_octets.begin(), data_.own_octets.end(),
                     [](const OwnOctet& a, const OwnOctet& b) { return a.kind < b.kind; });
    data_.times.resize(data_.times.size() + kReadAhead, 0.0f);
    data_.present = present_bits(skeleton, data_.tracks);
    set_views(data_);
  }

 private:
  // Tracks of one slot on one timeline that are stored as rows.
  struct RowOctet {
    Slot slot;
    OctetKind kind;
    std::vector<LaneTrack> lanes;
  };

  void add_track(const CheckedTrack& track) {
    const std::uint32_t timeline = track.constant ? 0 : timelines_.number(track.times, track.times_hash);
    auto& tracks_of = track.constant ? constants_ : moving_;
    const std::uint32_t target = slot_target(skeleton_, track.joint, track.property);
    if (track.property == Property::morph) {
      for (std::uint32_t k = 0; k < track.size; ++k) {
        tracks_of[target + k / 8 * 8].push_back({&track, k, k % 8, timeline});
      }
    } else {
      tracks_of[target].push_back({&track, 0, track.joint % kBlockJoints, timeline});
    }
  }

  void place_slot(const Slot& slot) {
    const auto moving = moving_.find(slot.target);
    const std::uint32_t written = moving == moving_.end() ? 0 : place_moving(slot, moving->second);
    if (written == 0xff) return;
    const auto constants = constants_.find(slot.target);
    if (constants != constants_.end()) {
      place_constants(slot, constants->second);
    } else if (!data_.copies.empty() && data_.copies.back().offset + data_.copies.back().count == slot.target) {
      data_.copies.back().count += slot.size * 8;
    } else {
      data_.copies.push_back({slot.target, slot.size * 8});
    }
  }

  void place_constants(const Slot& slot, const std::vector<LaneTrack>& tracks) {
    std::uint32_t lanes = 0;
    for (const LaneTrack& track : tracks) lanes |= 1u << track.lane;
    data_.constants.push_back({slot.target, static_cast<std::uint32_t>(append_values(std::size_t{slot.size} * 8)),
                               static_cast<std::uint8_t>(slot.size), static_cast<std::uint8_t>(lanes)});
  }

  // Allocates `count` values behind the others. Returns their offset.
  std::size_t append_values(std::size_t count) {
    const std::size_t at = data_.value_count;
    data_.value_count += count;
    return at;
  }

  // Tracks on one timeline that fill at least half of a slot become rows, the others go by themselves; morph weights
  // always come several to a timeline. Returns the lanes that are written, padding counted in where rows write it.
  std::uint32_t place_moving(const Slot& slot, const std::vector<LaneTrack>& tracks) {
    std::map<std::pair<std::uint32_t, Interpolation>, std::vector<LaneTrack>> by_timeline;
    for (const LaneTrack& track : tracks) by_timeline[{track.timeline, track.track->interpolation}].push_back(track);
    std::vector<LaneTrack> alone, alone_cubic;
    std::uint32_t written = 0;
    for (auto& [key, lanes] : by_timeline) {
      for (const LaneTrack& track : lanes) written |= 1u << track.lane;
      if (slot.size == 1 || 2 * lanes.size() >= slot.lane_count) {
        if (lanes.size() == slot.lane_count) written = 0xff;
        OctetKind kind = kind_of(key.second, slot.size);
        if (kind == OctetKind::slerp &&
            std::all_of(lanes.begin(), lanes.end(), [](const LaneTrack& t) { return keys_are_near(*t.track); })) {
          kind = OctetKind::slerp_near;
        }
        rows_[key.first].push_back({slot, kind, std::move(lanes)});
      } else {
        auto& to = key.second == Interpolation::cubic_spline ? alone_cubic : alone;
        to.insert(to.end(), lanes.begin(), lanes.end());
      }
    }
    if (!alone.empty()) place_own(slot, kind_of(Interpolation::linear, slot.size), alone);
    if (!alone_cubic.empty()) place_own(slot, kind_of(Interpolation::cubic_spline, slot.size), alone_cubic);
    return written;
  }

  void place_own(const Slot& slot, OctetKind kind, const std::vector<LaneTrack>& tracks) {
    OwnOctet own{};
    own.values = data_.value_count;
    own.times = static_cast<std::uint32_t>(data_.times.size());
    own.target = slot.target;
    own.kind = kind;
    std::uint32_t lanes = 0, step_lanes = 0, keys = 0;
    for (const LaneTrack& track : tracks) {
      const CheckedTrack& t = *track.track;
      lanes |= 1u << track.lane;
      if (t.interpolation == Interpolation::step) step_lanes |= 1u << track.lane;
      own.first_key[track.lane] = keys;
      keys += static_cast<std::uint32_t>(t.times.size());
      own.end_key[track.lane] = keys;
      own.rate[track.lane] = even_rate(t.times);
      data_.times.append(t.times.begin(), t.times.end());
      append_values(t.values.size());
    }
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      if ((lanes >> lane & 1u) == 0) own.end_key[lane] = 1;  // stays at the first key of all
    }
    own.lanes = static_cast<std::uint8_t>(lanes);
    own.step_lanes = static_cast<std::uint8_t>(step_lanes);
    data_.own_octets.push_back(own);
    tracks_of_own_octets_.push_back(tracks);
  }

  void build_groups() {
    for (auto& [timeline, octets] : rows_) {
      const std::span<const float> times = timelines_.times(timeline);
      Group group{};
      group.times = static_cast<std::uint32_t>(data_.times.size());
      group.key_count = static_cast<std::uint32_t>(times.size());
      group.rate = even_rate(times);
      if (group.rate == 0) group.cursor = cursors_++;
      group.first_run = static_cast<std::uint32_t>(data_.runs.size());
      data_.times.append(times.begin(), times.end());

      std::stable_sort(octets.begin(), octets.end(),
                       [](const RowOctet& a, const RowOctet& b) { return a.kind < b.kind; });
      for (const RowOctet& octet : octets) {
        std::uint32_t lanes = 0;
        for (const LaneTrack& track : octet.lanes) lanes |= 1u << track.lane;
        if (octet.lanes.size() == octet.slot.lane_count) lanes = 0xff;
        if (data_.runs.size() == group.first_run || data_.runs.back().kind != octet.kind) {
          data_.runs.push_back({static_cast<std::uint32_t>(data_.octets.size()), 0, octet.kind});
        }
        ++data_.runs.back().octet_count;
        data_.octets.push_back({octet.slot.target, group.row_size, static_cast<std::uint8_t>(lanes)});
        group.row_size += octet.slot.size * 8 * (is_cubic(octet.kind) ? 3 : 1);
      }
      group.run_count = static_cast<std::uint32_t>(data_.runs.size()) - group.first_run;
      group.rows = append_values(std::size_t{group.key_count} * group.row_size);
      data_.groups.push_back(group);
    }
  }

  // Once it is known how many there are, all values are written where they stay.
  void fill_values() {
    append_values(kReadAhead);
    const std::shared_ptr<float> values = pool_.take(data_.value_count);
    std::fill_n(values.get() + data_.value_count - kReadAhead, kReadAhead, 0.0f);
    for (const ConstantSlot& slot : data_.constants) fill_constants(slot, values.get() + slot.values);
    for (std::size_t i = 0; i < data_.own_octets.size(); ++i) {
      float* to = values.get() + data_.own_octets[i].values;
      for (const LaneTrack& track : tracks_of_own_octets_[i]) {
        to = std::copy(track.track->values.begin(), track.track->values.end(), to);
      }
    }
    auto octet = data_.octets.begin();
    auto group = data_.groups.begin();
    for (const auto& [timeline, octets] : rows_) {
      for (const RowOctet& rows : octets) {
        fill_rows(*group, rows, skeleton_.data().rest_floats() + rows.slot.target,
                  values.get() + group->rows + octet++->in_row);
      }
      ++group;
    }
    data_.values = values;
  }

  void fill_constants(const ConstantSlot& slot, float* to) {
    std::fill_n(to, std::size_t{slot.size} * 8, 0.0f);
    for (const LaneTrack& track : constants_[slot.target]) {
      for (std::uint32_t i = 0; i < slot.size; ++i) to[i * 8 + track.lane] = track.track->values[track.component + i];
    }
  }

  static void fill_rows(const Group& group, const RowOctet& octet, const float* rest, float* first) {
    const bool cubic = is_cubic(octet.kind);
    switch (octet.slot.size) {
      case 1: return cubic ? fill_rows<1, 3>(group, octet, rest, first) : fill_rows<1, 1>(group, octet, rest, first);
      case 3: return cubic ? fill_rows<3, 3>(group, octet, rest, first) : fill_rows<3, 1>(group, octet, rest, first);
      default: return cubic ? fill_rows<4, 3>(group, octet, rest, first) : fill_rows<4, 1>(group, octet, rest, first);
    }
  }

  // Writes an octet's part of every row; `first` is where it has that of the first. Values of `parts` times `size`
  // floats: a cubic's have a tangent before and behind them.
  template <std::uint32_t size, std::uint32_t parts>
  static void fill_rows(const Group& group, const RowOctet& octet, const float* rest, float* first) {
    // Lanes without a track, padding among them, hold the rest value at every key, with tangents of zero.
    float still[8][parts * size] = {};
    struct Lane {
      const float* from;
      std::size_t part, key;  // floats to the next of them
    } lanes[8];
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      lanes[lane] = {still[lane], size, 0};
      for (std::uint32_t i = 0; i < size; ++i) still[lane][(parts == 3 ? size : 0) + i] = rest[i * 8 + lane];
    }
    for (const LaneTrack& track : octet.lanes) {
      const std::size_t step = track.track->size;  // more than `size` for morph weights
      lanes[track.lane] = {track.track->values.data() + track.component, step, step * parts};
    }
    // Key by key, so that memory is written once and in order.
    float* row = first;
    for (std::size_t key = 0; key < group.key_count; ++key, row += group.row_size) {
      for (std::uint32_t lane = 0; lane < 8; ++lane) {
        const float* from = lanes[lane].from;
        for (std::uint32_t part = 0; part < parts; ++part, from += lanes[lane].part) {
          for (std::uint32_t i = 0; i < size; ++i) row[(part * size + i) * 8 + lane] = from[i];
        }
        lanes[lane].from += lanes[lane].key;
      }
    }
  }

  const Skeleton& skeleton_;
  KeyPool& pool_;
  ClipData& data_;
  std::uint32_t cursors_ = 0;
  TimelineNumbers timelines_;
  std::map<std::uint32_t, std::vector<LaneTrack>> moving_, constants_;  // by the slot's target
  std::map<std::uint32_t, std::vector<RowOctet>> rows_;                 // by timeline
  std::vector<std::vector<LaneTrack>> tracks_of_own_octets_;            // of data_.own_octets
};

}  // namespace

double even_rate(std::span<const float> times) {
  const double first = times.front(), length = static_cast<double>(times.back()) - first;
  if (!(length > 0)) return 0;
  const double rate = static_cast<double>(times.size() - 1) / length;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const double off = (static_cast<double>(times[k]) - first) * rate - static_cast<double>(k);
    if (off < -0.25 || off > 0.25) return 0;
  }
  return rate;
}

std::vector<PresentBits> present_bits(const SkeletonData& skeleton, std::span<const TrackInfo> tracks) {
  std::vector<PresentBits> present(skeleton.block_count());
  for (const TrackInfo& track : tracks) {
    PresentBits& bits = present[track.joint / kBlockJoints];
    const auto bit = static_cast<std::uint8_t>(1u << (track.joint % kBlockJoints));
    switch (track.property) {
      case Property::translation: bits.translation |= bit; break;
      case Property::rotation: bits.rotation |= bit; break;
      case Property::scale: bits.scale |= bit; break;
      case Property::morph: bits.morph |= bit; break;
    }
  }
  return present;
}

void set_views(ClipData& data) {
  const ClipData& in = data;  // what is borrowed stays so
  const auto cursors = static_cast<std::uint32_t>(
      std::count_if(in.groups.begin(), in.groups.end(), [](const Group& group) { return group.rate == 0; }));
  data.cursor_words =
      cursors + static_cast<std::uint32_t>(in.own_octets.size() * sizeof(OwnCursor) / sizeof(std::uint32_t));
  data.layout = {in.times.data(),
                 in.values.get(),
                 in.copies.data(),
                 in.constants.data(),
                 in.groups.data(),
                 in.runs.data(),
                 in.octets.data(),
                 in.own_octets.data(),
                 static_cast<std::uint32_t>(in.copies.size()),
                 static_cast<std::uint32_t>(in.constants.size()),
                 static_cast<std::uint32_t>(in.groups.size()),
                 static_cast<std::uint32_t>(in.own_octets.size()),
                 cursors};
}

void build_layout(const Skeleton& skeleton, std::span<const CheckedTrack> tracks, KeyPool& pool, ClipData& data) {
  Builder(skeleton, pool, data).build(tracks);
}

}  // namespace marrow

// What a Clip is made of. Internal to the library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/core/array.h"
#include "src/anim/clip_layout.h"
#include "src/anim/skeleton_data.h"

namespace marrow {

struct ClipData {
  std::string name;
  double duration = 0;
  std::uint32_t joint_count = 0;
  std::uint32_t morph_size = 0;
  std::uint64_t morph_layout = 0;  // that of the skeleton
  Array<TrackInfo> tracks;
  std::uint64_t hash = 0;
  std::uint64_t id = 0;  // of this very clip, never given twice in a process; what cursors go by

  Array<float> times;
  std::shared_ptr<const float> values;
  std::size_t value_count = 0;
  Array<CopyRange> copies;
  Array<ConstantSlot> constants;
  Array<Group> groups;
  Array<Run> runs;
  Array<Octet> octets;
  Array<OwnOctet> own_octets;
  Array<PresentBits> present;  // for each block, as a sampled pose has it
  std::uint32_t cursor_words = 0;

  ClipLayout layout{};  // views of the vectors above
};

// Whether a clip can be played on a skeleton.
inline bool fits(const ClipData& clip, const SkeletonData& skeleton) {
  return clip.joint_count == skeleton.joint_count && clip.morph_layout == skeleton.morph_layout;
}

// A track that was found good: its values normalised, its owner known.
struct CheckedTrack {
  std::uint32_t joint = 0;
  Property property = Property::translation;
  Interpolation interpolation = Interpolation::linear;
  std::uint32_t size = 0;  // floats of a value
  std::span<const float> times;
  std::uint64_t times_hash = 0;
  std::span<float> values;  // in the pool's scratch
  bool constant = false;
};

inline bool is_cubic(OctetKind kind) { return kind >= OctetKind::cubic1; }

// Returns the keys a second, if each key is so near to its place on an even timeline that the place's number is at most
// one off; else 0.
[[nodiscard]] double even_rate(std::span<const float> times);

// Returns what a clip of these tracks sets, for each block of joints.
[[nodiscard]] std::vector<PresentBits> present_bits(const SkeletonData& skeleton, std::span<const TrackInfo> tracks);

// Sets `layout` and `cursor_words` after everything else.
void set_views(ClipData& data);

// Makes a clip of what another one was made of: name, duration, tracks, hash, and all arrays but `present`. Trusts
// what it gets; ClipChecker looks at it.
[[nodiscard]] Clip restore_clip(const Skeleton& skeleton, ClipData data);

// Lays out checked tracks in `data`, whose joint_count and morph_size are set (clip_builder.cpp).
void build_layout(const Skeleton& skeleton, std::span<const CheckedTrack> tracks, KeyPool& pool, ClipData& data);

}  // namespace marrow

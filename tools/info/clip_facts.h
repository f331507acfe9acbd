// What there is to know of a clip at a glance.
#pragma once

#include <optional>

#include "marrow/anim/clip.h"

namespace marrow::tool {

struct ClipFacts {
  double seconds = 0;
  std::optional<double> keys_per_second;  // if all tracks that move have their keys at one even distance
  std::size_t tracks = 0, morph_tracks = 0, constant_tracks = 0;
  std::uint64_t keys = 0;        // as the file has them
  std::size_t moved_joints = 0;  // with a track that changes something
  std::size_t bytes = 0;         // of memory
};

[[nodiscard]] ClipFacts clip_facts(const Skeleton& skeleton, const Clip& clip);

}  // namespace marrow::tool

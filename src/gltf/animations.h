// The animations of a glTF file. Internal.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "src/gltf/accessors.h"
#include "src/gltf/nodes.h"

namespace marrow {

// What a channel moves. One channel may move the weights of several nodes that show one mesh.
struct GltfChannel {
  std::uint32_t number;   // in the file
  std::uint32_t sampler;  // of the same animation
  std::uint32_t node;
  Property property;
  std::int32_t weight = kNone;  // the one that is moved, if not all are
};

struct GltfAnimation {
  std::string_view name;
  std::vector<GltfChannel> channels;
  std::vector<JsonValue> samplers;
};

// Reads what every channel moves, and marks the nodes that are moved. Channels without a target and those whose target
// no node has are left out, the latter with a warning.
bool read_animations(const GltfDocument& document, const GltfNodes& nodes, Load& load, std::vector<GltfAnimation>& out,
                     std::vector<bool>& moved);

// Makes the clips; the skeleton has all moved nodes. `sources` is filled in if the reading is thorough.
bool make_clips(const std::vector<GltfAnimation>& animations, const GltfNodes& nodes, const Skeleton& skeleton,
                Accessors& accessors, Load& load, std::vector<Clip>& out,
                std::vector<std::vector<TrackSource>>& sources);

}  // namespace marrow

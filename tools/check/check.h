// The checks of `marrow check`, one function for each subject. They look and tell; nothing is printed here.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <vector>

#include "finding.h"
#include "loops.h"
#include "marrow/anim/clip_keys.h"
#include "subject.h"

namespace marrow::tool {

using Findings = std::vector<Finding>;

// What the reader warned of.
[[nodiscard]] Findings reader_findings(std::span<const Warning> warnings);

// Names, scales and bones without length.
[[nodiscard]] Findings check_skeleton(const Subject& subject);

// Influences, joints that nothing follows, the bind pose, and nodes that a skin makes no sense on.
[[nodiscard]] Findings check_skins(const Subject& subject);

// Triangles, normals, texture coordinates.
[[nodiscard]] Findings check_meshes(const Subject& subject);

// Names, beginnings and key times of clips.
[[nodiscard]] Findings check_clip_names(const Subject& subject);
[[nodiscard]] Findings check_clip(const Subject& subject, std::size_t clip, const ClipKeys& keys);

// The seams of the clips that are named like loops.
[[nodiscard]] Findings check_loops(const Subject& subject, SeamBudget budget = {});

// Tracks and keys that a clip can do without, and scales that it animates. Accessors that tracks of several clips share
// are counted once: `counted` remembers them from clip to clip.
[[nodiscard]] Findings check_tracks(const Subject& subject, std::size_t clip, const ClipKeys& keys,
                                    std::set<std::uint64_t>& counted);

// What there is at all, and how large.
[[nodiscard]] Findings check_file(const Subject& subject);

// All of the above. `progress(clip)` is called before each clip.
[[nodiscard]] Findings check_all(const LoadedModel& loaded, const std::function<void(std::size_t)>& progress = {});

}  // namespace marrow::tool

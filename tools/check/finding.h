// What `marrow check` finds: a rule that a file does not keep, and where.
#pragma once

#include <cstdint>
#include <string>

#include "marrow/core/place.h"

namespace marrow::tool {

enum class Severity : std::uint8_t {
  error,    // something of the file is broken or left out: what shows is not what was made
  warning,  // it shows, but probably not everywhere as it was meant
  note,     // legal and maybe intended; costs size or speed, or is good to know
};

// Every rule, in the order in which they are reported within a severity. rules.cpp has their words.
enum class Rule : std::uint8_t {
  // Of the reader (reader_findings.cpp).
  not_finite,
  missing_image,
  duplicate_channel,
  more_warnings,
  weights_sum,
  no_weights,
  negative_weights,
  skin_without_weights,
  weights_without_skin,
  lost_channel,
  moves_nothing,
  rotation_length,
  shear,
  other,
  rotation_flip,
  extension,
  unnamed_joint,
  unnamed_clip,
  more_notes,

  // skeleton_checks.cpp
  duplicate_joint_name,
  negative_scale,
  uneven_scale,
  zero_length_bone,

  // skin_checks.cpp
  many_influences,
  too_many_joints,
  mirrored_skin,
  skinned_node_moved,
  skinned_node_below_joint,
  many_joints,
  unused_joint,
  unused_skin,
  empty_influences,
  bind_pose,

  // mesh_checks.cpp
  missing_uvs,
  missing_normals,
  degenerate_triangles,

  // clip_checks.cpp
  duplicate_clip_name,
  late_start,
  equal_times,
  short_interval,
  no_length,
  still_clip,
  loop_seam,
  more_loops,

  // track_checks.cpp
  rest_track,
  constant_track,
  redundant_keys,

  // file_checks.cpp
  units,
  no_clips,
  no_skin,
};

struct RuleInfo {
  Rule rule;
  Severity severity;
  const char* name;    // for programs: "unused-joint"; never changes
  const char* what;    // a sentence: what is wrong
  const char* advice;  // a sentence: what to do about it
};

[[nodiscard]] const RuleInfo& rule_info(Rule rule);

// Returns "error", "warning" or "note".
[[nodiscard]] const char* to_string(Severity severity);

struct Finding {
  Rule rule;
  Place place;              // in the JSON; empty for the whole file
  std::string detail;       // what there is to say of this place
  std::uint64_t bytes = 0;  // that the file would be shorter by, where that is the point
};

}  // namespace marrow::tool

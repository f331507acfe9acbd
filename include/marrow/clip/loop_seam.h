// Finds where a clip can be cut to loop without a hitch.
#pragma once

#include <cstdint>
#include <optional>

#include "marrow/anim/clip.h"
#include "marrow/math/types.h"

namespace marrow {

struct SeamOptions {
  double from_s = 0;           // the part of the clip to look in
  std::optional<double> to_s;  // its duration if not told
  double min_length_s = 0.2;   // of the loop
  std::optional<double> max_length_s;

  // Metres in model space from a joint to the skin that moves with it, as in ErrorOptions.
  double distance = 0.1;

  // The joint that carries the character along, if any. Its position in the plane perpendicular to `up` is ignored, so
  // that a walk across a floor has a seam. The direction that it faces is compared.
  std::optional<std::uint32_t> root;
  Vec3 up{0, 0, 1};  // {0, 1, 0} for a skeleton with y up
};

struct LoopSeam {
  double from_s = 0, to_s = 0;  // trim to these

  // Metres that a point on the skin jumps by at the worst joint, from the one end to the other.
  double jump = 0;

  // The same for the change of speed: metres that a point is off, a 30th of a second after the seam, from where its
  // speed before would have taken it.
  double kink = 0;
};

// Returns the two times at which the poses and the speeds of the clip are most alike: the pair with the smallest `jump`
// and `kink` together, where as much kink is free as the motion of the clip has by itself. The whole part is
// taken if it is as good to two millimetres; else, of the pairs that are and that none beside them beats, the longest.
//
// Pairs are compared on a grid of at most 300 frames first and then more closely around the best. Fails on options that
// make no sense or allow no loop, and on poses that overflow.
[[nodiscard]] Result<LoopSeam> find_loop_seam(const Skeleton& skeleton, const Clip& clip,
                                              const SeamOptions& options = {});

}  // namespace marrow

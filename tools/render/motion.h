// Motion: what a character does while it is looked at: it stands, plays a clip, or fades from one to another.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "marrow/draw/sketch.h"
#include "marrow/math/box.h"
#include "marrow/scene/scene.h"

namespace marrow::tool {

// Clips are of the model; null: the rest pose.
struct MotionPlan {
  const Clip* clip = nullptr;
  const Clip* fade_to = nullptr;  // null: no fade
  double fade_s = 0;
  double fade_at_s = 0;  // when it begins
  bool repeat = true;    // false: holds its end
  bool follow = false;   // takes the way that the root goes out of the clip, and moves the character by it
};

// Returns the joint whose motion carries the character: the first that a clip moves away from where it was, across the
// ground; none if none does.
[[nodiscard]] std::optional<std::uint32_t> root_joint(const Model& model, const Clip& clip);

class Motion {
 public:
  Motion(const Model& model, const MotionPlan& plan);

  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] const Instance& instance() const { return instance_; }

  // Goes to a time from the beginning, in seconds; back too.
  void go_to(double time_s);

  // Where the character has gone, across the ground; nowhere unless it is followed.
  [[nodiscard]] Vec3 way() const;

 private:
  void rewind();

  MotionPlan plan_;
  Scene scene_;
  Instance instance_;
  double now_s_ = 0;
  bool started_ = false;
};

// How far what is drawn reaches, less the way that the character has gone.
struct Reach {
  std::vector<Box> boxes;   // around everything, one for each pose that was looked at
  std::vector<Box> points;  // of each pose the places that are farthest in the given directions, as boxes of no size
};

// Looks at poses from 0 to `until_s`, as many as show how it moves. Without meshes, or `with_joints`, the joints that
// bones are drawn for count too.
[[nodiscard]] Reach reach_of(Motion& motion, double until_s, bool with_joints, std::span<const Vec3> directions);

}  // namespace marrow::tool

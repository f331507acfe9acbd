// Motion: what a character does while it is looked at: it stands, plays a clip, or fades from one to another.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "marrow/gpu/sketch.h"
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

// Returns the box around all vertices that are drawn, less the way that the character has gone; around its joints if
// there are none, or `with_joints` is set.
[[nodiscard]] Box drawn_box(const Motion& motion, bool with_joints);

// Returns such boxes at times from 0 to `until_s`, as many as show how it moves.
[[nodiscard]] std::vector<Box> drawn_boxes(Motion& motion, double until_s, bool with_joints);

}  // namespace marrow::tool

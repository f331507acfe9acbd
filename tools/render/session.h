// Session: a model in a studio, seen by one camera through all of its motion.
#pragma once

#include <string>
#include <vector>

#include "render/motion.h"
#include "render/studio.h"

namespace marrow::tool {

// How it is looked at; angles in radians.
struct Shot {
  ViewAngle angle;
  float turn = 0;  // that the camera goes round the model from the beginning to the end
  bool skeleton = false, names = false;
  std::vector<std::uint32_t> trails;  // joints
  bool transparent = false;
  bool ground = true, shadow = true;
};

class Session {
 public:
  // Looks at the motion from 0 to `until_s` to place the camera and find the trails.
  Session(Studio& studio, Motion& motion, double until_s, const Shot& shot);

  // Takes a picture of a moment, with a caption in its lower left corner if it is not empty.
  [[nodiscard]] Result<void> shoot(double time_s, const std::string& caption, Picture& out);

 private:
  [[nodiscard]] Camera camera_at(double time_s) const;
  void sketch(double time_s, const std::string& caption, const Camera& camera);

  Studio& studio_;
  Motion& motion_;
  double until_s_;
  Shot shot_;
  Camera camera_;                          // at the beginning
  std::vector<std::vector<Vec3>> trails_;  // in the world
  Environment environment_;
  Sketch sketch_;
};

}  // namespace marrow::tool

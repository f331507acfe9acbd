// Player: a mixer with the pose that it writes and the memory that it needs, for programs without a scene.
//
//   Player player(skeleton);
//   player.mixer().play(walk);
//   ...
//   player.update(dt);
//   local_to_model(player.pose(), model_from_joint);
//
// For many characters at once use a Scene, or mixers that share a MixScratch. One thread at a time may use a player.
#pragma once

#include <memory>

#include "marrow/anim/pose.h"
#include "marrow/mixer/mixer.h"

namespace marrow {

class Player {
 public:
  explicit Player(const Skeleton& skeleton, const MixerOptions& options = {});

  [[nodiscard]] Mixer& mixer() { return mixer_; }
  [[nodiscard]] const Mixer& mixer() const { return mixer_; }

  // Moves time, calls the event handler, and writes the pose. Returns false, having changed nothing, if `dt_s` is not
  // finite. Allocates nothing: commands do, when more actions play at once than before.
  bool update(double dt_s);

  // Writes the pose again, after commands to the mixer.
  void evaluate();

  // The pose as last written; at rest before the first update. It may be edited until the next update.
  [[nodiscard]] Pose& pose() { return pose_; }
  [[nodiscard]] const Pose& pose() const { return pose_; }

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  Mixer mixer_;
  std::unique_ptr<MixScratch> scratch_;
  Pose pose_;
};

}  // namespace marrow

// A mixer with a pose of its own, for tests.
#pragma once

#include "marrow/mixer/mixer.h"

namespace marrow::test {

class PosedMixer : public Mixer {
 public:
  explicit PosedMixer(const Skeleton& skeleton, const MixerOptions& options = {})
      : Mixer(skeleton, options), scratch_(skeleton, scratch_size()), pose_(skeleton) {}

  void reserve(const MixerOptions& options) {
    Mixer::reserve(options);
    scratch_ = MixScratch(skeleton(), scratch_size());
  }

  using Mixer::evaluate;
  using Mixer::update;
  void evaluate() { Mixer::evaluate(scratch_, pose_); }
  bool update(double dt_s) { return Mixer::update(dt_s, scratch_, pose_); }
  [[nodiscard]] Pose& pose() { return pose_; }
  [[nodiscard]] const Pose& pose() const { return pose_; }

 private:
  MixScratch scratch_;
  Pose pose_;
};

}  // namespace marrow::test

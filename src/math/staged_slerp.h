// Many slerps at once. Internal; see lanes.h for the rules of such a file.
#pragma once

#include "src/math/lanes_math.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// Computes the weights of up to kMost slerps in short loops: the steps of one slerp wait for each other for longer than
// the processor can look ahead, the same step of different slerps does not.
template <uint32_t kMost>
class StagedSlerp {
 public:
  // Takes `count` squared half chords y, a multiple of eight, and the fractions u(k) of the lanes from k on.
  template <typename Fraction>
  MARROW_INLINE_METHOD void run(const float* ys, uint32_t count, const Fraction& u) {
    for (uint32_t k = 0; k < count; k += MARROW_LANES) {
      const F y = load(ys + k);
      store(t2s_ + k, squared_angle(y));
      store(roughs_ + k, inverse_sinc(y));
    }
    for (uint32_t k = 0; k < count; k += MARROW_LANES) {
      const SlerpWeights w = unscaled_weights(load(t2s_ + k), u(k));
      store(wa_ + k, w.a);
      store(wb_ + k, w.b);
    }
    for (uint32_t k = 0; k < count; k += MARROW_LANES) {
      const SlerpWeights w = unit_weights(weights(k), load(ys + k), load(roughs_ + k));
      store(wa_ + k, w.a);
      store(wb_ + k, w.b);
    }
  }

  // The weights of the lanes from k on.
  MARROW_INLINE_METHOD SlerpWeights weights(uint32_t k) const { return {load(wa_ + k), load(wb_ + k)}; }

 private:
  alignas(32) float t2s_[kMost], roughs_[kMost], wa_[kMost], wb_[kMost];
};

}  // namespace marrow::MARROW_LANES_NAMESPACE

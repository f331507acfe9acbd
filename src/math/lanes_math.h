// Maths on lanes that more than one kernel needs. Internal; see lanes.h for the rules of such a file.
#pragma once

#include "src/math/lanes.h"

namespace marrow::MARROW_LANES_NAMESPACE {

struct Quats {
  F x, y, z, w;
};

MARROW_INLINE Quats load_quats(const float* p, uint32_t stride) {
  return {load(p), load(p + stride), load(p + 2 * stride), load(p + 3 * stride)};
}
MARROW_INLINE void store_quats(float* p, uint32_t stride, const Quats& q) {
  store(p, q.x);
  store(p + stride, q.y);
  store(p + 2 * stride, q.z);
  store(p + 3 * stride, q.w);
}
MARROW_INLINE F dot(const Quats& a, const Quats& b) { return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w); }
MARROW_INLINE Quats scale(const Quats& q, F s) { return {q.x * s, q.y * s, q.z * s, q.w * s}; }
MARROW_INLINE Quats select(M m, const Quats& a, const Quats& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z), select(m, a.w, b.w)};
}
MARROW_INLINE Quats weighted_sum(const Quats& a, F wa, const Quats& b, F wb) {
  return {a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb};
}

MARROW_INLINE F magnitude(F x) { return times_sign_of(x, x); }
MARROW_INLINE F larger(F a, F b) { return select(a < b, b, a); }

// Brings q of any length to unit length; the identity where it has none to speak of. It is brought near to 1 by its
// largest part first, so that the squares neither overflow nor vanish.
MARROW_INLINE Quats normalized(const Quats& q) {
  const F zero = splat(0.0f), one = splat(1.0f);
  const F largest = larger(larger(magnitude(q.x), magnitude(q.y)), larger(magnitude(q.z), magnitude(q.w)));
  const M has_length = splat(1e-36f) < largest;
  const Quats sized = scale(q, one / select(has_length, largest, one));
  return select(has_length, scale(sized, one / square_root(dot(sized, sized))), {zero, zero, zero, one});
}

// ---- Spherical interpolation -----------------------------------------------------------------------------------
//
// slerp(a, b, u) = (sin((1 - u) t) a + sin(u t) b) / sin(t), with t the angle between a and b on the sphere.
//
// No angle is computed: the squared half chord y = |b - a|^2 / 4 = sin(t / 2)^2 has no cancellation for neighbouring
// keys and gives t^2 by a polynomial, and sin(u t) = u t sinc(u^2 t^2), where the factor t is common to both weights
// and drops out. What is left is a multiple of the result; its length follows from the weights and the cosine
// 1 - 2y between a and b. It is divided by t / sin(t) to 5.5e-5, another polynomial, which one step of Newton's method
// for 1 / sqrt brings below rounding. Holds for dot(a, b) >= 0, that is y <= 1/2.
//
// Coefficients: tools/fit_slerp.py.

MARROW_INLINE F squared_half_chord(const Quats& a, const Quats& b) {
  const Quats d = {b.x - a.x, b.y - a.y, b.z - a.z, b.w - a.w};
  return dot(d, d) * splat(0.25f);
}

// The polynomials are summed in pairs (Estrin's scheme): half the steps that wait for each other.

// sin(a) / a for x = a^2 in [0, 2.5]; relative error 4.1e-8 before rounding.
MARROW_INLINE F sinc_of_square(F x) {
  const F x2 = x * x;
  const F p23 = splat(-0.000198222537f) * x + splat(0.00833323877f);
  const F p01 = splat(-0.166666657f) * x + splat(1.0f);
  return (splat(2.63319316e-06f) * x2 + p23) * x2 + p01;
}

// t^2 for y = sin(t / 2)^2 in [0, 0.5]; relative error 1.5e-7, which moves a slerp by less than 5e-8 rad.
MARROW_INLINE F squared_angle(F y) {
  const F y2 = y * y, y4 = y2 * y2;
  const F p67 = splat(0.246166602f) * y + splat(-0.142787352f);
  const F p45 = splat(0.136991978f) * y + splat(0.0669399798f);
  const F p23 = splat(0.115538828f) * y + splat(0.177737623f);
  const F p01 = splat(0.333333552f) * y + splat(1.0f);
  return ((p67 * y2 + p45) * y4 + (p23 * y2 + p01)) * (y * splat(4.0f));
}

// t / sin(t) for y = sin(t / 2)^2 in [0, 0.5]; relative error 5.5e-5.
MARROW_INLINE F inverse_sinc(F y) {
  const F y2 = y * y;
  const F p45 = splat(1.57863355f) * y + splat(-0.277314335f);
  const F p23 = splat(0.594092607f) * y + splat(0.524309039f);
  const F p01 = splat(0.666757941f) * y + splat(1.0f);
  return (p45 * y2 + p23) * y2 + p01;
}

// The three steps from y and u to the weights. They stand alone because each waits long for itself: many slerps are
// quicker step by step (see sampling_kernel.h) than one by one.
struct SlerpWeights {
  F a, b;
};
MARROW_INLINE SlerpWeights unscaled_weights(F t2, F u) {
  const F v = splat(1.0f) - u;
  return {v * sinc_of_square((v * v) * t2), u * sinc_of_square((u * u) * t2)};
}
MARROW_INLINE SlerpWeights unit_weights(const SlerpWeights& w, F y, F rough) {
  const F cosine = splat(1.0f) - (y + y);
  const F length2 = ((w.a * w.a + w.b * w.b) + (w.a * w.b) * (cosine + cosine)) * (rough * rough);
  const F scale = rough * (splat(1.5f) - splat(0.5f) * length2);
  return {w.a * scale, w.b * scale};
}

// Any two unit quaternions with dot(a, b) >= 0. Where u is 0 the result has a's bits.
MARROW_INLINE Quats slerp(const Quats& a, const Quats& b, F u) {
  const F y = squared_half_chord(a, b);
  const SlerpWeights w = unit_weights(unscaled_weights(squared_angle(y), u), y, inverse_sinc(y));
  return select(u == splat(0.0f), a, weighted_sum(a, w.a, b, w.b));
}

// For neighbouring keys, at one u for all lanes: sin(u t) / sin(t) is u times a series in y whose coefficients depend
// on u alone (Eberly, "A Fast and Accurate Algorithm for Computing SLERP", 2011); up to the third power it is exact to
// 1e-8 for y <= 1 / 80. That is half a radian between keys.

struct NearSlerp {
  float wa[4], wb[4];  // coefficients of the powers of y

  static inline void series(float u, float* w) {
    const float u2 = u * u;
    w[0] = u;
    w[1] = w[0] * ((1.0f - u2) * (2.0f / 3.0f));
    w[2] = w[1] * ((4.0f - u2) * (1.0f / 5.0f));
    w[3] = w[2] * ((9.0f - u2) * (2.0f / 21.0f));
  }
  explicit NearSlerp(float u) {
    series(1.0f - u, wa);
    series(u, wb);
  }
};

MARROW_INLINE Quats slerp_near(const Quats& a, const Quats& b, const NearSlerp& s) {
  const F y = squared_half_chord(a, b);
  const F wa = ((splat(s.wa[3]) * y + splat(s.wa[2])) * y + splat(s.wa[1])) * y + splat(s.wa[0]);
  const F wb = ((splat(s.wb[3]) * y + splat(s.wb[2])) * y + splat(s.wb[1])) * y + splat(s.wb[0]);
  return weighted_sum(a, wa, b, wb);
}

// At one u for all lanes and any y up to 0.5 the weights are polynomials in y again, with coefficients that depend on u
// alone. The power series takes too many terms; fitted to y and u^2 it is
//
//   sin(u t) / sin(t) = u (1 + (1 - u^2) y (2 / 3 + rest y)),
//
// with a row of the coefficients of `rest` for each power of u^2. A short one does for y <= kNearSlerp, that is two
// rotations 96 degrees apart; error 8.1e-9. That of the long one is 2.1e-8.
inline constexpr float kNearSlerp = 1.0f / 6.0f;
inline constexpr uint32_t kFittedPowers = 8;

inline constexpr float kNearSlerpRest[4][kFittedPowers] = {
    {0.533280969f, 0.459386945f, 0.373153597f, 0.566251516f},
    {-0.133307129f, -0.166200817f, -0.155569836f, -0.269158721f},
    {-4.41444308e-06f, 0.0128870504f, 0.0176802687f, 0.0411442295f},
    {3.09181672e-07f, -1.31780953e-05f, -0.000512300699f, -0.00245663919f}};
inline constexpr float kFarSlerpRest[4][kFittedPowers] = {
    {0.533225536f, 0.460891902f, 0.352667779f, 0.78139472f, -1.50221729f, 5.17887163f, -6.83345747f, 5.01255417f},
    {-0.13327162f, -0.167225093f, -0.141420364f, -0.406863183f, 0.88585943f, -2.93802214f, 3.9081943f, -2.84019041f},
    {-1.31448242e-05f, 0.0131552331f, 0.0139231933f, 0.0749220029f, -0.196477249f, 0.617109656f, -0.830824256f,
     0.595001638f},
    {1.28438262e-06f, -4.46136364e-05f, -6.76546333e-05f, -0.00621838355f, 0.0199860111f, -0.0593182594f, 0.0809436962f,
     -0.0569348708f}};

class EvenSlerp {
 public:
  MARROW_INLINE_METHOD EvenSlerp(const float (&rest)[4][kFittedPowers], float u) {
    expand(rest, 1.0f - u, a_);
    expand(rest, u, b_);
  }

  MARROW_INLINE_METHOD SlerpWeights near_weights(F y) const { return {short_value(a_, y), short_value(b_, y)}; }
  MARROW_INLINE_METHOD SlerpWeights far_weights(F y) const { return {long_value(a_, y), long_value(b_, y)}; }

 private:
  static MARROW_INLINE_METHOD void expand(const float (&rest)[4][kFittedPowers], float u, float* w) {
    const float u2 = u * u, first = u * (1.0f - u2);
    w[0] = u;
    w[1] = first * (2.0f / 3.0f);
    const F s = splat(u2);
    for (uint32_t k = 0; k < kFittedPowers; k += MARROW_LANES) {
      const F sum = ((load(rest[3] + k) * s + load(rest[2] + k)) * s + load(rest[1] + k)) * s + load(rest[0] + k);
      store(w + 2 + k, sum * splat(first));
    }
  }

  static MARROW_INLINE_METHOD F short_value(const float* w, F y) {
    const F y2 = y * y;
    const F p45 = splat(w[5]) * y + splat(w[4]);
    const F p23 = splat(w[3]) * y + splat(w[2]);
    const F p01 = splat(w[1]) * y + splat(w[0]);
    return (p45 * y2 + p23) * y2 + p01;
  }
  static MARROW_INLINE_METHOD F long_value(const float* w, F y) {
    const F y2 = y * y, y4 = y2 * y2;
    const F p89 = splat(w[9]) * y + splat(w[8]);
    const F p67 = splat(w[7]) * y + splat(w[6]);
    const F p45 = splat(w[5]) * y + splat(w[4]);
    const F p23 = splat(w[3]) * y + splat(w[2]);
    const F p01 = splat(w[1]) * y + splat(w[0]);
    return ((p89 * y2 + p67) * y2 + p45) * y4 + (p23 * y2 + p01);
  }

  float a_[2 + kFittedPowers], b_[2 + kFittedPowers];
};

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

// ---- Rotation vectors ------------------------------------------------------------------------------------------

// t / sin(t) for y = sin(t / 2)^2 in [0, 0.5]; relative error 4.1e-8 before rounding.
MARROW_INLINE F exact_inverse_sinc(F y) {
  const F y2 = y * y, y4 = y2 * y2;
  const F p89 = splat(4.25450802f) * y + splat(-5.16146231f);
  const F p67 = splat(3.65292478f) * y + splat(-0.759247124f);
  const F p45 = splat(0.574334681f) * y + splat(0.385433018f);
  const F p23 = splat(0.458193719f) * y + splat(0.533313274f);
  const F p01 = splat(0.666666746f) * y + splat(1.0f);
  return ((p89 * y2 + p67) * y2 + p45) * y4 + (p23 * y2 + p01);
}

// t / sin(t) for x = 1 - cos(t) in [0, kNearArc], that is up to 46 degrees of rotation; relative error 3.5e-8 before
// rounding.
inline constexpr float kNearArc = 0.08f;
MARROW_INLINE F near_inverse_sinc(F x) {
  const F p23 = splat(0.060320016f) * x + splat(0.1332369f);
  const F p01 = splat(0.33333376f) * x + splat(1.0f);
  return p23 * (x * x) + p01;
}

// cos(a) for x = a^2 in [0, 2.5]; error 7.8e-9 before rounding.
MARROW_INLINE F cosine_of_square(F x) {
  const F x2 = x * x;
  const F p45 = splat(-2.62812421e-07f) * x + splat(2.47738717e-05f);
  const F p23 = splat(-0.00138886424f) * x + splat(0.0416666605f);
  const F p01 = splat(-0.5f) * x + splat(1.0f);
  return (p45 * x2 + p23) * x2 + p01;
}

MARROW_INLINE Quats negated(const Quats& q) {
  const F minus = splat(-1.0f);
  return scale(q, minus);
}
MARROW_INLINE Quats add(const Quats& a, const Quats& b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }

// Whichever of q and -q is nearer to `to`.
MARROW_INLINE Quats aligned(const Quats& q, const Quats& to) { return select(dot(q, to) < splat(0.0f), negated(q), q); }

// Puts the length of a quaternion that is unit to 1e-4 right to rounding.
MARROW_INLINE Quats renormalized(const Quats& q) { return scale(q, splat(1.5f) - splat(0.5f) * dot(q, q)); }

MARROW_INLINE Quats multiply(const Quats& a, const Quats& b) {
  return {(a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y), (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z),
          (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x), (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z)};
}

}  // namespace marrow::MARROW_LANES_NAMESPACE

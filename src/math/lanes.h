// Vectors of floats, one thin type for every instruction set: the only file that names vector instructions. Internal.
//
// A file that includes this sets MARROW_LANES to 1, 4 or 8 first and is compiled for that instruction set (see
// cmake/MarrowModules.cmake). Everything is in a namespace that carries the number, so that the copies never meet at
// link time; for the same reason neither this file nor a kernel file includes standard headers that have code in them.
//
//   F     MARROW_LANES floats, one for each of as many joints or tracks
//   M     as many truth values
//   Row   four floats, a row of a matrix
//   Row2  two Rows side by side
//
// times_sign_of(a, b) is a where b has the sign of plus, and -a where that of minus, zeros not excepted.
//
// only_w keeps the last of four and puts -0 in the places of the others: to add -0 changes no number, not even a zero.
//
// shuffle<i, j, k, l>(a, b) is a[i] a[j] b[k] b[l], in each four of the lanes.
//
// All operations are done lane by lane with IEEE arithmetic; none reduces across lanes. So a result does not depend on
// the number of lanes.
#pragma once

#include <stdint.h>

#include "src/math/imports.h"

#ifndef MARROW_LANES
#error "define MARROW_LANES as 1, 4 or 8 before including lanes.h"
#endif

#if MARROW_LANES == 8
#define MARROW_LANES_NAMESPACE lanes8
#define MARROW_ROW_SSE
#elif MARROW_LANES == 4
#define MARROW_LANES_NAMESPACE lanes4
#if defined(MARROW_X86)
#define MARROW_ROW_SSE
#elif defined(__aarch64__)
#define MARROW_ROW_NEON
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#define MARROW_ROW_WASM
#include <wasm_simd128.h>
#else
#error "four lanes need SSE2, NEON or WebAssembly SIMD"
#endif
#elif MARROW_LANES == 1
#define MARROW_LANES_NAMESPACE lanes1
#else
#error "MARROW_LANES must be 1, 4 or 8"
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#define MARROW_INLINE_METHOD __forceinline
#else
#define MARROW_INLINE_METHOD inline __attribute__((always_inline))
#endif
#define MARROW_INLINE static MARROW_INLINE_METHOD

namespace marrow::MARROW_LANES_NAMESPACE {

// ---- Row: four floats ------------------------------------------------------------------------------------------

#if defined(MARROW_ROW_SSE)

struct Row {
  __m128 v;
};
struct RowMask {
  __m128 v;
};
MARROW_INLINE Row load_row(const float* p) { return {_mm_loadu_ps(p)}; }
MARROW_INLINE void store_row(float* p, Row a) { _mm_storeu_ps(p, a.v); }
MARROW_INLINE Row splat_row(float x) { return {_mm_set1_ps(x)}; }
MARROW_INLINE Row operator+(Row a, Row b) { return {_mm_add_ps(a.v, b.v)}; }
MARROW_INLINE Row operator-(Row a, Row b) { return {_mm_sub_ps(a.v, b.v)}; }
MARROW_INLINE Row operator*(Row a, Row b) { return {_mm_mul_ps(a.v, b.v)}; }
MARROW_INLINE Row operator/(Row a, Row b) { return {_mm_div_ps(a.v, b.v)}; }
MARROW_INLINE Row square_root(Row a) { return {_mm_sqrt_ps(a.v)}; }
MARROW_INLINE RowMask operator<(Row a, Row b) { return {_mm_cmplt_ps(a.v, b.v)}; }
MARROW_INLINE RowMask operator==(Row a, Row b) { return {_mm_cmpeq_ps(a.v, b.v)}; }
MARROW_INLINE Row select(RowMask m, Row a, Row b) { return {_mm_or_ps(_mm_and_ps(m.v, a.v), _mm_andnot_ps(m.v, b.v))}; }
MARROW_INLINE Row times_sign_of(Row a, Row b) { return {_mm_xor_ps(a.v, _mm_and_ps(b.v, _mm_set1_ps(-0.0f)))}; }
MARROW_INLINE RowMask operator&(RowMask a, RowMask b) { return {_mm_and_ps(a.v, b.v)}; }
MARROW_INLINE uint32_t bits_of(RowMask m) { return static_cast<uint32_t>(_mm_movemask_ps(m.v)); }
MARROW_INLINE RowMask row_mask(uint32_t bits) {
  const __m128i ones = _mm_set_epi32(8, 4, 2, 1);
  const __m128i set = _mm_and_si128(_mm_set1_epi32(static_cast<int>(bits)), ones);
  return {_mm_castsi128_ps(_mm_cmpeq_epi32(set, ones))};
}
MARROW_INLINE Row splat_x(Row a) { return {_mm_shuffle_ps(a.v, a.v, 0x00)}; }
MARROW_INLINE Row splat_y(Row a) { return {_mm_shuffle_ps(a.v, a.v, 0x55)}; }
MARROW_INLINE Row splat_z(Row a) { return {_mm_shuffle_ps(a.v, a.v, 0xaa)}; }
MARROW_INLINE Row splat_w(Row a) { return {_mm_shuffle_ps(a.v, a.v, 0xff)}; }
MARROW_INLINE Row only_w(Row a) {
  const __m128i w = _mm_set_epi32(-1, 0, 0, 0);
  return {_mm_or_ps(_mm_and_ps(a.v, _mm_castsi128_ps(w)), _mm_set_ps(0.0f, -0.0f, -0.0f, -0.0f))};
}
MARROW_INLINE void transpose(Row& a, Row& b, Row& c, Row& d) { _MM_TRANSPOSE4_PS(a.v, b.v, c.v, d.v); }
template <int i, int j, int k, int l>
MARROW_INLINE Row shuffle(Row a, Row b) {
  return {_mm_shuffle_ps(a.v, b.v, i | j << 2 | k << 4 | l << 6)};
}
MARROW_INLINE void store_row3(float* p, Row a) {
  _mm_storel_pi(reinterpret_cast<__m64*>(p), a.v);
  _mm_store_ss(p + 2, _mm_movehl_ps(a.v, a.v));
}

#elif defined(MARROW_ROW_NEON)

struct Row {
  float32x4_t v;
};
struct RowMask {
  uint32x4_t v;
};
MARROW_INLINE Row load_row(const float* p) { return {vld1q_f32(p)}; }
MARROW_INLINE void store_row(float* p, Row a) { vst1q_f32(p, a.v); }
MARROW_INLINE Row splat_row(float x) { return {vdupq_n_f32(x)}; }
MARROW_INLINE Row operator+(Row a, Row b) { return {vaddq_f32(a.v, b.v)}; }
MARROW_INLINE Row operator-(Row a, Row b) { return {vsubq_f32(a.v, b.v)}; }
MARROW_INLINE Row operator*(Row a, Row b) { return {vmulq_f32(a.v, b.v)}; }
MARROW_INLINE Row operator/(Row a, Row b) { return {vdivq_f32(a.v, b.v)}; }
MARROW_INLINE Row square_root(Row a) { return {vsqrtq_f32(a.v)}; }
MARROW_INLINE RowMask operator<(Row a, Row b) { return {vcltq_f32(a.v, b.v)}; }
MARROW_INLINE RowMask operator==(Row a, Row b) { return {vceqq_f32(a.v, b.v)}; }
MARROW_INLINE Row select(RowMask m, Row a, Row b) { return {vbslq_f32(m.v, a.v, b.v)}; }
MARROW_INLINE Row times_sign_of(Row a, Row b) {
  const uint32x4_t sign = vandq_u32(vreinterpretq_u32_f32(b.v), vdupq_n_u32(0x80000000u));
  return {vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(a.v), sign))};
}
MARROW_INLINE RowMask operator&(RowMask a, RowMask b) { return {vandq_u32(a.v, b.v)}; }
MARROW_INLINE uint32_t bits_of(RowMask m) {
  const uint32_t ones[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(m.v, vld1q_u32(ones)));
}
MARROW_INLINE RowMask row_mask(uint32_t bits) {
  const uint32_t ones[4] = {1, 2, 4, 8};
  return {vtstq_u32(vdupq_n_u32(bits), vld1q_u32(ones))};
}
MARROW_INLINE Row splat_x(Row a) { return {vdupq_laneq_f32(a.v, 0)}; }
MARROW_INLINE Row splat_y(Row a) { return {vdupq_laneq_f32(a.v, 1)}; }
MARROW_INLINE Row splat_z(Row a) { return {vdupq_laneq_f32(a.v, 2)}; }
MARROW_INLINE Row splat_w(Row a) { return {vdupq_laneq_f32(a.v, 3)}; }
MARROW_INLINE Row only_w(Row a) { return {vsetq_lane_f32(vgetq_lane_f32(a.v, 3), vdupq_n_f32(-0.0f), 3)}; }
MARROW_INLINE void transpose(Row& a, Row& b, Row& c, Row& d) {
  const float32x4x2_t ab = vtrnq_f32(a.v, b.v), cd = vtrnq_f32(c.v, d.v);
  a.v = vcombine_f32(vget_low_f32(ab.val[0]), vget_low_f32(cd.val[0]));
  b.v = vcombine_f32(vget_low_f32(ab.val[1]), vget_low_f32(cd.val[1]));
  c.v = vcombine_f32(vget_high_f32(ab.val[0]), vget_high_f32(cd.val[0]));
  d.v = vcombine_f32(vget_high_f32(ab.val[1]), vget_high_f32(cd.val[1]));
}
template <int i, int j, int k, int l>
MARROW_INLINE Row shuffle(Row a, Row b) {
  float32x4_t r = vdupq_laneq_f32(a.v, i);
  r = vcopyq_laneq_f32(r, 1, a.v, j);
  r = vcopyq_laneq_f32(r, 2, b.v, k);
  return {vcopyq_laneq_f32(r, 3, b.v, l)};
}
MARROW_INLINE void store_row3(float* p, Row a) {
  vst1_f32(p, vget_low_f32(a.v));
  vst1q_lane_f32(p + 2, a.v, 2);
}

#elif defined(MARROW_ROW_WASM)

struct Row {
  v128_t v;
};
struct RowMask {
  v128_t v;
};
MARROW_INLINE Row load_row(const float* p) { return {wasm_v128_load(p)}; }
MARROW_INLINE void store_row(float* p, Row a) { wasm_v128_store(p, a.v); }
MARROW_INLINE Row splat_row(float x) { return {wasm_f32x4_splat(x)}; }
MARROW_INLINE Row operator+(Row a, Row b) { return {wasm_f32x4_add(a.v, b.v)}; }
MARROW_INLINE Row operator-(Row a, Row b) { return {wasm_f32x4_sub(a.v, b.v)}; }
MARROW_INLINE Row operator*(Row a, Row b) { return {wasm_f32x4_mul(a.v, b.v)}; }
MARROW_INLINE Row operator/(Row a, Row b) { return {wasm_f32x4_div(a.v, b.v)}; }
MARROW_INLINE Row square_root(Row a) { return {wasm_f32x4_sqrt(a.v)}; }
MARROW_INLINE RowMask operator<(Row a, Row b) { return {wasm_f32x4_lt(a.v, b.v)}; }
MARROW_INLINE RowMask operator==(Row a, Row b) { return {wasm_f32x4_eq(a.v, b.v)}; }
MARROW_INLINE Row select(RowMask m, Row a, Row b) { return {wasm_v128_bitselect(a.v, b.v, m.v)}; }
MARROW_INLINE Row times_sign_of(Row a, Row b) {
  return {wasm_v128_xor(a.v, wasm_v128_and(b.v, wasm_f32x4_splat(-0.0f)))};
}
MARROW_INLINE RowMask operator&(RowMask a, RowMask b) { return {wasm_v128_and(a.v, b.v)}; }
MARROW_INLINE uint32_t bits_of(RowMask m) { return wasm_i32x4_bitmask(m.v); }
MARROW_INLINE RowMask row_mask(uint32_t bits) {
  const v128_t ones = wasm_i32x4_make(1, 2, 4, 8);
  return {wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat(static_cast<int32_t>(bits)), ones), ones)};
}
MARROW_INLINE Row splat_x(Row a) { return {wasm_i32x4_shuffle(a.v, a.v, 0, 0, 0, 0)}; }
MARROW_INLINE Row splat_y(Row a) { return {wasm_i32x4_shuffle(a.v, a.v, 1, 1, 1, 1)}; }
MARROW_INLINE Row splat_z(Row a) { return {wasm_i32x4_shuffle(a.v, a.v, 2, 2, 2, 2)}; }
MARROW_INLINE Row splat_w(Row a) { return {wasm_i32x4_shuffle(a.v, a.v, 3, 3, 3, 3)}; }
MARROW_INLINE Row only_w(Row a) { return {wasm_i32x4_shuffle(a.v, wasm_f32x4_splat(-0.0f), 4, 4, 4, 3)}; }
MARROW_INLINE void transpose(Row& a, Row& b, Row& c, Row& d) {
  const v128_t ab_lo = wasm_i32x4_shuffle(a.v, b.v, 0, 4, 1, 5), ab_hi = wasm_i32x4_shuffle(a.v, b.v, 2, 6, 3, 7);
  const v128_t cd_lo = wasm_i32x4_shuffle(c.v, d.v, 0, 4, 1, 5), cd_hi = wasm_i32x4_shuffle(c.v, d.v, 2, 6, 3, 7);
  a.v = wasm_i32x4_shuffle(ab_lo, cd_lo, 0, 1, 4, 5);
  b.v = wasm_i32x4_shuffle(ab_lo, cd_lo, 2, 3, 6, 7);
  c.v = wasm_i32x4_shuffle(ab_hi, cd_hi, 0, 1, 4, 5);
  d.v = wasm_i32x4_shuffle(ab_hi, cd_hi, 2, 3, 6, 7);
}
template <int i, int j, int k, int l>
MARROW_INLINE Row shuffle(Row a, Row b) {
  return {wasm_i32x4_shuffle(a.v, b.v, i, j, k + 4, l + 4)};
}
MARROW_INLINE void store_row3(float* p, Row a) {
  wasm_v128_store64_lane(p, a.v, 0);
  wasm_v128_store32_lane(p + 2, a.v, 2);
}

#else

struct Row {
  float v[4];
};
#define MARROW_EACH_OF_ROW(expression)               \
  Row r;                                             \
  for (int i = 0; i < 4; ++i) r.v[i] = (expression); \
  return r
MARROW_INLINE Row load_row(const float* p) { MARROW_EACH_OF_ROW(p[i]); }
MARROW_INLINE void store_row(float* p, Row a) {
  for (int i = 0; i < 4; ++i) p[i] = a.v[i];
}
MARROW_INLINE Row splat_row(float x) { MARROW_EACH_OF_ROW(x); }
MARROW_INLINE Row operator+(Row a, Row b) { MARROW_EACH_OF_ROW(a.v[i] + b.v[i]); }
MARROW_INLINE Row operator*(Row a, Row b) { MARROW_EACH_OF_ROW(a.v[i] * b.v[i]); }
MARROW_INLINE Row splat_x(Row a) { MARROW_EACH_OF_ROW(a.v[0]); }
MARROW_INLINE Row splat_y(Row a) { MARROW_EACH_OF_ROW(a.v[1]); }
MARROW_INLINE Row splat_z(Row a) { MARROW_EACH_OF_ROW(a.v[2]); }
MARROW_INLINE Row splat_w(Row a) { MARROW_EACH_OF_ROW(a.v[3]); }
MARROW_INLINE Row only_w(Row a) { MARROW_EACH_OF_ROW(i == 3 ? a.v[3] : -0.0f); }
#undef MARROW_EACH_OF_ROW

#endif

// ---- Row2: two rows side by side -------------------------------------------------------------------------------

#if MARROW_LANES == 8

struct Row2 {
  __m256 v;
};
MARROW_INLINE Row2 load_row2(const float* p) { return {_mm256_loadu_ps(p)}; }
MARROW_INLINE Row2 load_row_twice(const float* p) { return {_mm256_broadcast_ps(reinterpret_cast<const __m128*>(p))}; }
MARROW_INLINE Row2 splat_row2(float x) { return {_mm256_set1_ps(x)}; }
MARROW_INLINE void store_row2(float* p, Row2 a) { _mm256_storeu_ps(p, a.v); }
MARROW_INLINE Row2 operator+(Row2 a, Row2 b) { return {_mm256_add_ps(a.v, b.v)}; }
MARROW_INLINE Row2 operator*(Row2 a, Row2 b) { return {_mm256_mul_ps(a.v, b.v)}; }
MARROW_INLINE Row2 splat_x(Row2 a) { return {_mm256_permute_ps(a.v, 0x00)}; }
MARROW_INLINE Row2 splat_y(Row2 a) { return {_mm256_permute_ps(a.v, 0x55)}; }
MARROW_INLINE Row2 splat_z(Row2 a) { return {_mm256_permute_ps(a.v, 0xaa)}; }
MARROW_INLINE Row2 splat_w(Row2 a) { return {_mm256_permute_ps(a.v, 0xff)}; }
MARROW_INLINE Row2 only_w(Row2 a) { return {_mm256_blend_ps(a.v, _mm256_set1_ps(-0.0f), 0x77)}; }
MARROW_INLINE Row first(Row2 a) { return {_mm256_castps256_ps128(a.v)}; }

#else

struct Row2 {
  Row a, b;
};
MARROW_INLINE Row2 load_row2(const float* p) { return {load_row(p), load_row(p + 4)}; }
MARROW_INLINE Row2 load_row_twice(const float* p) { return {load_row(p), load_row(p)}; }
MARROW_INLINE Row2 splat_row2(float x) { return {splat_row(x), splat_row(x)}; }
MARROW_INLINE void store_row2(float* p, Row2 x) {
  store_row(p, x.a);
  store_row(p + 4, x.b);
}
MARROW_INLINE Row2 operator+(Row2 x, Row2 y) { return {x.a + y.a, x.b + y.b}; }
MARROW_INLINE Row2 operator*(Row2 x, Row2 y) { return {x.a * y.a, x.b * y.b}; }
MARROW_INLINE Row2 splat_x(Row2 x) { return {splat_x(x.a), splat_x(x.b)}; }
MARROW_INLINE Row2 splat_y(Row2 x) { return {splat_y(x.a), splat_y(x.b)}; }
MARROW_INLINE Row2 splat_z(Row2 x) { return {splat_z(x.a), splat_z(x.b)}; }
MARROW_INLINE Row2 splat_w(Row2 x) { return {splat_w(x.a), splat_w(x.b)}; }
MARROW_INLINE Row2 only_w(Row2 x) { return {only_w(x.a), only_w(x.b)}; }
MARROW_INLINE Row first(Row2 x) { return x.a; }

#endif

// ---- F: one float for each lane --------------------------------------------------------------------------------

#if MARROW_LANES == 8

struct F {
  __m256 v;
};
struct M {
  __m256 v;
};
MARROW_INLINE F load(const float* p) { return {_mm256_loadu_ps(p)}; }
MARROW_INLINE void store(float* p, F a) { _mm256_storeu_ps(p, a.v); }
MARROW_INLINE F splat(float x) { return {_mm256_set1_ps(x)}; }
MARROW_INLINE F operator+(F a, F b) { return {_mm256_add_ps(a.v, b.v)}; }
MARROW_INLINE F operator-(F a, F b) { return {_mm256_sub_ps(a.v, b.v)}; }
MARROW_INLINE F operator*(F a, F b) { return {_mm256_mul_ps(a.v, b.v)}; }
MARROW_INLINE F operator/(F a, F b) { return {_mm256_div_ps(a.v, b.v)}; }
MARROW_INLINE F square_root(F a) { return {_mm256_sqrt_ps(a.v)}; }
MARROW_INLINE M operator<(F a, F b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)}; }
MARROW_INLINE M operator==(F a, F b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_EQ_OQ)}; }
MARROW_INLINE F select(M m, F a, F b) { return {_mm256_blendv_ps(b.v, a.v, m.v)}; }
MARROW_INLINE F times_sign_of(F a, F b) { return {_mm256_xor_ps(a.v, _mm256_and_ps(b.v, _mm256_set1_ps(-0.0f)))}; }
MARROW_INLINE M operator&(M a, M b) { return {_mm256_and_ps(a.v, b.v)}; }
MARROW_INLINE uint32_t bits_of(M m) { return static_cast<uint32_t>(_mm256_movemask_ps(m.v)); }
MARROW_INLINE M mask(uint32_t bits) {
  const __m256i ones = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
  const __m256i set = _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(bits)), ones);
  return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(set, ones))};
}

template <int i, int j, int k, int l>
MARROW_INLINE F shuffle(F a, F b) {
  return {_mm256_shuffle_ps(a.v, b.v, i | j << 2 | k << 4 | l << 6)};
}

// Transposes four vectors so that the low half of a, b, c, d has the four values of lanes 0, 1, 2, 3, and the high half
// those of lanes 4, 5, 6, 7. It is its own inverse.
MARROW_INLINE void transpose_halves(F& a, F& b, F& c, F& d) {
  const __m256 ab_lo = _mm256_unpacklo_ps(a.v, b.v), ab_hi = _mm256_unpackhi_ps(a.v, b.v);
  const __m256 cd_lo = _mm256_unpacklo_ps(c.v, d.v), cd_hi = _mm256_unpackhi_ps(c.v, d.v);
  a.v = _mm256_shuffle_ps(ab_lo, cd_lo, 0x44);
  b.v = _mm256_shuffle_ps(ab_lo, cd_lo, 0xee);
  c.v = _mm256_shuffle_ps(ab_hi, cd_hi, 0x44);
  d.v = _mm256_shuffle_ps(ab_hi, cd_hi, 0xee);
}

#elif MARROW_LANES == 4

using F = Row;
using M = RowMask;
MARROW_INLINE F load(const float* p) { return load_row(p); }
MARROW_INLINE void store(float* p, F a) { store_row(p, a); }
MARROW_INLINE F splat(float x) { return splat_row(x); }
MARROW_INLINE M mask(uint32_t bits) { return row_mask(bits); }

#else

struct F {
  float v;
};
struct M {
  bool v;
};
MARROW_INLINE F load(const float* p) { return {*p}; }
MARROW_INLINE void store(float* p, F a) { *p = a.v; }
MARROW_INLINE F splat(float x) { return {x}; }
MARROW_INLINE F operator+(F a, F b) { return {a.v + b.v}; }
MARROW_INLINE F operator-(F a, F b) { return {a.v - b.v}; }
MARROW_INLINE F operator*(F a, F b) { return {a.v * b.v}; }
MARROW_INLINE F operator/(F a, F b) { return {a.v / b.v}; }
MARROW_INLINE F square_root(F a) { return {platform::square_root(a.v)}; }
MARROW_INLINE M operator<(F a, F b) { return {a.v < b.v}; }
MARROW_INLINE M operator==(F a, F b) { return {a.v == b.v}; }
MARROW_INLINE F select(M m, F a, F b) { return m.v ? a : b; }
MARROW_INLINE F times_sign_of(F a, F b) {
  const uint32_t sign = platform::bit_cast<uint32_t>(b.v) & 0x80000000u;
  return {platform::bit_cast<float>(platform::bit_cast<uint32_t>(a.v) ^ sign)};
}
MARROW_INLINE M operator&(M a, M b) { return {a.v && b.v}; }
MARROW_INLINE uint32_t bits_of(M m) { return m.v ? 1u : 0u; }
MARROW_INLINE M mask(uint32_t bits) { return {(bits & 1u) != 0}; }

#endif

// All of bits_of(M) set.
inline constexpr uint32_t kAllLanes = (1u << MARROW_LANES) - 1u;

// Writes, for each lane i, the four floats a b c d of that lane at p + i * stride.
MARROW_INLINE void store_rows(float* p, uint32_t stride, F a, F b, F c, F d) {
#if MARROW_LANES == 8
  transpose_halves(a, b, c, d);
  _mm_storeu_ps(p, _mm256_castps256_ps128(a.v));
  _mm_storeu_ps(p + stride, _mm256_castps256_ps128(b.v));
  _mm_storeu_ps(p + 2 * stride, _mm256_castps256_ps128(c.v));
  _mm_storeu_ps(p + 3 * stride, _mm256_castps256_ps128(d.v));
  _mm_storeu_ps(p + 4 * stride, _mm256_extractf128_ps(a.v, 1));
  _mm_storeu_ps(p + 5 * stride, _mm256_extractf128_ps(b.v, 1));
  _mm_storeu_ps(p + 6 * stride, _mm256_extractf128_ps(c.v, 1));
  _mm_storeu_ps(p + 7 * stride, _mm256_extractf128_ps(d.v, 1));
#elif MARROW_LANES == 4
  transpose(a, b, c, d);
  store_row(p, a);
  store_row(p + stride, b);
  store_row(p + 2 * stride, c);
  store_row(p + 3 * stride, d);
#else
  (void)stride;
  p[0] = a.v;
  p[1] = b.v;
  p[2] = c.v;
  p[3] = d.v;
#endif
}

// Reads, for each lane i, the four floats at p + index[i] * stride, as the vectors a b c d.
MARROW_INLINE void load_rows(const float* p, const uint32_t* index, uint32_t stride, F& a, F& b, F& c, F& d) {
#if MARROW_LANES == 8
  const auto two = [p, index, stride](int low, int high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + index[low] * stride)),
                                _mm_loadu_ps(p + index[high] * stride), 1);
  };
  a.v = two(0, 4);
  b.v = two(1, 5);
  c.v = two(2, 6);
  d.v = two(3, 7);
  transpose_halves(a, b, c, d);
#elif MARROW_LANES == 4
  a = load_row(p + index[0] * stride);
  b = load_row(p + index[1] * stride);
  c = load_row(p + index[2] * stride);
  d = load_row(p + index[3] * stride);
  transpose(a, b, c, d);
#else
  const float* row = p + index[0] * stride;
  a.v = row[0];
  b.v = row[1];
  c.v = row[2];
  d.v = row[3];
#endif
}

// Reads, for each lane i, the four floats at p + i * stride, as the vectors a b c d.
MARROW_INLINE void load_rows(const float* p, uint32_t stride, F& a, F& b, F& c, F& d) {
  static constexpr uint32_t kInOrder[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  load_rows(p, kInOrder, stride, a, b, c, d);
}

// Reads, for each lane i, the three floats at p + i * stride. What follows the last of them must be readable, unless
// the stride is 3.
MARROW_INLINE void load_vectors(const float* p, uint32_t stride, F& x, F& y, F& z) {
#if MARROW_LANES == 1
  (void)stride;
  x.v = p[0];
  y.v = p[1];
  z.v = p[2];
#else
  if (stride != 3) {
    F unused;
    return load_rows(p, stride, x, y, z, unused);
  }
  // Twelve floats, x y z x | y z x y | z x y z, are four vectors; with eight lanes another twelve beside them.
#if MARROW_LANES == 8
  const auto two = [p](int at) {
    return F{_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p + at)), _mm_loadu_ps(p + 12 + at), 1)};
  };
  const F a = two(0), b = two(4), c = two(8);
#else
  const F a = load(p), b = load(p + 4), c = load(p + 8);
#endif
  const F xy = shuffle<2, 3, 1, 2>(b, c), yz = shuffle<1, 2, 0, 1>(a, b);
  x = shuffle<0, 3, 0, 2>(a, xy);
  y = shuffle<0, 2, 1, 3>(yz, xy);
  z = shuffle<1, 3, 0, 3>(yz, c);
#endif
}

// Writes, for each lane i, x y z at p + i * stride, and nothing else.
MARROW_INLINE void store_vectors(float* p, uint32_t stride, F x, F y, F z) {
#if MARROW_LANES == 1
  (void)stride;
  p[0] = x.v;
  p[1] = y.v;
  p[2] = z.v;
#else
  if (stride == 3) {
    const F xy = shuffle<0, 2, 0, 2>(x, y), yz = shuffle<1, 3, 1, 3>(y, z), zx = shuffle<0, 2, 1, 3>(z, x);
    const F a = shuffle<0, 2, 0, 2>(xy, zx), b = shuffle<0, 2, 1, 3>(yz, xy), c = shuffle<1, 3, 1, 3>(zx, yz);
#if MARROW_LANES == 8
    _mm_storeu_ps(p, _mm256_castps256_ps128(a.v));
    _mm_storeu_ps(p + 4, _mm256_castps256_ps128(b.v));
    _mm_storeu_ps(p + 8, _mm256_castps256_ps128(c.v));
    _mm_storeu_ps(p + 12, _mm256_extractf128_ps(a.v, 1));
    _mm_storeu_ps(p + 16, _mm256_extractf128_ps(b.v, 1));
    _mm_storeu_ps(p + 20, _mm256_extractf128_ps(c.v, 1));
#else
    store(p, a);
    store(p + 4, b);
    store(p + 8, c);
#endif
    return;
  }
  F w = splat(0.0f);
#if MARROW_LANES == 8
  transpose_halves(x, y, z, w);
  const __m256 rows[4] = {x.v, y.v, z.v, w.v};
  for (int i = 0; i < 4; ++i) {
    store_row3(p + static_cast<uint32_t>(i) * stride, {_mm256_castps256_ps128(rows[i])});
    store_row3(p + static_cast<uint32_t>(i + 4) * stride, {_mm256_extractf128_ps(rows[i], 1)});
  }
#else
  transpose(x, y, z, w);
  store_row3(p, x);
  store_row3(p + stride, y);
  store_row3(p + 2 * stride, z);
  store_row3(p + 3 * stride, w);
#endif
#endif
}

// Reads, for each lane i, the eight floats at p + index[i] * stride, as the vectors v[0] to v[7].
MARROW_INLINE void load_row_pairs(const float* p, const uint32_t* index, uint32_t stride, F* v) {
#if MARROW_LANES == 8
  F a[4], b[4];
  for (int i = 0; i < 4; ++i) {
    a[i] = load(p + index[i] * stride);
    b[i] = load(p + index[i + 4] * stride);
  }
  transpose_halves(a[0], a[1], a[2], a[3]);
  transpose_halves(b[0], b[1], b[2], b[3]);
  for (int i = 0; i < 4; ++i) {
    v[i].v = _mm256_permute2f128_ps(a[i].v, b[i].v, 0x20);
    v[i + 4].v = _mm256_permute2f128_ps(a[i].v, b[i].v, 0x31);
  }
#else
  load_rows(p, index, stride, v[0], v[1], v[2], v[3]);
  load_rows(p + 4, index, stride, v[4], v[5], v[6], v[7]);
#endif
}

}  // namespace marrow::MARROW_LANES_NAMESPACE

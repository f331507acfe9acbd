// Floating-point states that a host may have set before it calls the library.
#pragma once

#include <cstdint>

#if defined(__x86_64__) || defined(_M_X64)
#define MARROW_TEST_FLOAT_STATES 1
#include <xmmintrin.h>
#elif defined(__aarch64__)
#define MARROW_TEST_FLOAT_STATES 1
#endif

#ifdef MARROW_TEST_FLOAT_STATES

namespace marrow::test {

#if defined(__aarch64__)
using FloatState = std::uint64_t;
inline FloatState get_float_state() {
  FloatState state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  return state;
}
inline void set_float_state(FloatState state) { __asm__ volatile("msr fpcr, %0" : : "r"(state) : "memory"); }
inline constexpr FloatState kHostStates[] = {
    0x01000000u,  // flush to zero
    0x00400000u,  // round up
    0x00c00000u,  // round toward zero
    0x01800000u,  // round down, flush to zero
};
#else
using FloatState = std::uint32_t;
inline FloatState get_float_state() { return _mm_getcsr() & 0xffc0u; }  // without the sticky flags
inline void set_float_state(FloatState state) { _mm_setcsr(state); }
inline constexpr FloatState kHostStates[] = {
    0x1f80u | 0x8040u,           // flush to zero, denormals are zero
    0x1f80u | 0x4000u,           // round up
    0x1f80u | 0x6000u,           // round toward zero
    0x1f80u | 0x2000u | 0x8040u  // round down, flush to zero, denormals are zero
};
#endif

// Runs call() under `state`, and returns the state that it left, which should be the same. Nothing in call() should
// compute but the library.
template <typename Call>
FloatState run_under(FloatState state, const Call& call) {
  const FloatState before = get_float_state();
  set_float_state(state);
  call();
  const FloatState after = get_float_state();
  set_float_state(before);
  return after;
}

}  // namespace marrow::test

#endif

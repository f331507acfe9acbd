// Everything that names a compiler or a processor, but for the vector instructions (src/math/lanes.h). Internal.
#pragma once

#include <cfloat>
#include <cstdint>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "marrow's results must not depend on the compiler: build its sources without fast-math (its CMake files do)"
#endif
static_assert(FLT_EVAL_METHOD == 0, "marrow needs float arithmetic to be done in float (use SSE2 on 32-bit x86)");

#if defined(__x86_64__) || defined(_M_X64) || defined(__i386__)
#define MARROW_X86 1
#include <immintrin.h>
#endif
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define MARROW_NOINLINE __declspec(noinline)
#else
#define MARROW_NOINLINE __attribute__((noinline))
#endif

namespace marrow::platform {

// What the kernels for four lanes are made of here.
#if defined(MARROW_X86)
inline constexpr const char* kFourLanesName = "sse2, 4 lanes";
#elif defined(__aarch64__)
inline constexpr const char* kFourLanesName = "neon, 4 lanes";
#else
inline constexpr const char* kFourLanesName = "wasm simd128, 4 lanes";
#endif

// True where the processor and the system can run AVX2 code.
static inline bool has_avx2() {
#if defined(MARROW_X86) && defined(_MSC_VER) && !defined(__clang__)
  int r[4];
  __cpuid(r, 1);
  constexpr int kAvxAndXsave = (1 << 28) | (1 << 27);
  if ((r[2] & kAvxAndXsave) != kAvxAndXsave || (_xgetbv(0) & 6) != 6) return false;
  __cpuidex(r, 7, 0);
  return (r[1] & (1 << 5)) != 0;
#elif defined(MARROW_X86)
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

// The bits of a value as another type of the same size; std::bit_cast, which not every library has yet.
template <typename To, typename From>
static inline To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

// The lower half of a * b; the upper goes to `high`.
static inline std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& high) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  high = static_cast<std::uint64_t>(product >> 64);
  return static_cast<std::uint64_t>(product);
#else
  const std::uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xffffffffu);
  high = a1 * b1 + (middle >> 32) + (other >> 32);
  return a * b;
#endif
}

// Asks for a line of memory that is going to be written soon.
static inline void prefetch(const void* address) {
#if defined(_MSC_VER) && !defined(__clang__) && defined(MARROW_X86)
  _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T1);
#elif !defined(_MSC_VER) || defined(__clang__)
  __builtin_prefetch(address, 1, 2);
#else
  (void)address;
#endif
}

// Square roots, correctly rounded, by the processor's instruction.
static inline float square_root(float x) { return __builtin_sqrtf(x); }
static inline double square_root(double x) { return __builtin_sqrt(x); }

// The index of the lowest bit that is set; there must be one.
static inline std::uint32_t lowest_bit(std::uint64_t bits) {
#if defined(_MSC_VER) && !defined(__clang__)
  unsigned long index;
  _BitScanForward64(&index, bits);
  return index;
#else
  return static_cast<std::uint32_t>(__builtin_ctzll(bits));
#endif
}

// Puts the floating-point unit into the state that the results are defined in, and back at the end of the scope:
// round to nearest, denormals kept, no traps. Hosts set other states (audio code and -ffast-math start-up files set
// flush-to-zero). Reading the state is cheap; it is written only where it differs.
class FloatScope {
 public:
  FloatScope() : saved_(read()) {
    if (!is_plain(saved_)) write(plain(saved_));
  }
  ~FloatScope() {
    if (!is_plain(saved_)) write(saved_);
  }
  FloatScope(const FloatScope&) = delete;
  FloatScope& operator=(const FloatScope&) = delete;

 private:
#if defined(MARROW_X86)
  // MXCSR: the low six bits are sticky flags; then denormals-are-zero, six trap masks, rounding, flush-to-zero.
  using State = std::uint32_t;
  static State read() { return _mm_getcsr(); }
  static void write(State state) { _mm_setcsr(state); }
  static bool is_plain(State state) { return (state & 0xffc0u) == 0x1f80u; }
  static State plain(State) { return 0x1f80u; }
#elif defined(__aarch64__)
  // FPCR: trap enables 8-15, half-precision flush 19, rounding 22-23, flush 24, default NaN 25, plus FEAT_AFP 0-2.
  using State = std::uint64_t;
  static constexpr State kMask = 0x03c89f07u;
  static State read() {
    State state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state;
  }
  static void write(State state) { __asm__ volatile("msr fpcr, %0" : : "r"(state) : "memory"); }
  static bool is_plain(State state) { return (state & kMask) == 0; }
  static State plain(State state) { return state & ~kMask; }
#elif defined(__wasm__)
  // There is one state only.
  using State = std::uint32_t;
  static State read() { return 0; }
  static void write(State) {}
  static bool is_plain(State) { return true; }
  static State plain(State state) { return state; }
#else
#error "say here how to read and write the floating-point state of this processor"
#endif

  State saved_;
};

}  // namespace marrow::platform

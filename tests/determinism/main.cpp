// golden [--lanes N] [--flush]: compares the hashes of the parts of golden.h with the expected ones.
// Prints one line with the hash of all parts if they agree. Otherwise prints one line per part that differs and exits
// with status 1. --flush first sets the processor to flush denormals and to round upwards, as a careless host would.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "golden.h"
#include "marrow/math/simd.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

void set_careless_float_state() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040u | 0x4000u);  // flush to zero, denormals are zero, round up
#elif defined(__aarch64__)
  unsigned long long state;
  __asm__ volatile("mrs %0, fpcr" : "=r"(state));
  __asm__ volatile("msr fpcr, %0" : : "r"(state | 1u << 24 | 1u << 22));
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const marrow::golden::Scene scene = marrow::golden::make_scene();
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--flush") == 0) set_careless_float_state();
    if (std::strcmp(argv[i], "--lanes") == 0 && i + 1 < argc) {
      const long lanes = std::strtol(argv[++i], nullptr, 10);
      if (!marrow::set_lanes(static_cast<marrow::Lanes>(lanes))) {
        std::printf("no kernels for %ld lanes here\n", lanes);
        return 2;
      }
    }
  }
  const char* lanes = marrow::to_string(marrow::active_lanes());
  const marrow::golden::Hashers hashers = marrow::golden::hash_frames(scene);
  bool agree = true;
  marrow::Hasher all;
  for (const marrow::golden::Part& part : marrow::golden::kParts) {
    const std::uint64_t actual = (hashers.*part.hasher).finish();
    all.add(actual);
    if (actual == part.expected) continue;
    std::printf("%s: expected %016" PRIx64 ", actual %016" PRIx64 ", %s\n", part.name, part.expected, actual, lanes);
    agree = false;
  }
  if (!agree) return 1;
  std::printf("%016" PRIx64 " %zu parts agree, %s\n", all.finish(), std::size(marrow::golden::kParts), lanes);
  return 0;
}

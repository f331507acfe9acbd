// Which vector instructions the kernels run on. They all give the same bits; this is for measuring and testing.
#pragma once

#include <span>

namespace marrow {

// How many floats the kernels work on at once: `one` is plain C++, `four` is SSE2, NEON or WebAssembly SIMD, `eight` is
// AVX2.
enum class Lanes { one = 1, four = 4, eight = 8 };

// Returns the choices that this build has and this processor can run, narrowest first. Never empty.
[[nodiscard]] std::span<const Lanes> available_lanes();

// Returns what is in use: the widest available unless set_lanes was called.
[[nodiscard]] Lanes active_lanes();

// Chooses for the whole process. Returns false, and changes nothing, if `lanes` is not available. Safe from any thread;
// calls that are under way finish on the kernels they began with.
bool set_lanes(Lanes lanes);

// Returns e.g. "avx2, 8 lanes".
[[nodiscard]] const char* to_string(Lanes lanes);

}  // namespace marrow

// Serials: numbers that name an object for as long as the process runs, for keys of caches.
//
//   const PaletteKey key = {next_serial(), 0};  // no instance of a scene has this owner
#pragma once

#include <cstdint>

namespace marrow {

// Returns a number above 0 that no other call returns. Any thread may call it.
[[nodiscard]] std::uint64_t next_serial();

}  // namespace marrow

// A large animation file made of arithmetic: what reading files is measured on.
#pragma once

#include <cstddef>
#include <vector>

namespace marrow::bench {

// Returns a .glb of 22 MB with 14,400 accessors, laid out as Blender and other exporters do it: the humanoid with a
// small skinned mesh and 40 clips. Most clips have keys of 30 Hz and times of its own for each channel, some are
// reduced, some share their times. The same bytes on every machine.
[[nodiscard]] std::vector<std::byte> make_large_file();

}  // namespace marrow::bench

// Writes the character and its things as .glb files.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "maker/mesh.h"
#include "marrow/anim/clip.h"

namespace marrow::character {

// Returns the bytes of a file with one mesh, and nothing that moves.
[[nodiscard]] std::vector<std::byte> write_thing(const MeshData& mesh);

// Returns the bytes of a file with the rig's joints, one mesh on them, and clips that were made for `skeleton`, which
// has joints of the rig's names. Tracks of morph weights, of whatever joint, are the mesh's.
[[nodiscard]] std::vector<std::byte> write_character(const MeshData& mesh, const Skeleton& skeleton,
                                                     std::span<const Clip> clips);

}  // namespace marrow::character

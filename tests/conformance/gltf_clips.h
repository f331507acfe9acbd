// Skeleton and clips of a plain glTF file, for runs on files that are not part of the project: float accessors without
// strides in one external buffer are all it knows.
#pragma once

#include <string>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/anim/skeleton.h"

namespace marrow::test {

struct GltfClips {
  Skeleton skeleton;
  std::vector<Clip> clips;
};

// Reads `path`; throws std::runtime_error on what it does not know.
[[nodiscard]] GltfClips read_gltf_clips(const std::string& path);

}  // namespace marrow::test

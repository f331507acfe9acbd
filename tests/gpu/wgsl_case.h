// One case of marrow_wgsl_cases: a shader in WGSL, the bytes that it reads, and what the CPU makes of the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "marrow/gpu/palette_storage.h"
#include "marrow/math/types.h"
#include "marrow/skin/vertex_formats.h"

namespace marrow::test {

struct WgslCase {
  PaletteStorage storage = PaletteStorage::uniform_3x4;
  std::uint32_t bones = 24;
  std::uint32_t max_bones = 0;  // that the shader is asked for
  bool bound = false;
  VertexFormat format = kFloatVertex;
  std::uint32_t morphs = 0;
  bool morphed_normals = true;
  bool pasted = false;        // into an engine's shader, not a whole one
  bool stray_joints = false;  // beyond the bones, where the weight is 0
  bool mirrored = false;
  float scale = 1;  // of the bones
};

[[nodiscard]] std::string case_name(const WgslCase& c);

struct WgslCaseFiles {
  std::string shader;
  std::vector<std::byte> data;
  nlohmann::json facts;  // among them where in the data its sections are
};

// Throws std::runtime_error if the library refuses it.
[[nodiscard]] WgslCaseFiles make_wgsl_case(const WgslCase& c, std::uint64_t number);

// The object and the camera of all cases.
[[nodiscard]] Affine world_matrix();
[[nodiscard]] Affine view_matrix();

}  // namespace marrow::test

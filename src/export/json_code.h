// Exported arrays as JSON. Internal.
#pragma once

#include <span>
#include <string>

#include "marrow/export/writers.h"

namespace marrow {

[[nodiscard]] std::string mesh_json(const ExportedMesh& mesh, const CodeOptions& options);
[[nodiscard]] std::string animation_json(std::span<const ExportedAnimation> animations, const CodeOptions& options);

// Returns e.g. "f16x4".
[[nodiscard]] const char* to_string(VertexType type);

// Returns e.g. "position"; joints are "bones", which is what they are indices of.
[[nodiscard]] const char* to_string(VertexSemantic semantic);

}  // namespace marrow

// Taking .glb files apart and putting them together, for the fuzz target that changes their parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace marrow::fuzz {

struct GlbFile {
  std::string json;
  std::vector<std::byte> binary;
  bool has_binary = false;
};

// Returns the parts of a whole .glb; nothing for other bytes.
[[nodiscard]] std::optional<GlbFile> split_glb(std::span<const std::byte> bytes);

// Returns a .glb with lengths that are right, its chunks padded as the standard asks for.
[[nodiscard]] std::vector<std::byte> join_glb(const GlbFile& file);

}  // namespace marrow::fuzz

#include "glb_container.h"

#include "src/gltf/glb.h"

namespace marrow::fuzz {
std::optional<GlbFile> split_glb(std::span<const std::byte> bytes) {
  const Result<GlbParts> parts = read_glb(bytes);
  if (!parts) return std::nullopt;
  return GlbFile{std::string(parts->json), {parts->binary.begin(), parts->binary.end()}, parts->has_binary};
}

}  // namespace marrow::fuzz

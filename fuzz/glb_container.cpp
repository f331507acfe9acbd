#include "glb_container.h"

#include "src/gltf/glb.h"

namespace marrow::fuzz {
namespace {

void append_word(std::vector<std::byte>& out, std::size_t value) {
  for (unsigned i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

void append_chunk(std::vector<std::byte>& out, std::uint32_t kind, std::span<const std::byte> contents, char padding) {
  const std::size_t padded = (contents.size() + 3) / 4 * 4;
  append_word(out, padded);
  append_word(out, kind);
  out.insert(out.end(), contents.begin(), contents.end());
  out.insert(out.end(), padded - contents.size(), static_cast<std::byte>(padding));
}

}  // namespace

std::optional<GlbFile> split_glb(std::span<const std::byte> bytes) {
  const Result<GlbParts> parts = read_glb(bytes);
  if (!parts) return std::nullopt;
  return GlbFile{std::string(parts->json), {parts->binary.begin(), parts->binary.end()}, parts->has_binary};
}

std::vector<std::byte> join_glb(const GlbFile& file) {
  std::vector<std::byte> out;
  append_word(out, 0x46546c67u);  // "glTF"
  append_word(out, 2);
  append_word(out, 0);
  append_chunk(out, 0x4e4f534au, std::as_bytes(std::span(file.json)), ' ');
  if (file.has_binary) append_chunk(out, 0x004e4942u, file.binary, '\0');
  for (unsigned i = 0; i < 4; ++i) out[8 + i] = static_cast<std::byte>(out.size() >> (8 * i));
  return out;
}

}  // namespace marrow::fuzz

#include "src/gltf/glb.h"

#include <cstdint>
#include <string>

namespace marrow {
namespace {

constexpr std::uint32_t kMagic = 0x46546c67u;   // "glTF"
constexpr std::uint32_t kJson = 0x4e4f534au;    // "JSON"
constexpr std::uint32_t kBinary = 0x004e4942u;  // "BIN"
constexpr std::size_t kHeaderBytes = 12, kChunkHeaderBytes = 8;

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i) word |= static_cast<std::uint32_t>(bytes[at + i]) << (8 * i);
  return word;
}

Error fail(const std::string& what, std::size_t at, ErrorCode code = ErrorCode::malformed) {
  return {code, what, Place::numbered("byte", at)};
}

}  // namespace

bool is_glb(std::span<const std::byte> bytes) { return bytes.size() >= 4 && word_at(bytes, 0) == kMagic; }

Result<GlbParts> read_glb(std::span<const std::byte> bytes) {
  if (!is_glb(bytes)) return fail("not a .glb file", 0);
  if (bytes.size() < kHeaderBytes) return fail("the file is cut off within its header", bytes.size());
  const std::uint32_t version = word_at(bytes, 4), length = word_at(bytes, 8);
  if (version != 2) {
    return fail("glTF of version " + std::to_string(version) + "; only 2 can be read", 4, ErrorCode::unsupported);
  }
  if (length > bytes.size()) {
    return fail(
        "the file is cut off: it states " + std::to_string(length) + " bytes and has " + std::to_string(bytes.size()),
        bytes.size());
  }
  if (length < kHeaderBytes) return fail("the file states a length that is too short for a header", 8);
  bytes = bytes.first(length);
  GlbParts parts;
  std::size_t at = kHeaderBytes;
  for (bool first = true; bytes.size() - at >= kChunkHeaderBytes; first = false) {
    const std::uint32_t size = word_at(bytes, at), kind = word_at(bytes, at + 4);
    const std::size_t start = at + kChunkHeaderBytes;
    if (size > bytes.size() - start) return fail("a chunk is longer than the file", at);
    const std::span<const std::byte> chunk = bytes.subspan(start, size);
    if (first && kind != kJson) return fail("the first chunk is not JSON", at + 4);
    if (first) {
      parts.json = {reinterpret_cast<const char*>(chunk.data()), chunk.size()};
    } else if (kind == kBinary && !parts.has_binary) {
      parts.binary = chunk;
      parts.has_binary = true;
    }
    at = start + size;
  }
  if (parts.json.data() == nullptr) return fail("the file has no JSON chunk", kHeaderBytes);
  return parts;
}

}  // namespace marrow

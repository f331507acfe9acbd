// The bytes that a glTF file names: buffers and views of them. Internal.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "src/gltf/document.h"

namespace marrow {

struct BufferView {
  std::span<const std::byte> bytes;
  std::size_t stride = 0;  // 0 if the file states none
};

// Loads and decodes what is asked for when it is asked for, once.
class Buffers {
 public:
  // All must outlive this. `binary` is the binary chunk of a .glb.
  Buffers(const GltfDocument& document, std::optional<std::span<const std::byte>> binary, const Resolver& resolver,
          Load& load);

  // Finds a buffer's bytes, as many as it states.
  bool buffer(std::size_t index, std::span<const std::byte>& out);

  // Finds a view's bytes, decompressed.
  bool view(std::size_t index, BufferView& out);

  // Reads a part of a buffer: byteOffset and byteLength of `object`.
  bool range(JsonValue buffer, JsonValue offset, JsonValue length, const PlacePath& path,
             std::span<const std::byte>& out);

  // Returns what a uri names: data of its own or, through the resolver, another file. Errors have no place.
  [[nodiscard]] Result<SharedBytes> resolve(std::string_view uri);

  // True for a data URI, and the first time that this is asked of a file, however it is spelled. Other files are not
  // counted against what may be spent, for they are there, but for those that are named again and again.
  bool is_new(std::string_view uri);

 private:
  bool decompress(JsonValue compression, const PlacePath& path, BufferView& out);

  const GltfDocument& document_;
  std::optional<std::span<const std::byte>> binary_;
  const Resolver& resolver_;
  Load& load_;
  std::vector<std::optional<SharedBytes>> buffers_;
  std::vector<std::optional<BufferView>> views_;
  std::vector<std::vector<std::byte>> decompressed_;
  std::set<std::string> named_;
};

}  // namespace marrow

#include "src/ffi/load.h"

#include <cstdio>
#include <memory>

#ifdef MARROW_HAS_GLTF
#include "marrow/gltf/reader.h"
#endif

namespace marrow::ffi {
namespace {

enum class Format : std::uint8_t { gltf };

// Returns what begins with these bytes. What is nothing that is known is for the reader of glTF to refuse.
Format format_of(std::span<const std::byte>) { return Format::gltf; }

// Returns the first bytes of a file; none if it cannot be read, which whoever reads it will say better.
std::span<const std::byte> first_bytes(const char* path, std::span<std::byte> room) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "rb"), &std::fclose);
  if (!file) return {};
  return room.first(std::fread(room.data(), 1, room.size(), file.get()));
}

#ifdef MARROW_HAS_GLTF

Result<LoadedFile> load_gltf_file(const ModelSource& source, const marrow_load_options& options) {
  LoadOptions own;
  own.up = options.up == MARROW_UP_Y ? Up::y : Up::z;
  own.meshes = options.skip_meshes == 0;
  own.images = false;
  own.outside = options.allow_outside != 0;
  own.memory_limit = options.memory_limit;
  Result<LoadedModel> loaded = source.path != nullptr ? load_gltf(source.path, own) : read_gltf(source.bytes, {}, own);
  if (!loaded) return loaded.error();
  LoadedFile out{loaded->model, {}};
  for (const Warning& warning : loaded->warnings) {
    out.warnings.push_back(warning.place.empty() ? warning.message : warning.place + ": " + warning.message);
  }
  return out;
}

#else

Result<LoadedFile> load_gltf_file(const ModelSource&, const marrow_load_options&) {
  return Error{ErrorCode::unsupported, "this build of marrow has no reader for glTF files", ""};
}

#endif

}  // namespace

Result<LoadedFile> load_file(const ModelSource& source, const marrow_load_options& options) {
  std::byte room[16];
  switch (format_of(source.path != nullptr ? first_bytes(source.path, room) : source.bytes)) {
    case Format::gltf: break;
  }
  return load_gltf_file(source, options);
}

}  // namespace marrow::ffi

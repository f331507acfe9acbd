#include "src/gltf/buffers.h"

#include <array>
#include <filesystem>

#include "src/gltf/uri.h"

namespace marrow {
namespace {

constexpr std::string_view kMeshoptNames[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

template <typename Enum, std::size_t count>
bool read_word(JsonValue value, const std::array<std::string_view, count>& words, Load& load, const PlacePath& path,
               std::string_view key, Enum& out) {
  if (!value.present()) return true;
  for (std::size_t i = 0; i < count; ++i) {
    if (value.string() == words[i]) {
      out = static_cast<Enum>(i);
      return true;
    }
  }
  return load.fail(ErrorCode::unsupported, in_quotes(value.string()) + " is not known", path, key);
}

}  // namespace

Buffers::Buffers(const GltfDocument& document, std::optional<std::span<const std::byte>> binary,
                 const Resolver& resolver, Load& load)
    : document_(document),
      binary_(binary),
      resolver_(resolver),
      load_(load),
      buffers_(document.buffers.size()),
      views_(document.buffer_views.size()) {}

Result<SharedBytes> Buffers::resolve(std::string_view uri) {
  if (is_data_uri(uri)) {
    Result<std::vector<std::byte>> data = read_data_uri(uri);
    if (data) return share_bytes(std::move(*data));
    const std::string at = to_string(data.error().place);
    return Error{data.error().code, data.error().message + (at.empty() ? "" : " at " + at), ""};
  }
  const std::string name = percent_decoded(uri);
  if (!load_.options().outside && !stays_inside(name)) {
    return Error{ErrorCode::not_allowed, in_quotes(name) + " is not inside the folder of the file", ""};
  }
  if (!resolver_) {
    return Error{ErrorCode::unreadable, in_quotes(name) + " is outside the file, and there is no resolver to load it",
                 ""};
  }
  return resolver_(name);
}

bool Buffers::is_new(std::string_view uri) {
  if (is_data_uri(uri)) return true;
  return named_.insert(std::filesystem::path(percent_decoded(uri)).lexically_normal().string()).second;
}

bool Buffers::buffer(std::size_t index, std::span<const std::byte>& out) {
  if (!buffers_[index]) {
    const PlacePath path("buffers", index);
    JsonValue uri, length;
    pick(document_.buffers[index], {{"uri", &uri}, {"byteLength", &length}});
    std::uint64_t stated = 0;
    if (!load_.read(length, std::uint64_t{1} << 53, stated, path, "byteLength")) return false;
    if (!load_.expect(uri, JsonKind::string, path, "uri")) return false;
    SharedBytes bytes;
    if (uri.present()) {
      Result<SharedBytes> resolved = resolve(uri.string());
      if (!resolved) return load_.fail(resolved.error().code, resolved.error().message, path, "uri");
      bytes = std::move(*resolved);
      if (!is_new(uri.string())) {
        if (!load_.spend(bytes.bytes.size(), path)) return false;
      } else if (load_.options().memory_limit == 0 && !is_data_uri(uri.string())) {
        load_.allow(kAllowancePerByte * bytes.bytes.size());
      }
    } else if (index == 0 && binary_) {
      bytes.bytes = *binary_;
    } else {
      return load_.fail(ErrorCode::malformed, "the buffer has no uri, and the file no binary chunk for it", path);
    }
    if (!length.present()) return load_.fail(ErrorCode::malformed, "the buffer states no length", path, "byteLength");
    if (stated > bytes.bytes.size()) {
      return load_.fail(ErrorCode::size_mismatch,
                        "the buffer is cut off: it states " + std::to_string(stated) + " bytes and has " +
                            std::to_string(bytes.bytes.size()),
                        path, "byteLength");
    }
    bytes.bytes = bytes.bytes.first(static_cast<std::size_t>(stated));
    buffers_[index] = std::move(bytes);
  }
  out = buffers_[index]->bytes;
  return true;
}

bool Buffers::range(JsonValue buffer_index, JsonValue offset, JsonValue length, const PlacePath& path,
                    std::span<const std::byte>& out) {
  std::int32_t index = kNone;
  std::uint64_t begin = 0, size = 0;
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 53;
  if (!load_.read_index(buffer_index, document_.buffers.size(), "buffer", index, path, "buffer")) return false;
  if (!load_.read(offset, kLimit, begin, path, "byteOffset")) return false;
  if (!load_.read(length, kLimit, size, path, "byteLength")) return false;
  if (index == kNone) return load_.fail(ErrorCode::malformed, "no buffer is stated", path, "buffer");
  if (!length.present()) return load_.fail(ErrorCode::malformed, "no length is stated", path, "byteLength");
  std::span<const std::byte> bytes;
  if (!buffer(static_cast<std::size_t>(index), bytes)) return false;
  if (begin > bytes.size() || size > bytes.size() - begin) {
    return load_.fail(ErrorCode::malformed,
                      "bytes " + std::to_string(begin) + " to " + std::to_string(begin + size) +
                          " are not all inside the buffer, which has " + std::to_string(bytes.size()),
                      path, "byteLength");
  }
  out = bytes.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
  return true;
}

bool Buffers::view(std::size_t index, BufferView& out) {
  if (!views_[index]) {
    const PlacePath path("bufferViews", index);
    JsonValue buffer_index, offset, length, stride, extensions;
    pick(document_.buffer_views[index], {{"buffer", &buffer_index},
                                         {"byteOffset", &offset},
                                         {"byteLength", &length},
                                         {"byteStride", &stride},
                                         {"extensions", &extensions}});
    BufferView view;
    if (!load_.read(stride, 253, view.stride, path, "byteStride")) return false;
    JsonValue compression;
    std::string_view name;
    for (const std::string_view known : kMeshoptNames) {
      if (compression.present() || !extensions.present()) break;
      compression = extension(extensions, known);
      name = known;
    }
    const PlacePath extensions_path(path, "extensions");
    const PlacePath compression_path(extensions_path, name);
    std::int32_t number = kNone;
    if (!load_.read_index(buffer_index, document_.buffers.size(), "buffer", number, path, "buffer")) return false;
    // Without a decoder the plain bytes will do, if there are any.
    const auto has_plain = [&] {
      return number != kNone && document_.buffers[static_cast<std::size_t>(number)]["uri"].present();
    };
    if (compression.present() && (load_.options().meshopt || !has_plain())) {
      if (!decompress(compression, compression_path, view)) return false;
    } else if (!range(buffer_index, offset, length, path, view.bytes)) {
      return false;
    }
    views_[index] = view;
  }
  out = *views_[index];
  return true;
}

bool Buffers::decompress(JsonValue compression, const PlacePath& path, BufferView& out) {
  JsonValue buffer_index, offset, length, stride, count, mode, filter;
  pick(compression, {{"buffer", &buffer_index},
                     {"byteOffset", &offset},
                     {"byteLength", &length},
                     {"byteStride", &stride},
                     {"count", &count},
                     {"mode", &mode},
                     {"filter", &filter}});
  constexpr std::array<std::string_view, 3> kModes = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
  constexpr std::array<std::string_view, 4> kFilters = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
  MeshoptStream stream;
  if (!load_.read(stride, 257, stream.stride, path, "byteStride")) return false;
  if (!load_.read(count, std::uint64_t{1} << 32, stream.count, path, "count")) return false;
  if (!read_word(mode, kModes, load_, path, "mode", stream.mode)) return false;
  if (!read_word(filter, kFilters, load_, path, "filter", stream.filter)) return false;
  if (!mode.present()) return load_.fail(ErrorCode::malformed, "no mode is stated", path, "mode");
  const bool attributes = stream.mode == MeshoptMode::attributes;
  const bool octahedral = stream.filter == MeshoptFilter::octahedral;
  const bool stride_fits =
      attributes ? stream.stride > 0 && stream.stride % 4 == 0 : stream.stride == 2 || stream.stride == 4;
  const bool filter_fits = stream.filter == MeshoptFilter::none ||
                           (attributes && (!octahedral || stream.stride == 4 || stream.stride == 8) &&
                            (stream.filter != MeshoptFilter::quaternion || stream.stride == 8));
  if (!stride_fits || !filter_fits || (stream.mode == MeshoptMode::triangles && stream.count % 3 != 0)) {
    return load_.fail(ErrorCode::malformed, "mode, filter, stride and count do not fit together", path);
  }
  if (!range(buffer_index, offset, length, path, stream.bytes)) return false;
  if (!load_.options().meshopt) {
    return load_.fail(ErrorCode::unsupported,
                      "the data is compressed with meshoptimizer, and LoadOptions::meshopt is not set", path);
  }
  if (!load_.spend(std::uint64_t{stream.count} * stream.stride, path)) return false;
  std::vector<std::byte> bytes(stream.count * stream.stride);
  if (Result<void> decoded = load_.options().meshopt(stream, bytes); !decoded) {
    return load_.fail(decoded.error().code, decoded.error().message, path);
  }
  decompressed_.push_back(std::move(bytes));
  out.bytes = decompressed_.back();
  out.stride = attributes ? stream.stride : 0;
  return true;
}

}  // namespace marrow

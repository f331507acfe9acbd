#include "marrow/gltf/meshopt_decoder.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <vector>

namespace marrow {
namespace {

bool unpack(const MeshoptStream& stream, void* out) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(stream.bytes.data());
  const std::size_t size = stream.bytes.size();
  switch (stream.mode) {
    case MeshoptMode::attributes: return meshopt_decodeVertexBuffer(out, stream.count, stream.stride, bytes, size) == 0;
    case MeshoptMode::triangles: return meshopt_decodeIndexBuffer(out, stream.count, stream.stride, bytes, size) == 0;
    case MeshoptMode::indices: return meshopt_decodeIndexSequence(out, stream.count, stream.stride, bytes, size) == 0;
  }
  return false;
}

// Undoes the filter. The library's loops go four elements at a time and may write behind the last, so `out` holds a
// multiple of four.
void unfilter(const MeshoptStream& stream, void* out) {
  switch (stream.filter) {
    case MeshoptFilter::none: break;
    case MeshoptFilter::octahedral: meshopt_decodeFilterOct(out, stream.count, stream.stride); break;
    case MeshoptFilter::quaternion: meshopt_decodeFilterQuat(out, stream.count, stream.stride); break;
    case MeshoptFilter::exponential: meshopt_decodeFilterExp(out, stream.count, stream.stride); break;
  }
}

}  // namespace

MeshoptDecoder meshopt_decoder() {
  return [](const MeshoptStream& stream, std::span<std::byte> out) -> Result<void> {
    // The first byte has the kind of stream in its upper half, and the version of its coding in the lower.
    const unsigned version = stream.bytes.empty() ? 0 : static_cast<unsigned>(stream.bytes[0]) & 15u;
    const unsigned known = stream.mode == MeshoptMode::attributes ? 0 : 1;
    if (version > known) {
      return Error{ErrorCode::unsupported,
                   "the data is of meshopt coding version " + std::to_string(version) +
                       ", which this build's libmeshoptimizer cannot decode",
                   ""};
    }
    std::vector<std::byte> padded((stream.count + 3) / 4 * 4 * stream.stride);
    if (padded.empty()) return {};
    if (!unpack(stream, padded.data())) {
      return Error{ErrorCode::malformed, "the compressed data is broken", ""};
    }
    unfilter(stream, padded.data());
    std::copy_n(padded.begin(), out.size(), out.begin());
    return {};
  };
}

}  // namespace marrow

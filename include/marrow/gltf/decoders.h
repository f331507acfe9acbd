// Decoders for compressed parts of glTF files.
//
// The reader links none of them: whoever loads files that need one passes it in LoadOptions. meshopt_decoder.h and
// draco_decoder.h have those over libmeshoptimizer and libdraco, each in a library of its own; a browser passes its
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "marrow/core/result.h"

namespace marrow {

enum class MeshoptMode : std::uint8_t { attributes, triangles, indices };
enum class MeshoptFilter : std::uint8_t { none, octahedral, quaternion, exponential };

// A buffer view under EXT_meshopt_compression. Numbers are in the ranges that the extension allows.
struct MeshoptStream {
  MeshoptMode mode = MeshoptMode::attributes;
  MeshoptFilter filter = MeshoptFilter::none;
  std::size_t count = 0;
  std::size_t stride = 0;
  std::span<const std::byte> bytes;
};

// Writes count * stride bytes; fails on data that is broken or that it does not know.
using MeshoptDecoder = std::function<Result<void>(const MeshoptStream& stream, std::span<std::byte> out)>;

// A mesh under KHR_draco_mesh_compression: which attributes are wanted, by their ids in the stream.
struct DracoStream {
  std::span<const std::byte> bytes;
  std::span<const std::uint32_t> attributes;
  std::uint64_t max_bytes = 0;  // that the result may take
};

struct DracoMesh {
  struct Attribute {
    std::uint32_t components = 0;
    std::vector<float> values;  // integers as they are, not normalised
  };
  std::uint32_t vertex_count = 0;
  std::vector<std::uint32_t> indices;  // of triangles
  std::vector<Attribute> attributes;   // in the order asked for
};

// Returns the mesh; fails on data that is broken, too large, or without an attribute that is asked for.
using DracoDecoder = std::function<Result<DracoMesh>(const DracoStream& stream)>;

}  // namespace marrow

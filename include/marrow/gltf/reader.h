// Reading files into a Model: .gltf, .glb, and with load_model marrow's own too.
//
// Made for files from anywhere: what is broken is refused with its place, nothing is read outside the file's folder,
// and what a file claims is checked before memory is spent on it. What is merely odd is mended or left out, with a
// warning. Everything may be called from any thread.
//
// The joints of the skeleton are the nodes that are joints of a skin, are animated or have morph targets, and those
// above them. Joints and clips without names are called bone_<i> and clip_<i> after their place in the file; other
// nodes keep the empty name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/core/shared_bytes.h"
#include "marrow/gltf/decoders.h"
#include "marrow/model/model.h"

namespace marrow {

// Returns the contents of a buffer or image outside the file. `uri` is as in the file, with %XX decoded; never one that
// leads out of the folder, unless LoadOptions allows that.
using Resolver = std::function<Result<SharedBytes>(const std::string& uri)>;

struct LoadOptions {
  Up up = Up::z;          // the axes of everything in the model; Up::y keeps those of the file
  bool meshes = true;     // false leaves out meshes, materials and images
  bool images = true;     // false leaves out the bytes of images, also of those in the file
  bool outside = false;   // true allows buffers and images outside the file's folder
  bool thorough = false;  // true also warns of what is legal but costs speed, size or looks

  // Of model files: false trusts them, see ModelFileOptions.
  bool verify = true;

  // The bytes that may be spent on decoded data; 0 stands for 64 MiB and 64 times the size of the file and its buffers,
  // for model files see ModelFileOptions.
  std::uint64_t memory_limit = 0;

  MeshoptDecoder meshopt;  // for EXT_meshopt_compression; without it such files are refused
  DracoDecoder draco;      // for KHR_draco_mesh_compression
};

// Where in the file a track of a clip is, for tools that point at things.
struct TrackSource {
  std::uint32_t channel = 0;       // of the animation with the clip's number
  std::uint32_t output = 0;        // the accessor of its values, which tracks may share
  std::uint64_t output_bytes = 0;  // that the values take, unpacked
};

struct LoadedModel {
  Model model;
  std::vector<Warning> warnings;  // their places are in the JSON: /meshes/0/primitives/2

  // Where in the file things are. Empty unless `thorough`.
  std::vector<std::vector<TrackSource>> track_sources{};      // for each track of each clip
  std::vector<std::vector<std::uint32_t>> part_primitives{};  // for each part of each mesh, which primitive it is
};

// Reads a file and the files beside it that it names. The places of errors are JSON pointers, byte offsets or lines.
[[nodiscard]] Result<LoadedModel> load_gltf(const std::string& path, const LoadOptions& options = {});

// Reads any file that marrow can read: .gltf, .glb, or a model file (model/model_file.h), whose axes are changed to
// those of the options if they are others. A model file is used in place, so it must not be written to while the
// model lives.
[[nodiscard]] Result<LoadedModel> load_model(const std::string& path, const LoadOptions& options = {});

// The same from memory, which must live only for the call unless it has an owner (see read_model_file).
[[nodiscard]] Result<LoadedModel> read_model(const SharedBytes& file, const Resolver& resolver = {},
                                             const LoadOptions& options = {});

// Reads a .gltf or .glb from memory, which needs to live only for the call. Without a resolver everything must be in
// the file itself.
[[nodiscard]] Result<LoadedModel> read_gltf(std::span<const std::byte> bytes, const Resolver& resolver = {},
                                            const LoadOptions& options = {});

}  // namespace marrow

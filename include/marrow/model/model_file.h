// Model files (.mrw): all that a Model holds, as it lies in memory.
//
// Opening one is a check of its bytes, not a reading: keys, vertices, indices and images are used where they are, in
// the file that was mapped or the memory that it came in. Only tables (joints, names, nodes, materials) are made anew.
// The format is marrow's own, of one version, and made again from the source whenever that changes: `marrow convert`
// does that. docs/model-files.md says how it looks.
//
// Made for bytes from anywhere: with `verify`, which is the default, no file makes this library read beyond it, run out
// of memory, or hold numbers that a Model made of parts could not. Everything may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/core/shared_bytes.h"
#include "marrow/model/model.h"

namespace marrow {

struct ModelFileOptions {
  // False trusts the file: neither its checksum nor what is in its arrays is looked at, so that memory is touched only
  // when it is used. For files that the program's maker packed and nobody else can change.
  bool verify = true;

  // The bytes that may be spent beside the file itself: on tables, on what clips have for each joint, and on copies; 0
  // stands for 64 MiB and 16 times the size of the file, which is enough unless thousands of clips move few of
  // thousands of joints each.
  std::uint64_t memory_limit = 0;

  // The axes that the model is to have. Others than those of the file make a copy of it all; without, it keeps its own.
  std::optional<Up> up = std::nullopt;
};

// Returns true if bytes are those of a model file, of whatever version, or their beginning.
[[nodiscard]] bool is_model_file(std::span<const std::byte> bytes);

// Returns the bytes of a file. Equal models give equal bytes.
[[nodiscard]] std::vector<std::byte> write_model_file(const Model& model);

// Makes a model of the bytes of a file. It keeps their owner alive and uses them in place, if they begin at a multiple
// of kModelFileAlignment; otherwise, and if they have no owner, they are copied. They must not change. Fails, and says
// what is wrong, on what is no model file, was cut off or changed, is for another version or byte order, or asks for
// too much memory.
[[nodiscard]] Result<Model> read_model_file(const SharedBytes& file, const ModelFileOptions& options = {});
inline constexpr std::size_t kModelFileAlignment = 64;

// The same for a file on disk, which is mapped where the system can. While the model lives the file must not be
// written to; to replace it, write another and rename that.
[[nodiscard]] Result<Model> load_model_file(const std::string& path, const ModelFileOptions& options = {});

}  // namespace marrow

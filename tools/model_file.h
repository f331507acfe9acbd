// Opening models for the commands.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "marrow/gltf/reader.h"

namespace marrow::tool {

// What every command that opens a file takes.
struct FileOptions {
  std::string path;                     // empty: the built-in character
  std::vector<std::string> clip_files;  // libraries whose clips are added
  bool y_up = false;
  bool outside = false;
};

// What a file is called in messages.
[[nodiscard]] std::string name_of(const FileOptions& file);

// Prints "marrow: path: place: sentence" to standard error and returns 1.
int report(const std::string& path, const Error& error);

// Returns `load` with the axes and rights that the file options state and all decoders that the program has.
[[nodiscard]] LoadOptions load_options(const FileOptions& file, LoadOptions load = {});

// Reads the file, or the built-in character, with exactly these options.
[[nodiscard]] Result<LoadedModel> load_file(const std::string& path, const LoadOptions& options);

// Loads a model with all decoders that the program has, and adds the clips of its libraries. `load` says what to load;
// its axes and decoders are set here. Nothing, after a report, if that fails.
[[nodiscard]] std::optional<LoadedModel> open_model(const FileOptions& file, LoadOptions load);

// Finds a clip by number, by name, or "none" for the rest pose (kNone). Nothing, after a report, if there is no such.
[[nodiscard]] std::optional<std::int32_t> find_clip(const FileOptions& file, const Model& model,
                                                    const std::string& which);

}  // namespace marrow::tool

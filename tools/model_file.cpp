#include "model_file.h"

#include <cstdio>

#include "built_in_file.h"
#include "marrow/model/clip_library.h"
#include "messages.h"
#include "src/text/text.h"
#ifdef MARROW_HAS_MESHOPT
#include "marrow/gltf/meshopt_decoder.h"
#endif
#ifdef MARROW_HAS_DRACO
#include "marrow/gltf/draco_decoder.h"
#endif

namespace marrow::tool {

std::string name_of(const FileOptions& file) { return file.path.empty() ? "character.glb (built in)" : file.path; }

Result<LoadedModel> load_file(const std::string& path, const LoadOptions& options) {
  return path.empty() ? read_gltf(built_in_file("character.glb"), {}, options) : load_model(path, options);
}

int report(const std::string& path, const Error& error) {
  std::fputs(error_line(path, error).c_str(), stderr);
  return 1;
}

LoadOptions load_options(const FileOptions& file, LoadOptions load) {
  load.up = file.y_up ? Up::y : Up::z;
  load.outside = file.outside;
#ifdef MARROW_HAS_MESHOPT
  load.meshopt = meshopt_decoder();
#endif
#ifdef MARROW_HAS_DRACO
  load.draco = draco_decoder();
#endif
  return load;
}

std::optional<LoadedModel> open_model(const FileOptions& file, LoadOptions load) {
  load = load_options(file, load);
  Result<LoadedModel> loaded = load_file(file.path, load);
  if (!loaded) {
    report(name_of(file), loaded.error());
    return std::nullopt;
  }
  LoadedModel out = std::move(*loaded);
  load.meshes = false;
  for (const std::string& path : file.clip_files) {
    const Result<LoadedModel> library = load_model(path, load);
    if (!library) {
      report(path, library.error());
      return std::nullopt;
    }
    Result<AddedClips> added = add_clips(out.model, library->model);
    if (!added) {
      report(path, added.error());
      return std::nullopt;
    }
    out.model = added->model;
  }
  return out;
}

std::optional<std::int32_t> find_clip(const FileOptions& file, const Model& model, const std::string& which) {
  if (which == "none") return kNone;
  const std::optional<std::size_t> number = parse_number<std::size_t>(which);
  if (number && *number < model.clips().size()) return static_cast<std::int32_t>(*number);
  if (const Clip* const found = model.find_clip(which)) return static_cast<std::int32_t>(found - model.clips().data());
  report(name_of(file), no_such_clip(model, which));
  return std::nullopt;
}

}  // namespace marrow::tool

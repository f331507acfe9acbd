#include "src/ffi/load.h"

#include "marrow/model/model_file.h"
#ifdef MARROW_HAS_GLTF
#include "marrow/gltf/reader.h"
#endif

namespace marrow::ffi {

#ifdef MARROW_HAS_GLTF

Result<LoadedFile> load_file(const ModelSource& source, const marrow_load_options& options) {
  LoadOptions own;
  own.up = options.up == MARROW_UP_Y ? Up::y : Up::z;
  own.meshes = options.skip_meshes == 0;
  own.images = false;
  own.outside = options.allow_outside != 0;
  own.verify = options.verify != 0;
  own.memory_limit = options.memory_limit;
  Result<LoadedModel> loaded =
      source.path != nullptr ? load_model(source.path, own) : read_model({source.bytes, nullptr}, {}, own);
  if (!loaded) return loaded.error();
  LoadedFile out{loaded->model, {}};
  for (const Warning& warning : loaded->warnings) out.warnings.push_back(to_string(warning));
  return out;
}

#else

// A build without the reader of glTF has model files alone.
Result<LoadedFile> load_file(const ModelSource& source, const marrow_load_options& options) {
  const ModelFileOptions own{options.verify != 0, options.memory_limit, options.up == MARROW_UP_Y ? Up::y : Up::z};
  Result<Model> model =
      source.path != nullptr ? load_model_file(source.path, own) : read_model_file({source.bytes, nullptr}, own);
  if (!model) return model.error();
  return LoadedFile{*model, {}};
}

#endif

}  // namespace marrow::ffi

// The models that are not part of the project: MARROW_SHARED says where they are. See scripts/conformance.sh.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "marrow/gltf/draco_decoder.h"
#include "marrow/gltf/meshopt_decoder.h"
#include "marrow/gltf/reader.h"

namespace marrow::test {

// Calls `look` with the name and model of every file that can be read, in order.
inline void for_each_model(const std::function<void(const std::string& name, const Model& model)>& look) {
  const char* models = std::getenv("MARROW_MODELS");
  REQUIRE_MESSAGE(models != nullptr, "MARROW_MODELS is not set to the folder with the models");
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".glb" || extension == ".gltf") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  LoadOptions options;
  options.images = false;
  options.meshopt = meshopt_decoder();
  options.draco = draco_decoder();
  for (const std::filesystem::path& path : paths) {
    const Result<LoadedModel> file = load_gltf(path.string(), options);
    if (file.ok()) look(std::filesystem::relative(path, models).string(), file->model);
  }
}

}  // namespace marrow::test

// The JSON of a glTF file as tables, with its version and extensions looked at. Internal.
#pragma once

#include <string_view>
#include <vector>

#include "src/gltf/load.h"

namespace marrow {

// Each table holds the objects of a top-level array, so that an index is a lookup.
struct GltfDocument {
  JsonDocument json;
  std::vector<JsonValue> accessors, animations, buffers, buffer_views, images, materials, meshes, nodes, samplers,
      scenes, skins, textures;
  JsonValue scene;  // the number of the default scene

  // Fails on what is not glTF 2, on tables that are not arrays of objects, and on extensions that are required but not
  // known. `text` must outlive the document.
  static bool read(std::string_view text, Load& load, GltfDocument& out);
};

}  // namespace marrow

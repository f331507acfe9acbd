// The built-in character, loaded once for all tests.
#pragma once

#include <doctest/doctest.h>

#include "built_in_file.h"
#include "marrow/gltf/reader.h"

namespace marrow::test {

// Y is up, as in the file: x to the left, z ahead.
inline const Model& built_in_character() {
  static const Model model = [] {
    LoadOptions options;
    options.up = Up::y;
    const auto loaded = read_gltf(tool::built_in_file("character.glb"), {}, options);
    REQUIRE(loaded);
    return loaded->model;
  }();
  return model;
}

}  // namespace marrow::test

// The model that the tests of pictures and motions load, and its clips.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>

#include "marrow/gltf/reader.h"

namespace marrow::test {

inline Model golden_model() {
  const Result<LoadedModel> loaded = load_gltf(MARROW_GOLDEN_MODEL);
  REQUIRE_MESSAGE(loaded.ok(), (loaded ? "" : to_string(loaded.error())));
  return loaded->model;
}

// Returns a clip by name; the test fails if the model has none of that name.
inline const Clip* clip(const Model& model, const char* name) {
  const Clip* const found = model.find_clip(name);
  REQUIRE(found != nullptr);
  return found;
}

}  // namespace marrow::test

// What a Model is made of. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/model/model.h"

namespace marrow {

struct ModelData {
  ModelParts parts;
  std::vector<std::uint32_t> order;
};

// Model::create for parts that were found good before; fails on nodes that contain themselves alone.
[[nodiscard]] Result<Model> restore_model(ModelParts parts);

}  // namespace marrow

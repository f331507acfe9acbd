// The files that fuzzing starts from: each small, each showing the reader something that the others do not.
#pragma once

#include <string>
#include <vector>

#include "marrow/gltf/reader.h"
#include "seed_model.h"

namespace marrow::fuzz {

struct Seed {
  std::string name;
  SeedModel model;
  bool loads = true;  // false for what the reader must refuse
};

// Whole files: motion, meshes, what needs a decoder; and broken ones.
void add_motion_seeds(std::vector<Seed>& out);
void add_mesh_seeds(std::vector<Seed>& out);
void add_compressed_seeds(std::vector<Seed>& out);
void add_broken_seeds(std::vector<Seed>& out);

// Texts for the JSON reader alone.
[[nodiscard]] std::vector<std::string> json_seeds();

// A skinned model with a clip and a morph target. Its buffer is what files get that name another file.
[[nodiscard]] SeedModel standard_model();
[[nodiscard]] Resolver standard_resolver();

}  // namespace marrow::fuzz

// What every fuzz target of the reader does with its input.
#pragma once

#include <cstddef>
#include <span>

#include "marrow/gltf/reader.h"

namespace marrow::fuzz {

// The options of the targets: everything is read, little may be spent.
[[nodiscard]] LoadOptions fuzz_options();

// Reads the bytes as a file of any kind and, if they are one, does with the model what a program would: samples its
// clips, makes matrices, skins its meshes, adds its clips to itself, writes it as a model file and reads that. Ends the
// program where something is not as it should be.
void read_and_use(std::span<const std::byte> bytes, const Resolver& resolver = {});

}  // namespace marrow::fuzz

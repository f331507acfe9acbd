// What is checked: a model, and what several checks want to know of it.
#pragma once

#include <string>
#include <vector>

#include "marrow/gltf/reader.h"
#include "posed_model.h"

namespace marrow::tool {

struct Subject {
  explicit Subject(const Model& m, std::vector<std::vector<TrackSource>> s = {},
                   std::vector<std::vector<std::uint32_t>> p = {});

  Model model;
  std::vector<std::vector<TrackSource>> sources;       // of the tracks of each clip; empty if nobody knows
  std::vector<std::vector<std::uint32_t>> primitives;  // of the parts of each mesh; empty if nobody knows
  PosedModel rest;
  Box box;          // of the meshes at rest
  double size = 1;  // its diagonal; never 0

  std::vector<std::int32_t> node_of_joint;                // kNone for a joint without a node
  std::vector<bool> in_skin;                              // for each joint, whether some skin has it
  std::vector<bool> moved;                                // for each joint, whether some clip changes where it is
  std::vector<std::vector<std::uint32_t>> nodes_of_skin;  // those that have a mesh

  // Places in the file.
  [[nodiscard]] Place joint_place(std::uint32_t joint) const;
  [[nodiscard]] Place part_place(std::size_t mesh, std::size_t part) const;
  [[nodiscard]] Place track_place(std::size_t clip, std::size_t track) const;

  // The bytes of a track's values in the file, and which accessor they are in: some number of its own for each.
  struct Stored {
    std::uint64_t bytes = 0;
    std::uint64_t accessor = 0;
  };
  [[nodiscard]] Stored stored(std::size_t clip, std::size_t track) const;
};

// Returns the place of an element of a table of the file: /skins/3.
[[nodiscard]] Place place_of(const char* table, std::size_t index);

}  // namespace marrow::tool

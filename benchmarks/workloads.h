// The pieces of work that marrow's speed is judged by.
#pragma once

#include <functional>
#include <vector>

#include "harness.h"
#include "marrow/gltf/reader.h"

namespace marrow::bench {

// What the workloads run on: a character, its motions, and how it is read from its file. The functions are called when
// their workload first runs.
struct Subject {
  Skeleton skeleton;
  std::vector<Skin> skins;            // each gets its palette
  std::vector<Clip> clips;            // workloads that need more begin again with the first
  std::function<Clip()> make_sparse;  // a clip every track of which has its own times
  std::function<Result<LoadedModel>()> load;
};

// The procedural humanoid; what is read is the large file (large_file.h), from memory.
[[nodiscard]] Subject humanoid_subject();

// A model that `load` reads. Its sparse clip is the first with its keys reduced, four seconds of it at most.
[[nodiscard]] Subject model_subject(const Model& model, std::function<Result<LoadedModel>()> load);

// All workloads that the subject has everything for: without joints, clips or skins those that need them are left out.
// They share data that lives as long as any of them.
[[nodiscard]] std::vector<Workload> make_workloads(Subject subject);

}  // namespace marrow::bench

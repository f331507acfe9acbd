// Busy: marks a scene while it is updated. Internal.
#pragma once

#include "src/ffi/registry.h"

namespace marrow::ffi {

// Executors and pose stages run while it lives. `find` answers their calls with MARROW_ERROR_BUSY.
class Busy {
 public:
  explicit Busy(SceneEntry& scene) : scene_(&scene) { scene.busy = true; }
  ~Busy() { scene_->busy = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  SceneEntry* scene_;
};

}  // namespace marrow::ffi

#include <cinttypes>
#include <cstdio>

#include "commands.h"
#include "motion_hash.h"

namespace marrow::tool {

int hash(const HashOptions& options) {
  LoadOptions load;
  load.meshes = false;
  const std::optional<LoadedModel> loaded = open_model(options.file, load);
  if (!loaded) return 1;
  std::printf("%016" PRIx64 "\n", motion_hash(loaded->model));
  return 0;
}

}  // namespace marrow::tool

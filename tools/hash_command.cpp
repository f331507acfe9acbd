#include <cstdio>

#include "commands.h"
#include "motion_hash.h"
#include "src/text/text.h"

namespace marrow::tool {

int hash(const HashOptions& options) {
  LoadOptions load;
  load.meshes = false;
  const std::optional<LoadedModel> loaded = open_model(options.file, load);
  if (!loaded) return 1;
  std::printf("%s\n", hex_text(motion_hash(loaded->model)).c_str());
  return 0;
}

}  // namespace marrow::tool

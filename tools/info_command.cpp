#include <cstdio>
#include <filesystem>

#include "built_in_file.h"
#include "commands.h"
#include "info/info.h"

namespace marrow::tool {

int info(const InfoOptions& options) {
  const std::optional<LoadedModel> loaded = open_model(options.file, {});
  if (!loaded) return 1;
  std::error_code error;
  std::uintmax_t bytes = built_in_file("character.glb").size();
  if (!options.file.path.empty()) bytes = std::filesystem::file_size(options.file.path, error);
  const FileFacts file{name_of(options.file), error ? 0 : bytes};
  if (options.json) {
    write_info_json(file, *loaded);
  } else {
    std::fputs(info_text(file, *loaded, Terminal::standard_output()).c_str(), stdout);
  }
  return 0;
}

}  // namespace marrow::tool

#include <cstdio>
#include <filesystem>

#include "commands.h"
#include "info/info.h"

namespace marrow::tool {

int info(const InfoOptions& options) {
  const std::optional<LoadedModel> loaded = open_model(options.file, {});
  if (!loaded) return 1;
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(options.file.path, error);
  const FileFacts file{options.file.path, error ? 0 : bytes};
  if (options.json) {
    write_info_json(file, *loaded);
  } else {
    std::fputs(info_text(file, *loaded, Terminal::standard_output()).c_str(), stdout);
  }
  return 0;
}

}  // namespace marrow::tool

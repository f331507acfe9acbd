#include <cstdio>
#include <filesystem>

#include "commands.h"
#include "marrow/model/model_file.h"
#include "output_file.h"
#include "text.h"

namespace marrow::tool {
namespace {

// Where it goes if nobody says: beside the file that it is made of, or here for what is built in.
std::string default_output(const std::string& path) {
  if (path.empty()) return "character.mrw";
  return std::filesystem::path(path).replace_extension(".mrw").string();
}

}  // namespace

int convert(const ConvertOptions& options) {
  const std::string output = options.output.empty() ? default_output(options.file.path) : options.output;
  if (std::filesystem::path(output).extension() != ".mrw") {
    return report(output, {ErrorCode::invalid_argument, "a model file is called .mrw", ""});
  }
  std::error_code error;
  if (!options.file.path.empty() && std::filesystem::equivalent(output, options.file.path, error)) {
    return report(output,
                  {ErrorCode::invalid_argument, "the file would be written over itself; name another with -o", ""});
  }
  const std::optional<LoadedModel> loaded = open_model(options.file, {});
  if (!loaded) return 1;
  const std::vector<std::byte> bytes = write_model_file(loaded->model);
  OutputFile file(output);
  if (const Result<void> written = file.write(bytes); !written) return report(output, written.error());
  if (const Result<void> kept = file.keep(); !kept) return report(output, kept.error());
  const Model& model = loaded->model;
  std::printf("%s  %s, %zu joints, %zu clips, %zu meshes, %zu images, %s up\n", output.c_str(),
              bytes_text(bytes.size()).c_str(), static_cast<std::size_t>(model.skeleton().joint_count()),
              model.clips().size(), model.meshes().size(), model.images().size(), model.up() == Up::y ? "y" : "z");
  if (!loaded->warnings.empty()) {
    std::printf("Of what was read %zu things are odd; `marrow check` tells.\n", loaded->warnings.size());
  }
  return 0;
}

}  // namespace marrow::tool

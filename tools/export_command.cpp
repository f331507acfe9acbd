#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "commands.h"
#include "marrow/export/writers.h"
#include "messages.h"
#include "output_file.h"
#include "src/text/text.h"
#include "terminal.h"
#include "text.h"

namespace marrow::tool {
namespace {

std::string number_text(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

// A name as one would type it.
std::string typed(const std::string& name) {
  return name.find_first_of(" \"'$&|;*?()<>\t\n\\") == std::string::npos && !name.empty() ? name : "\"" + name + "\"";
}

// The command line again, without what differs from one machine to the next: folders, and where it is written to.
std::string command_text(const ExportOptions& options) {
  constexpr const char* kLanguages[] = {"rust", "c", "cpp", "json"};
  std::string out = std::string("marrow export ") + (options.animation ? "animation" : "mesh") + " --format " +
                    kLanguages[static_cast<std::size_t>(options.language)] + (options.file.y_up ? " --up y" : "");
  for (const std::string& library : options.file.clip_files)
    out += " --clips " + typed(std::filesystem::path(library).filename().string());
  for (const std::string& clip : options.clips) out += " --clip " + typed(clip);
  for (const std::string& mesh : options.meshes) out += " --mesh " + typed(mesh);
  if (options.skin) out += " --skin " + std::to_string(*options.skin);
  if (options.fps) out += " --fps " + number_text(*options.fps);
  if (options.tolerance) out += " --tolerance " + number_text(*options.tolerance);
  if (options.trs) out += " --trs";
  if (options.rigid) out += " --rigid";
  if (options.floats) out += " --float";
  if (options.no_uv) out += " --no-uv";
  if (options.no_color) out += " --no-color";
  if (options.no_normal) out += " --no-normal";
  if (!options.name.empty()) out += " --name " + typed(options.name);
  return out;
}

std::string source_name(const FileOptions& file) {
  return file.path.empty() ? "the built-in character" : std::filesystem::path(file.path).filename().string();
}

// The clips that are asked for, each once, in the order of the file where all are.
std::optional<std::vector<std::uint32_t>> chosen_clips(const ExportOptions& options, const Model& model) {
  std::vector<std::uint32_t> out;
  if (model.clips().empty()) {
    report(name_of(options.file),
           {ErrorCode::invalid_argument, "the file has no clips: add those of another with --clips FILE", ""});
    return std::nullopt;
  }
  const bool all =
      options.clips.empty() || std::find(options.clips.begin(), options.clips.end(), "all") != options.clips.end();
  if (all) {
    for (std::uint32_t i = 0; i < model.clips().size(); ++i) out.push_back(i);
    return out;
  }
  for (const std::string& which : options.clips) {
    const std::optional<std::int32_t> found = find_clip(options.file, model, which);
    if (!found) return std::nullopt;
    if (*found == kNone) {
      report(name_of(options.file),
             {ErrorCode::invalid_argument,
              "the rest pose is no clip: `marrow export mesh` writes it as BONE_REST_LOCAL", ""});
      return std::nullopt;
    }
    const auto clip = static_cast<std::uint32_t>(*found);
    if (std::find(out.begin(), out.end(), clip) == out.end()) out.push_back(clip);
  }
  return out;
}

std::optional<std::vector<std::uint32_t>> chosen_meshes(const ExportOptions& options, const Model& model) {
  std::vector<std::uint32_t> out;
  for (const std::string& which : options.meshes) {
    const std::optional<std::uint32_t> number = parse_number<std::uint32_t>(which);
    const bool is_number = number && *number < model.meshes().size();
    if (is_number) out.push_back(*number);
    bool found = is_number;
    for (std::uint32_t m = 0; m < model.meshes().size() && !is_number; ++m) {
      if (model.meshes()[m].name != which) continue;
      out.push_back(m);
      found = true;
    }
    if (found) continue;
    std::string has;
    for (const Mesh& mesh : model.meshes()) has += (has.empty() ? " " : ", ") + tool::in_quotes(mesh.name);
    report(name_of(options.file),
           {ErrorCode::invalid_argument,
            "there is no mesh " + tool::in_quotes(which) + "; the file has" + (has.empty() ? " none" : has), ""});
    return std::nullopt;
  }
  return out;
}

void tell(const FileOptions& file, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    std::fprintf(stderr, "marrow: %s: note: %s\n", printable(name_of(file)).c_str(), printable(note).c_str());
  }
}

int write(const ExportOptions& options, const std::string& text) {
  if (options.output.empty() || options.output == "-") {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (written) return 0;
    return report("-", {ErrorCode::unreadable, "standard output cannot be written", ""});
  }
  OutputFile file(options.output);
  if (Result<void> done = file.write(std::as_bytes(std::span(text))); !done)
    return report(options.output, done.error());
  if (Result<void> done = file.keep(); !done) return report(options.output, done.error());
  return 0;
}

int export_animations(const ExportOptions& options, const Model& model, const CodeOptions& code) {
  const std::optional<std::vector<std::uint32_t>> clips = chosen_clips(options, model);
  if (!clips) return 1;
  AnimationExportOptions how;
  how.bones.skin = options.skin;
  how.fps = options.fps;
  how.trs = options.trs;
  if (options.tolerance) how.tolerance = *options.tolerance;
  const Result<AnimationExporter> exporter = AnimationExporter::create(model, how);
  if (!exporter) return report(name_of(options.file), exporter.error());
  std::vector<ExportedAnimation> animations;
  Progress progress;
  for (std::size_t i = 0; i < clips->size(); ++i) {
    progress.show("exporting clips", i, clips->size());
    Result<ExportedAnimation> animation = exporter->export_clip((*clips)[i]);
    if (!animation) return report(name_of(options.file), animation.error());
    animations.push_back(std::move(*animation));
  }
  const int status = write(options, animation_code(animations, code));
  if (status != 0) return status;
  std::vector<std::string> notes;
  for (const ExportedAnimation& animation : animations) {
    for (const std::string& note : animation.notes) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
  }
  tell(options.file, notes);
  return 0;
}

int export_one_mesh(const ExportOptions& options, const Model& model, const CodeOptions& code) {
  const std::optional<std::vector<std::uint32_t>> meshes = chosen_meshes(options, model);
  if (!meshes) return 1;
  MeshExportOptions how;
  how.bones = {options.skin, options.rigid};
  how.meshes = *meshes;
  how.uvs = !options.no_uv;
  how.colors = !options.no_color;
  how.normals = !options.no_normal;
  how.floats = options.floats;
  const Result<ExportedMesh> mesh = export_mesh(model, how);
  if (!mesh) return report(name_of(options.file), mesh.error());
  const int status = write(options, mesh_code(*mesh, code));
  if (status == 0) tell(options.file, mesh->notes);
  return status;
}

}  // namespace

int export_code(const ExportOptions& options) {
  LoadOptions load;
  load.images = false;
  const std::optional<LoadedModel> loaded = open_model(options.file, load);
  if (!loaded) return 1;
  const std::string source = source_name(options.file), command = command_text(options);
  CodeOptions code;
  code.language = options.language;
  code.name = options.name;
  code.source = source;
  code.command = command;
  return options.animation ? export_animations(options, loaded->model, code)
                           : export_one_mesh(options, loaded->model, code);
}

}  // namespace marrow::tool

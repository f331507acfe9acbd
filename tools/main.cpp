// The marrow program: reads the command line and calls the command.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "marrow/core/version.h"
#include "marrow/math/simd.h"
#include "src/text/text.h"
#include "text.h"

namespace {

using namespace marrow::tool;

void add_file_options(CLI::App* command, FileOptions& file) {
  command->add_option("file", file.path, "A .gltf or .glb file (default: the built-in character)")
      ->check([](const std::string& path) { return path.empty() ? std::string("the name is empty") : std::string(); });
  command->add_flag("--outside", file.outside, "Allow buffers and images outside the folder of the file");
}

void add_clips_option(CLI::App* command, FileOptions& file) {
  command->add_option("--clips", file.clip_files, "Add the clips of another file, by the names of its joints");
}

void add_up_option(CLI::App* command, FileOptions& file) {
  command
      ->add_option_function<std::string>(
          "--up", [&file](const std::string& axis) { file.y_up = axis == "y"; }, "The axis that points up (default: z)")
      ->check(CLI::IsMember({"y", "z"}));
}

void add_lanes_option(CLI::App* command) {
  command
      ->add_option_function<int>(
          "--lanes",
          [](int lanes) {
            if (marrow::set_lanes(static_cast<marrow::Lanes>(lanes))) return;
            throw CLI::ValidationError("--lanes", "this machine or build has no kernels for " + std::to_string(lanes));
          },
          "Kernels to use: 1, 4 or 8 lanes (default: the widest)")
      ->check(CLI::IsMember({1, 4, 8}));
}

// Reads "640x480", or "640" for a square.
void set_size(const std::string& text, std::uint32_t& width, std::uint32_t& height) {
  const std::size_t x = text.find('x');
  const std::string_view wide = std::string_view(text).substr(0, x);
  width = marrow::parse_number<std::uint32_t>(wide).value_or(0);
  height = x == std::string::npos
               ? width
               : marrow::parse_number<std::uint32_t>(std::string_view(text).substr(x + 1)).value_or(0);
  if (width > 0 && height > 0 && width <= 8192 && height <= 8192) return;
  throw CLI::ValidationError("--size", "a size is like 640x480, with sides from 1 to 8192");
}

CLI::App* add_render_options(CLI::App* command, RenderOptions& render) {
  add_file_options(command, render.file);
  add_clips_option(command, render.file);
  command->add_option("-o,--output", render.output, "The file to write: .png, .mp4, .webm or .gif")->required();
  command->add_option("--clip", render.clip,
                      "A clip's number or name, or none for the rest pose (default: none for a picture, the first clip "
                      "for a film, all clips for a sheet)");
  CLI::Option* fade =
      command->add_option("--fade", render.fade, "A:B:SECONDS: fade from clip A to clip B over so many seconds");
  fade->excludes(command->get_option("--clip"));
  command->add_option("--time", render.time, "The time of a picture, in seconds; with --fade, from its beginning");
  CLI::Option* sheet =
      command->add_option("--sheet", render.sheet, "A contact sheet: so many pictures of a clip, evenly in time");
  sheet->check(CLI::Range(1, 400))->excludes(command->get_option("--time"));
  command->add_option_function<std::string>(
      "--size", [&render](const std::string& text) { set_size(text, render.width, render.height); },
      "Width and height in pixels (default: 640x640, and 320x320 for each picture of a sheet)");
  command->add_option("--azimuth", render.azimuth, "Degrees from the front of the model to its left (default: 30)")
      ->check(CLI::Range(-3600.0, 3600.0));
  command->add_option("--elevation", render.elevation, "Degrees above the horizon (default: 15)")
      ->check(CLI::Range(-90.0, 90.0));
  command->add_option("--zoom", render.zoom, "How much larger than with everything in sight (default: 1)")
      ->check(CLI::Range(0.05, 50.0));
  command->add_option("--turn", render.turn, "Degrees that the camera goes round in a film or sheet (default: 0)")
      ->check(CLI::Range(-3600.0, 3600.0));
  command->add_option("--fps", render.fps, "Frames a second of a film (default: 30; GIF: 25)")
      ->check(CLI::Range(1.0, 240.0));
  command->add_option("--seconds", render.seconds, "How long a film is (default: as long as its clips)")
      ->check(CLI::Range(0.01, 3600.0));
  command->add_flag("--follow", render.follow, "Let the character walk on, if its root does, and go with it");
  command->add_flag("--skeleton", render.skeleton, "Draw the bones: blue on the left, orange on the right");
  command->add_flag("--names", render.names, "Write the joints' names beside them");
  command->add_option("--trail", render.trails, "Draw the way that a joint takes; may be given several times");
  command->add_flag("--transparent", render.transparent, "Leave out all but the model and its shadow");
  command->add_flag("--no-ground", render.no_ground, "Leave out the ground");
  command->add_flag("--no-shadow", render.no_shadow, "Leave out the shadow");
  return command;
}

CLI::App* add_export_options(CLI::App* command, ExportOptions& code) {
  add_file_options(command, code.file);
  add_clips_option(command, code.file);
  add_up_option(command, code.file);
  command
      ->add_option_function<std::string>(
          "--format",
          [&code](const std::string& name) {
            code.language = name == "c"      ? marrow::Language::c
                            : name == "cpp"  ? marrow::Language::cpp
                            : name == "json" ? marrow::Language::json
                                             : marrow::Language::rust;
          },
          "The language (default: rust)")
      ->check(CLI::IsMember({"rust", "c", "cpp", "json"}));
  command->add_option("-o,--output", code.output, "The file to write (default: standard output)");
  command->add_option("--name", code.name, "What the names begin with; in C++ their namespace");
  command->add_option("--skin", code.skin, "Take the joints and meshes of this skin alone (default: all together)");
  return command;
}

void add_export(CLI::App& app, ExportOptions& mesh, ExportOptions& animation, int& status) {
  CLI::App* command = app.add_subcommand("export", "Write meshes and clips as arrays in Rust, C, C++ or JSON");
  command->require_subcommand(1);
  command->footer(
      "A mesh and the clips of one file have the same bones in the same order, as long as\n"
      "--skin, --up and --clips are the same for both; SKELETON_ID tells. docs/export.md\n"
      "says what is in the arrays and how to sample them.");

  CLI::App* mesh_command = add_export_options(
      command->add_subcommand("mesh", "Packed vertices, indices, parts and bones of all that a file shows"), mesh);
  mesh_command->add_option("--mesh", mesh.meshes, "A mesh's number or name; may be given several times (default: all)")
      ->allow_extra_args(false);
  mesh_command->add_flag("--rigid", mesh.rigid, "Without skins: make bones of the nodes that clips move");
  mesh_command->add_flag("--float", mesh.floats, "Write positions, uvs, colors and normals as 32-bit floats");
  mesh_command->add_flag("--no-uv", mesh.no_uv, "Leave out texture coordinates");
  mesh_command->add_flag("--no-color", mesh.no_color, "Leave out vertex colors");
  mesh_command->add_flag("--no-normal", mesh.no_normal, "Leave out normals");
  mesh_command->callback([&] { status = marrow::tool::export_code(mesh); });

  CLI::App* animation_command = add_export_options(
      command->add_subcommand("animation", "The transforms of all bones, frame by frame"), animation);
  animation.animation = true;
  animation_command
      ->add_option("--clip", animation.clips,
                   "A clip's number or name, or all; may be given several times (default: all)")
      ->allow_extra_args(false);
  CLI::Option* fps = animation_command->add_option(
      "--fps", animation.fps, "Even frames, as many a second (default: the times of the clip's own keys)");
  fps->check(CLI::Range(0.01, 10000.0));
  animation_command
      ->add_option("--tolerance", animation.tolerance,
                   "Without --fps, add frames until the error is below this part of the model's size (default: 0.0001)")
      ->check(CLI::Range(1e-7, 1.0))
      ->excludes(fps);
  animation_command->add_flag("--trs", animation.trs,
                              "Write translations, rotations and scales, 10 numbers, instead of 3x4 matrices");
  animation_command->callback([&] { status = marrow::tool::export_code(animation); });
}

// What is wrong with a command line.
std::string usage_error(const CLI::App* app, const CLI::Error& error) {
  std::string what = error.what();
  const std::vector<std::string> rest = app->remaining();
  if (app->get_subcommands().empty() && !rest.empty()) {
    what = std::string("there is no ") + (rest[0].starts_with("-") ? "option " : "command ") +
           marrow::tool::in_quotes(rest[0]);
  }
  return "marrow: " + printable(what) + "\nRun with --help for more information.\n";
}

int run(int argc, char** argv) {
  CLI::App app{"marrow, a skeletal animation runtime.", "marrow"};
  app.set_version_flag("--version", marrow::library_version());
  app.require_subcommand(1);

  int status = 0;
  DemoOptions demo;
  CLI::App* demo_command =
      app.add_subcommand("demo", "Show what a character can do: a picture, a film, a sheet of clips, and a window");
  demo_command->add_option("-o,--output", demo.folder, "The folder to put them in (default: marrow-demo)");
  CLI::Option* no_window = demo_command->add_flag_callback(
      "--no-window", [&] { demo.window = DemoOptions::Window::none; }, "Open no window, even if there is a screen");
  demo_command
      ->add_flag_callback(
          "--window", [&] { demo.window = DemoOptions::Window::only; }, "Only open a window")
      ->excludes(no_window);
  demo_command->callback([&] { status = marrow::tool::demo(demo); });

  InfoOptions info;
  CLI::App* info_command = app.add_subcommand("info", "Tell what is in a file: nodes, skins, clips, meshes, warnings");
  add_file_options(info_command, info.file);
  add_clips_option(info_command, info.file);
  info_command->add_flag("--json", info.json, "Print JSON for programs");
  info_command->callback([&] { status = marrow::tool::info(info); });

  CheckOptions check;
  CLI::App* check_command = app.add_subcommand("check", "Look for what is wrong or wasteful in a file");
  add_file_options(check_command, check.file);
  check_command->add_flag("--json", check.json, "Print JSON for programs, with every place");
  check_command->add_flag("--strict", check.strict, "Fail on warnings too");
  check_command->footer(
      "Each finding has the places it was found at, as JSON pointers into the file.\n"
      "Errors: something is broken or left out. Warnings: it may not look everywhere as it\n"
      "was meant. Notes: legal, maybe intended; good to know, or costs size.\n"
      "The exit status is 1 if there are errors (with --strict: or warnings), else 0.");
  check_command->callback([&] { status = marrow::tool::check(check); });

  SampleOptions sample;
  CLI::App* sample_command = app.add_subcommand("sample", "Print the matrices of every node at some times");
  add_file_options(sample_command, sample.file);
  add_clips_option(sample_command, sample.file);
  add_up_option(sample_command, sample.file);
  sample_command->add_option("--clip", sample.clip, "A clip's number or name, or none for the rest pose (default)");
  sample_command->add_option("--times", sample.times, "Times in seconds, with commas (default: 0)")->delimiter(',');
  sample_command->add_option("--vertices", sample.vertices, "Print that many skinned vertices of each mesh too");
  sample_command->add_flag("--json", sample.json, "Print JSON for programs");
  sample_command->callback([&] { status = marrow::tool::sample(sample); });

  RenderOptions render;
  add_render_options(app.add_subcommand("render", "Draw a picture, a contact sheet or a film"), render)->callback([&] {
    status = marrow::tool::render(render);
  });

  ConvertOptions convert;
  CLI::App* convert_command =
      app.add_subcommand("convert", "Write a model as a .mrw file, which loads at once and which every command reads");
  add_file_options(convert_command, convert.file);
  add_clips_option(convert_command, convert.file);
  add_up_option(convert_command, convert.file);
  convert_command->add_option("-o,--output", convert.output, "The file to write; without it, FILE with .mrw");
  convert_command->callback([&] { status = marrow::tool::convert(convert); });

  ExportOptions mesh_export, animation_export;
  add_export(app, mesh_export, animation_export, status);

  HashOptions hash;
  CLI::App* hash_command =
      app.add_subcommand("hash", "Print a hash of ten seconds of motion, the same on every machine");
  add_file_options(hash_command, hash.file);
  add_clips_option(hash_command, hash.file);
  add_lanes_option(hash_command);
  hash_command->callback([&] { status = marrow::tool::hash(hash); });

  BenchOptions bench;
  CLI::App* bench_command = app.add_subcommand("bench", "Measure the speed of the runtime on this machine");
  bench_command->add_option("--model", bench.model.path, "A model file to measure with (default: a humanoid)");
  bench_command->add_flag("--json", bench.json, "Print JSON for programs");
  add_lanes_option(bench_command);
  bench_command->add_option("--seconds", bench.seconds, "Time for each workload")->check(CLI::Range(0.01, 60.0));
  bench_command->add_option("--only", bench.only, "Measure one workload");
  bench_command->add_flag("!--no-verify", bench.verify, "Load a .mrw file without verifying it");
  bench_command->callback([&] { status = marrow::tool::bench(bench); });

  app.failure_message(usage_error);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and the version are "errors" too, with status 0.
    return app.exit(error) == 0 ? 0 : 2;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "marrow: " << error.what() << "\n";
    return 1;
  }
}

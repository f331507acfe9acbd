// The commands of the marrow program. Each returns the exit status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/export/writers.h"
#include "model_file.h"

namespace marrow::tool {

struct InfoOptions {
  FileOptions file;
  bool json = false;
};
int info(const InfoOptions& options);

struct CheckOptions {
  FileOptions file;
  bool json = false;
  bool strict = false;  // fail on warnings too
};
int check(const CheckOptions& options);

struct BenchOptions {
  FileOptions model;  // without a path: the built-in character
  bool json = false;
  double seconds = 0.3;  // for each workload
  std::string only;      // a workload's name, or empty for all
  bool verify = true;    // model files, before they are used
};
int bench(const BenchOptions& options);

struct SampleOptions {
  FileOptions file;
  std::string clip = "none";
  std::vector<double> times = {0};
  std::size_t vertices = 0;  // of each part of a mesh, to be told too
  bool json = false;
};
int sample(const SampleOptions& options);

struct RenderOptions {
  FileOptions file;
  std::string output;
  std::string clip;         // empty: the rest pose for a picture, the first clip for a film, all clips for a sheet
  double time = 0;          // of a picture; with a fade, from its beginning
  std::string fade;         // "A:B:SECONDS"
  std::uint32_t sheet = 0;  // pictures of each clip on a contact sheet; 0: none
  std::uint32_t width = 0, height = 0;  // 0: 640, and 320 on a sheet
  double azimuth = 30, elevation = 15;  // degrees
  double zoom = 1;
  double fps = 0;      // of a film; 0: 30, and 25 for a GIF
  double seconds = 0;  // of a film; 0: as long as its clips
  double turn = 0;     // degrees that the camera goes round in the course of a film or sheet
  bool skeleton = false, names = false;
  std::vector<std::string> trails;  // joints
  bool follow = false;
  bool transparent = false;
  bool no_ground = false, no_shadow = false;
};
int render(const RenderOptions& options);

struct HashOptions {
  FileOptions file;
};
int hash(const HashOptions& options);

struct ConvertOptions {
  FileOptions file;
  std::string output;
};
int convert(const ConvertOptions& options);

struct ExportOptions {
  FileOptions file;
  bool animation = false;  // else the mesh
  Language language = Language::rust;
  std::string output;              // empty or "-": standard output
  std::string name;                // what the names in the code begin with
  std::optional<unsigned> skin;    // that one alone
  std::vector<std::string> clips;  // none, or "all": all of them
  std::optional<double> fps, tolerance;
  bool trs = false;
  std::vector<std::string> meshes;  // none: all of them
  bool rigid = false, floats = false;
  bool no_uv = false, no_color = false, no_normal = false;
};
int export_code(const ExportOptions& options);

struct DemoOptions {
  std::string folder = "marrow-demo";  // for what it makes
  enum class Window { if_there_is_a_screen, none, only } window = Window::if_there_is_a_screen;
};
int demo(const DemoOptions& options);

}  // namespace marrow::tool

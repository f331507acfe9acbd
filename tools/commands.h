// The commands of the marrow program. Each returns the exit status.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  std::string clip = "none";
  double time = 0;
  std::uint32_t width = 640, height = 640;
  double azimuth = 30, elevation = 15;  // degrees
  double zoom = 1;
};
int render(const RenderOptions& options);

struct HashOptions {
  FileOptions file;
};
int hash(const HashOptions& options);

}  // namespace marrow::tool

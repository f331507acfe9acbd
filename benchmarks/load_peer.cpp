// marrow_load_peer [FILE [TIMES]]: reads a file with tinygltf and with marrow by turns and prints how long they take
// and how much memory. Without FILE it is the large file (large_file.h).
//
// Every measurement is a process of its own, so that neither finds memory that the other has warmed. marrow goes all
// the way to a Model with its clips ready to play; tinygltf to its tables and buffers. Neither looks at images.
#include <sys/resource.h>
#include <sys/wait.h>
#include <tiny_gltf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness.h"
#include "large_file.h"
#include "marrow/gltf/reader.h"

namespace {

using namespace marrow;

constexpr int kAgain = 3;  // readings after the first in each process

struct Reading {
  double first_ms = 0, again_ms = 0;  // CPU time of the first, and the least of those after it
  double peak_mb = 0;                 // of the process, up to the end of the first
};

bool read_with_tinygltf(const std::string& path, tinygltf::Model& out) {
  tinygltf::TinyGLTF reader;
  reader.SetImageLoader([](tinygltf::Image*, const int, std::string*, std::string*, int, int, const unsigned char*, int,
                           void*) { return true; },
                        nullptr);
  std::string errors, warnings;
  const bool good = path.ends_with(".gltf") ? reader.LoadASCIIFromFile(&out, &errors, &warnings, path)
                                            : reader.LoadBinaryFromFile(&out, &errors, &warnings, path);
  if (!good) std::fprintf(stderr, "tinygltf: %s: %s\n", path.c_str(), errors.c_str());
  return good && !out.accessors.empty();
}

bool read_with_marrow(const std::string& path, Model& out) {
  LoadOptions options;
  options.images = false;
  const Result<LoadedModel> loaded = load_gltf(path, options);
  if (!loaded) {
    std::fprintf(stderr, "marrow: %s: %s\n", path.c_str(), to_string(loaded.error()).c_str());
    return false;
  }
  out = loaded->model;
  return true;
}

// Reads several times in this process. What was read is freed outside the time.
template <typename Read>
bool measure(const std::string& path, bool (*read)(const std::string&, Read&), Reading& out) {
  for (int i = 0; i <= kAgain; ++i) {
    Read model;
    const double start = bench::cpu_ns();
    if (!read(path, model)) return false;
    const double ms = (bench::cpu_ns() - start) / 1e6;
    if (i > 0) {
      out.again_ms = i == 1 ? ms : std::min(out.again_ms, ms);
      continue;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    out.first_ms = ms;
    out.peak_mb = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
  }
  return true;
}

// Does work in a process of its own. Returns false if that cannot be had, or the work fails.
template <typename Work>
bool in_child(Work work, Reading& out) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    Reading result;
    const bool good = work(result) && write(ends[1], &result, sizeof result) == sizeof result;
    _exit(good ? 0 : 1);
  }
  close(ends[1]);
  const bool got = read(ends[0], &out, sizeof out) == sizeof out;
  close(ends[0]);
  int status = 0;
  return waitpid(child, &status, 0) == child && status == 0 && got;
}

struct Row {
  double first_min, first_median, again_min, again_median, peak_mb;
};

Row summary(const std::vector<Reading>& readings) {
  const auto sorted = [&](double Reading::*field) {
    std::vector<double> out;
    out.reserve(readings.size());
    for (const Reading& reading : readings) out.push_back(reading.*field);
    std::sort(out.begin(), out.end());
    return out;
  };
  const std::vector<double> first = sorted(&Reading::first_ms), again = sorted(&Reading::again_ms);
  const std::size_t middle = readings.size() / 2;
  return {first.front(), first[middle], again.front(), again[middle], sorted(&Reading::peak_mb)[middle]};
}

void print(const char* name, const Row& row) {
  std::printf("%-10s %10.2f %10.2f %10.2f %10.2f %10.1f\n", name, row.first_min, row.first_median, row.again_min,
              row.again_median, row.peak_mb);
}

int compare(const std::string& path, std::size_t times) {
  std::vector<Reading> theirs(times), ours(times);
  for (std::size_t i = 0; i < times; ++i) {
    if (!in_child([&](Reading& out) { return measure(path, &read_with_tinygltf, out); }, theirs[i])) return 1;
    if (!in_child([&](Reading& out) { return measure(path, &read_with_marrow, out); }, ours[i])) return 1;
  }
  std::printf("%s, %.1f MB; milliseconds of CPU time, megabytes at the peak; %zu processes each\n\n", path.c_str(),
              static_cast<double>(std::filesystem::file_size(path)) / 1e6, times);
  std::printf("%-10s %10s %10s %10s %10s %10s\n", "", "first, min", "median", "again, min", "median", "memory");
  const Row t = summary(theirs), m = summary(ours);
  print("tinygltf", t);
  print("marrow", m);
  print("ratio", {t.first_min / m.first_min, t.first_median / m.first_median, t.again_min / m.again_min,
                  t.again_median / m.again_median, t.peak_mb / m.peak_mb});
  return 0;
}

bool write_large_file(const std::string& path) {
  const std::vector<std::byte> bytes = bench::make_large_file();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return file.flush().good();
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t times = argc > 2 ? std::max(1ul, std::strtoul(argv[2], nullptr, 10)) : 15;
  if (argc > 1) return compare(argv[1], times);
  const std::string path =
      std::filesystem::temp_directory_path() / ("marrow_large_" + std::to_string(getpid()) + ".glb");
  Reading none;  // in a child too, since a process starts with the memory of the one that it comes from
  const bool made = in_child([&](Reading&) { return write_large_file(path); }, none);
  if (!made) std::fprintf(stderr, "marrow_load_peer: %s: the file cannot be written\n", path.c_str());
  const int status = made ? compare(path, times) : 1;
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return status;
}

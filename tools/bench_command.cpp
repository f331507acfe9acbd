#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "marrow/core/version.h"
#include "marrow/math/simd.h"
#include "text.h"
#include "workloads.h"

namespace marrow::tool {
namespace {

void print_json(const std::vector<bench::Measurement>& rows) {
  std::printf("{\"version\": \"%s\", \"lanes\": %d, \"workloads\": [", library_version(),
              static_cast<int>(active_lanes()));
  const char* separator = "\n";
  for (const bench::Measurement& row : rows) {
    std::printf(
        "%s  {\"name\": \"%s\", \"joints\": %u, \"characters\": %u, \"ns_per_character\": %.2f, "
        "\"ns_median\": %.2f}",
        separator, row.name.c_str(), row.joints, row.characters, row.ns_per_character, row.ns_median);
    separator = ",\n";
  }
  std::printf("\n]}\n");
}

// What to measure with; nothing, after a report, if it cannot be had.
std::optional<bench::Subject> make_subject(const FileOptions& file, bool verify) {
  if (file.path.empty()) return bench::humanoid_subject();
  const std::optional<LoadedModel> loaded = open_model(file, {});
  if (!loaded) return std::nullopt;
  LoadOptions options = load_options(file);
  options.verify = verify;
  const auto load = [path = file.path, options] { return load_model(path, options); };
  return bench::model_subject(loaded->model, load);
}

// Tells why rows are missing.
void tell_what_is_left_out(const std::string& path, const bench::Subject& subject) {
  std::string lacks = subject.clips.empty() ? "no clips" : "";
  if (subject.skins.empty()) lacks += lacks.empty() ? "no skins" : " and no skins";
  if (lacks.empty()) return;
  std::fprintf(stderr, "marrow: %s: there are %s; the workloads that need them are left out\n", printable(path).c_str(),
               lacks.c_str());
}

}  // namespace

int bench(const BenchOptions& options) {
  std::optional<bench::Subject> subject = make_subject(options.model, options.verify);
  if (!subject) return 1;
  tell_what_is_left_out(options.model.path, *subject);
  std::vector<bench::Workload> workloads = bench::make_workloads(std::move(*subject));
  if (!options.only.empty()) std::erase_if(workloads, [&](const auto& work) { return work.name != options.only; });
  if (workloads.empty()) {
    std::fprintf(stderr, "marrow: bench: there is no workload %s%s\n", in_quotes(options.only).c_str(),
                 options.model.path.empty() ? "" : " for this file");
    return 2;
  }
  if (!options.json) {
    std::printf("marrow %s, %s, one thread; nanoseconds a character\n\n", library_version(), to_string(active_lanes()));
    std::printf("%-16s %8s %11s %10s %10s\n", "workload", "joints", "characters", "min", "median");
  }
  std::vector<bench::Measurement> rows;
  for (const bench::Workload& work : workloads) {
    rows.push_back(bench::measure(work, options.seconds));
    const bench::Measurement& row = rows.back();
    if (options.json) continue;
    std::printf("%-16s %8u %11u %10.1f %10.1f\n", row.name.c_str(), row.joints, row.characters, row.ns_per_character,
                row.ns_median);
    std::fflush(stdout);
  }
  if (options.json) print_json(rows);
  return 0;
}

}  // namespace marrow::tool

#include <cstdio>

#include "commands.h"
#include "marrow/core/version.h"
#include "marrow/math/simd.h"
#include "workloads.h"

namespace marrow::tool {
namespace {

void print_json(const std::vector<bench::Measurement>& rows) {
  std::printf("{\"version\": \"%s\", \"lanes\": %d, \"workloads\": [", version(), static_cast<int>(active_lanes()));
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

}  // namespace

int bench(const BenchOptions& options) {
  if (options.lanes != 0 && !set_lanes(static_cast<Lanes>(options.lanes))) {
    std::fprintf(stderr, "marrow: bench: this machine or build has no kernels for %d lanes\n", options.lanes);
    return 1;
  }
  if (!options.json) {
    std::printf("marrow %s, %s, one thread; nanoseconds a character\n\n", version(), to_string(active_lanes()));
    std::printf("%-16s %8s %11s %10s %10s\n", "workload", "joints", "characters", "min", "median");
  }
  std::vector<bench::Measurement> rows;
  for (const bench::Workload& work : bench::make_workloads()) {
    if (!options.only.empty() && options.only != work.name) continue;
    rows.push_back(bench::measure(work, options.seconds));
    const bench::Measurement& row = rows.back();
    if (!options.json) {
      std::printf("%-16s %8u %11u %10.1f %10.1f\n", row.name.c_str(), row.joints, row.characters, row.ns_per_character,
                  row.ns_median);
      std::fflush(stdout);
    }
  }
  if (rows.empty()) {
    std::fprintf(stderr, "marrow: bench: there is no workload \"%s\"\n", options.only.c_str());
    return 2;
  }
  if (options.json) print_json(rows);
  return 0;
}

}  // namespace marrow::tool

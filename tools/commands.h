// The commands of the marrow program. Each returns the exit status.
#pragma once

#include <string>

namespace marrow::tool {

struct BenchOptions {
  bool json = false;
  int lanes = 0;         // 0: the widest available
  double seconds = 0.3;  // for each workload
  std::string only;      // a workload's name, or empty for all
};
int bench(const BenchOptions& options);

}  // namespace marrow::tool

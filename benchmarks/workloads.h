// The pieces of work that marrow's speed is judged by.
#pragma once

#include <vector>

#include "harness.h"

namespace marrow::bench {

// All workloads, on the procedural humanoid. They share data that lives as long as any of them.
[[nodiscard]] std::vector<Workload> make_workloads();

}  // namespace marrow::bench

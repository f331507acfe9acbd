#include "report_text.h"

namespace marrow::console {

std::string counted(std::uint64_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

std::string to_text(const RollbackCounts& counts) {
  return counted(counts.rollbacks, "rollback") + ", the deepest of " + counted(counts.deepest, "frame") + ", " +
         counted(counts.frames_again, "frame") + " simulated again";
}

}  // namespace marrow::console

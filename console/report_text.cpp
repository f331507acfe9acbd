#include "report_text.h"

namespace marrow::console {

std::string hex(std::uint64_t hash) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[hash >> shift & 0xf];
  return text;
}

std::string counted(std::uint64_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

std::string to_text(const RollbackCounts& counts) {
  return counted(counts.rollbacks, "rollback") + ", the deepest of " + counted(counts.deepest, "frame") + ", " +
         counted(counts.frames_again, "frame") + " simulated again";
}

}  // namespace marrow::console

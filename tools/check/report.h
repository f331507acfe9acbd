// Telling what was found.
#pragma once

#include <string>
#include <vector>

#include "finding.h"
#include "terminal.h"

namespace marrow::tool {

// All findings of one rule: those that cost the most first, then in the order in which they were found.
struct FindingGroup {
  Rule rule;
  std::vector<Finding> findings;
};

// Puts findings together by rule: errors first, then warnings, then notes.
[[nodiscard]] std::vector<FindingGroup> grouped_by_rule(std::vector<Finding> findings);

// How many rules of each severity were broken.
struct Summary {
  std::size_t errors = 0, warnings = 0, notes = 0;
};
[[nodiscard]] Summary summary_of(const std::vector<FindingGroup>& groups);

// For people: what is wrong, what to do, and the first places of each group; then "2 errors, 5 warnings, 3 notes".
[[nodiscard]] std::string report_text(const std::vector<FindingGroup>& groups, const Terminal& terminal);

// For programs, to standard output: all of it.
void write_report_json(const std::string& path, const std::vector<FindingGroup>& groups);

}  // namespace marrow::tool

// Checks a character and returns the findings of a rule as text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "check/check.h"
#include "tools/character.h"

namespace marrow::test {

inline tool::Findings check(const Character& character, std::vector<std::vector<TrackSource>> sources = {}) {
  return tool::check_all({character.model(), {}, std::move(sources)});
}

// The findings of a rule: "place: detail", one a line.
inline std::string of(const tool::Findings& findings, tool::Rule rule) {
  std::string out;
  for (const tool::Finding& finding : findings) {
    if (finding.rule == rule) out += (out.empty() ? "" : "\n") + to_string(finding.place) + ": " + finding.detail;
  }
  return out;
}

}  // namespace marrow::test

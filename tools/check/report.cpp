#include "report.h"

#include <algorithm>
#include <map>

#include "src/text/text.h"
#include "text.h"

namespace marrow::tool {
namespace {

constexpr std::size_t kPlacesShown = 4;
constexpr std::size_t kShortPlace = 30;
constexpr std::size_t kFindingIndent = 9;  // as wide as "warning" and two spaces

Tone tone_of(Severity severity) {
  switch (severity) {
    case Severity::error: return Tone::red;
    case Severity::warning: return Tone::yellow;
    case Severity::note: return Tone::blue;
  }
  return Tone::plain;
}

void append_places(const std::vector<Finding>& findings, const Terminal& terminal, std::string& out) {
  // One more is shown rather than counted.
  const std::size_t shown = findings.size() <= kPlacesShown + 1 ? findings.size() : kPlacesShown;
  std::vector<std::string> places;
  std::size_t widest = 0, longest = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    places.push_back(printable(to_string(findings[i].place)));
    widest = std::max(widest, columns_of(places[i]));
    longest = std::max(longest, columns_of(findings[i].detail));
  }
  // What does not fit beside its place goes below a long one.
  const bool beside = kFindingIndent + widest + 2 + longest <= terminal.width || widest <= kShortPlace;
  const std::size_t column = beside ? kFindingIndent + (widest > 0 ? widest + 2 : 0) : kFindingIndent + 2;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string &place = places[i], &detail = findings[i].detail;
    if (place.empty() && detail.empty()) continue;
    out.append(kFindingIndent, ' ').append(terminal.paint(Tone::cyan, place));
    if (!place.empty() && !detail.empty()) {
      if (beside) {
        out.append(widest - columns_of(place) + 2, ' ');
      } else {
        out.append("\n").append(column, ' ');
      }
    }
    out.append(wrapped(detail, column, terminal.width)).append("\n");
  }
  if (shown < findings.size()) {
    out.append(kFindingIndent, ' ')
        .append(terminal.paint(Tone::dim, "and " + grouped(findings.size() - shown) + " more"))
        .append("\n");
  }
}

std::uint64_t bytes_of(const std::vector<Finding>& findings) {
  std::uint64_t bytes = 0;
  for (const Finding& finding : findings) bytes += finding.bytes;
  return bytes;
}

}  // namespace

std::vector<FindingGroup> grouped_by_rule(std::vector<Finding> findings) {
  std::map<std::pair<Severity, Rule>, std::vector<Finding>> by_rule;
  for (Finding& finding : findings) {
    by_rule[{rule_info(finding.rule).severity, finding.rule}].push_back(std::move(finding));
  }
  std::vector<FindingGroup> groups;
  for (auto& [key, list] : by_rule) {
    std::stable_sort(list.begin(), list.end(), [](const Finding& a, const Finding& b) { return a.bytes > b.bytes; });
    groups.push_back({key.second, std::move(list)});
  }
  return groups;
}

Summary summary_of(const std::vector<FindingGroup>& groups) {
  Summary summary;
  for (const FindingGroup& group : groups) {
    switch (rule_info(group.rule).severity) {
      case Severity::error: ++summary.errors; break;
      case Severity::warning: ++summary.warnings; break;
      case Severity::note: ++summary.notes; break;
    }
  }
  return summary;
}

std::string report_text(const std::vector<FindingGroup>& groups, const Terminal& terminal) {
  std::string out;
  for (const FindingGroup& group : groups) {
    const RuleInfo& rule = rule_info(group.rule);
    const std::string severity = to_string(rule.severity);
    out.append(terminal.paint(tone_of(rule.severity), severity)).append(kFindingIndent - severity.size(), ' ');
    std::string what = rule.what;
    if (const std::uint64_t bytes = bytes_of(group.findings); bytes > 0) what += " " + bytes_text(bytes) + " in all.";
    const std::string name = "[" + std::string(rule.name) + "]";
    const std::size_t used = kFindingIndent + columns_of(what) + 1 + name.size();
    out.append(terminal.paint(Tone::bold, wrapped(what, kFindingIndent, terminal.width)));
    out.append(used <= terminal.width ? std::string(terminal.width - used + 1, ' ')
                                      : "\n" + std::string(kFindingIndent, ' '));
    out.append(terminal.paint(Tone::dim, name)).append("\n");
    out.append(kFindingIndent, ' ').append(wrapped(rule.advice, kFindingIndent, terminal.width)).append("\n");
    append_places(group.findings, terminal, out);
    out.append("\n");
  }
  const Summary summary = summary_of(groups);
  out.append(count_of(summary.errors, "error") + ", " + count_of(summary.warnings, "warning") + ", " +
             count_of(summary.notes, "note") + "\n");
  return out;
}

void write_report_json(const std::string& path, const std::vector<FindingGroup>& groups) {
  const Summary summary = summary_of(groups);
  JsonWriter json;
  json.object().member("file", std::string_view(path));
  json.member("errors", summary.errors).member("warnings", summary.warnings).member("notes", summary.notes);
  json.key("findings").array();
  for (const FindingGroup& group : groups) {
    const RuleInfo& rule = rule_info(group.rule);
    json.object().member("severity", to_string(rule.severity)).member("rule", rule.name);
    json.member("message", rule.what).member("advice", rule.advice);
    json.member("bytes", bytes_of(group.findings)).key("places").array();
    for (const Finding& finding : group.findings) {
      json.object().member("place", std::string_view(to_string(finding.place)));
      json.member("detail", std::string_view(finding.detail)).end();
    }
    json.end().end();
  }
  json.end().end();
}

}  // namespace marrow::tool

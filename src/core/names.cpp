#include "marrow/core/names.h"

#include <algorithm>
#include <cstddef>

namespace marrow {
namespace {

constexpr std::size_t kMostNames = 3;     // that are returned
constexpr std::size_t kMostLetters = 64;  // of a name that are looked at
constexpr std::size_t kMostLooked = 20000;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, kMostLetters)) out += lower(c);
  return out;
}

// Returns how many letters must be inserted, left out, replaced, or exchanged with their neighbour, to make one of the
// other (Damerau and Levenshtein, optimal string alignment).
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

struct Candidate {
  std::size_t rank;
  std::size_t extra;  // letters that only one of the two has
  std::size_t index;
};

}  // namespace

std::vector<std::string> similar_names(std::string_view wanted, std::span<const std::string_view> names) {
  const std::string asked = folded(wanted);
  std::vector<Candidate> found;
  for (std::size_t i = 0; i < std::min(names.size(), kMostLooked); ++i) {
    const std::string name = folded(names[i]);
    if (name.empty() || asked.empty()) continue;
    const std::size_t shorter = std::min(name.size(), asked.size()), longer = std::max(name.size(), asked.size());
    const bool inside =
        shorter >= 3 && (name.find(asked) != std::string::npos || asked.find(name) != std::string::npos);
    // A third of the letters may be wrong.
    const std::size_t most = std::max<std::size_t>(1, asked.size() / 3);
    std::size_t rank = inside ? std::size_t{1} : most + 1;
    if (longer - shorter <= most) rank = std::min(rank, edits_between(asked, name));
    if (rank <= most) found.push_back({rank, longer - shorter, i});
  }
  std::sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    return a.extra != b.extra ? a.extra < b.extra : a.index < b.index;
  });
  std::vector<std::string> out;
  for (const Candidate& c : found) {
    const std::string name(names[c.index]);
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    if (out.size() == kMostNames) break;
  }
  return out;
}

Error unknown_name(std::string_view noun, std::string_view wanted, std::span<const std::string_view> names) {
  std::string message = "there is no " + std::string(noun) + " \"" + std::string(wanted) + "\"";
  const std::vector<std::string> similar = similar_names(wanted, names);
  for (std::size_t i = 0; i < similar.size(); ++i) {
    message += i == 0 ? "; did you mean \"" : i + 1 == similar.size() ? "\" or \"" : "\", \"";
    message += similar[i];
  }
  if (!similar.empty()) message += "\"?";
  return {ErrorCode::not_found, message, {}};
}

}  // namespace marrow

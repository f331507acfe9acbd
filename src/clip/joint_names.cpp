#include "marrow/clip/joint_names.h"

#include <optional>

namespace marrow {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(c) || is_upper(c); }
char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }

// True if `word`, in lower case, stands at `at` in any case.
bool stands_at(std::string_view name, std::size_t at, std::string_view word) {
  if (name.size() - at < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (to_lower(name[at + i]) != word[i]) return false;
  }
  return true;
}

// True if a word starts at `at`: after something that is no letter, or with a capital after a small letter.
bool starts_word(std::string_view name, std::size_t at) {
  return at == 0 || !is_letter(name[at - 1]) || (is_upper(name[at]) && is_lower(name[at - 1]));
}

// Appends `word` in the case of the letters from `like` on: all small, all capital, or a capital and small ones.
void append_like(std::string_view word, const char* like, std::string& out) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool capital = i == 0 ? is_upper(like[0]) : is_upper(like[1]);
    out += capital ? to_upper(word[i]) : word[i];
  }
}

// Replaces the words left and right; returns nothing if there are none.
std::optional<std::string> with_words_exchanged(std::string_view name) {
  std::string out;
  bool found = false;
  for (std::size_t i = 0; i < name.size();) {
    const bool left = stands_at(name, i, "left"), right = stands_at(name, i, "right");
    if ((left || right) && starts_word(name, i)) {
      append_like(left ? "right" : "left", name.data() + i, out);
      i += left ? 4 : 5;
      found = true;
    } else {
      out += name[i++];
    }
  }
  if (!found) return std::nullopt;
  return out;
}

// True if the letter at `at` stands for a side.
bool is_side_letter(std::string_view name, std::size_t at) {
  const char c = to_lower(name[at]);
  if (c != 'l' && c != 'r') return false;
  const bool first = at == 0 || !is_letter(name[at - 1]);
  const bool last = at + 1 == name.size() || !is_letter(name[at + 1]);
  if (first && last) return true;
  if (at == 0) {  // "lThigh" and "LThigh", but not "ROOT"
    return name.size() > 2 && is_upper(name[1]) && (is_lower(name[0]) || is_lower(name[2]));
  }
  return last && is_upper(name[at]) && is_lower(name[at - 1]);
}

}  // namespace

std::string opposite_name(std::string_view name) {
  if (std::optional<std::string> words = with_words_exchanged(name)) return *words;
  std::string out(name);
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_side_letter(name, i)) continue;
    const char other = to_lower(name[i]) == 'l' ? 'r' : 'l';
    out[i] = is_upper(name[i]) ? to_upper(other) : other;
  }
  return out;
}

}  // namespace marrow

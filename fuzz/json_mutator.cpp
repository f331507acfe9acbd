#include "json_mutator.h"

#include <cstdlib>
#include <iterator>
#include <string_view>
#include <vector>

namespace marrow::fuzz {
namespace {

// A value, or a member of an object with its key: from `begin` up to `end` in the text.
struct Extent {
  std::size_t begin, end;
};

// Where in a text what is. Finds its way through whatever has its brackets in order.
class Outline {
 public:
  explicit Outline(std::string_view text) : text_(text) {}

  bool scan() {
    std::vector<Extent> open;  // values that have begun; `end` is where their present element began
    std::size_t at = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      const std::size_t begin = at;
      if (c == '{' || c == '[') {
        open.push_back({begin, ++at});
      } else if (c == '}' || c == ']') {
        if (open.empty()) return false;
        add_element({open.back().end, at});
        all.push_back({open.back().begin, ++at});
        open.pop_back();
      } else if (c == ',') {
        if (open.empty()) return false;
        add_element({open.back().end, at});
        open.back().end = ++at;
      } else if (c == '"') {
        for (++at; at < text_.size() && text_[at] != '"'; ++at) at += text_[at] == '\\' ? 1 : 0;
        if (++at > text_.size()) return false;
        (is_key(at) ? keys : strings).push_back({begin, at});
        if (!is_key(at)) all.push_back({begin, at});
      } else if (is_word(c)) {
        while (at < text_.size() && is_word(text_[at])) ++at;
        if (c == '-' || (c >= '0' && c <= '9')) numbers.push_back({begin, at});
        all.push_back({begin, at});
      } else {
        ++at;
      }
    }
    return open.empty() && !all.empty();
  }

  std::vector<Extent> numbers, strings, keys, all;
  std::vector<Extent> elements;  // of arrays, and members of objects: all between two commas or brackets

 private:
  static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
           c == '.';
  }
  [[nodiscard]] bool is_key(std::size_t after) const {
    while (after < text_.size() && text_[after] <= ' ') ++after;
    return after < text_.size() && text_[after] == ':';
  }
  void add_element(Extent element) {
    if (element.begin < element.end) elements.push_back(element);
  }

  std::string_view text_;
};

constexpr std::string_view kNumbers[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "3",
                                         "4",
                                         "5",
                                         "7",
                                         "8",
                                         "16",
                                         "255",
                                         "256",
                                         "1000",
                                         "65535",
                                         "0.5",
                                         "1e18",
                                         "-1e18",
                                         "1e19",
                                         "1e300",
                                         "-0",
                                         "1e-40",
                                         "5120",
                                         "5121",
                                         "5122",
                                         "5123",
                                         "5125",
                                         "5126",
                                         "2147483647",
                                         "4294967295",
                                         "4294967296",
                                         "9007199254740992",
                                         "0.70710678"};
constexpr std::string_view kValues[] = {"null", "true", "false", "[]", "{}", "\"\"", "[0]", "[0,0,0]", "[0,0,0,1]"};

template <typename List>
const auto& any_of(const List& list, Random& random) {
  return list[below(std::size(list), random)];
}

std::string piece(const std::string& text, Extent extent) {
  return text.substr(extent.begin, extent.end - extent.begin);
}

void replace(std::string& text, Extent extent, std::string_view by) {
  text.replace(extent.begin, extent.end - extent.begin, by);
}

// Indices, counts and offsets that have a neighbour.
constexpr long long kRange = 1 << 30;

std::string other_number(const std::string& text, const Outline& outline, Extent old, Random& random) {
  switch (below(4, random)) {
    case 0: return piece(text, any_of(outline.numbers, random));
    case 1: return std::string(any_of(kNumbers, random));
    case 2:
      return std::to_string(std::strtoll(text.c_str() + old.begin, nullptr, 10) % kRange +
                            static_cast<int>(below(9, random)) - 4);
    default: return std::to_string(below(12, random));
  }
}

// Takes an element away, with a comma beside it.
void remove_element(std::string& text, Extent element) {
  if (element.end < text.size() && text[element.end] == ',') {
    ++element.end;
  } else if (element.begin > 0 && text[element.begin - 1] == ',') {
    --element.begin;
  }
  replace(text, element, "");
}

}  // namespace

std::size_t below(std::size_t end, Random& random) { return random.bits() % end; }

bool mutate_json(std::string& text, Random& random) {
  Outline outline(text);
  if (!outline.scan()) return false;
  switch (below(8, random)) {
    case 0:
    case 1:
    case 2:
      if (outline.numbers.empty()) return false;
      {
        const Extent old = any_of(outline.numbers, random);
        replace(text, old, other_number(text, outline, old, random));
      }
      return true;
    case 3:
      if (outline.strings.empty()) return false;
      replace(text, any_of(outline.strings, random), piece(text, any_of(outline.strings, random)));
      return true;
    case 4:
      if (outline.keys.empty()) return false;
      replace(text, any_of(outline.keys, random), piece(text, any_of(outline.keys, random)));
      return true;
    case 5:
      if (below(4, random) == 0) {
        replace(text, any_of(outline.all, random), any_of(kValues, random));
      } else {
        replace(text, any_of(outline.all, random), piece(text, any_of(outline.all, random)));
      }
      return true;
    case 6:
      if (outline.elements.empty()) return false;
      remove_element(text, any_of(outline.elements, random));
      return true;
    default:
      if (outline.elements.empty()) return false;
      {
        const std::string added = piece(text, any_of(outline.elements, random)) + ",";
        text.insert(any_of(outline.elements, random).begin, added);
      }
      return true;
  }
}

}  // namespace marrow::fuzz

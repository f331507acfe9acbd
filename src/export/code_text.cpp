#include "src/export/code_text.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <set>

#include "src/export/imports.h"
#include "src/export/reserved_words.h"

namespace marrow {
namespace {

constexpr std::size_t kLongestInC = 4095;  // C99 asks no more of compilers, and they warn

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Calls visit(character, its bytes) for all of a text.
template <typename Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_at(text, at);
    visit(c.code, text.substr(at, c.length));
    at += c.length;
  }
}

std::string formatted(const char* format, std::uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Upper case letters and digits, with one underscore for what lies between them.
std::string identifier(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (is_letter(c) || is_digit(c)) {
      out.push_back(upper(c));
    } else if (!out.empty() && out.back() != '_') {
      out.push_back('_');
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

}  // namespace

std::string float_literal(Language language, float value) {
  std::string text = number_text(value);
  if (language == Language::json) return text;
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return language == Language::rust ? text : text + "f";
}

std::string string_literal(Language language, std::string_view text) {
  std::string out = "\"";
  std::size_t length = 0;
  for_each_character(text, [&](std::uint32_t code, std::string_view bytes) {
    length += code == kReplacementCharacter ? kReplacement.size() : bytes.size();
    if (language == Language::c && length > kLongestInC) return;
    if (code == '"' || code == '\\') {
      out += '\\';
      out += bytes;
    } else if (code == kReplacementCharacter) {
      out += kReplacement;
    } else if (is_control(code) && language == Language::rust) {
      out += "\\u{" + formatted("%x", code) + "}";
    } else if (is_control(code)) {
      for (const char c : bytes) out += formatted("\\%03o", static_cast<unsigned char>(c));
    } else if (code == '?' && language != Language::rust) {
      out += "\\?";  // two of them begin a trigraph
    } else {
      out += bytes;
    }
  });
  return out + "\"";
}

std::string comment_text(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::uint32_t code, std::string_view bytes) {
    if (is_control(code) || code == kReplacementCharacter) {
      out += kReplacement;
    } else if (code == '\\') {
      out += '|';  // at the end of a line it continues the comment
    } else if (code == '?' && !out.empty() && out.back() == '?') {
      out += '.';  // and so does a trigraph
    } else {
      out += bytes;
    }
  });
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string namespace_name(std::string_view name) {
  std::string out = identifier(name);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  if (out.empty()) return "model";
  if (is_digit(out[0])) out.insert(0, "model_");
  if (is_reserved_in_cpp(out)) out += "_data";
  return out;
}

std::vector<std::string> identifiers(std::span<const std::string_view> names, std::string_view fallback) {
  std::vector<std::string> out;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string word = identifier(names[i]);
    const std::string fallback_word = identifier(fallback);
    if (word.empty()) word = std::to_string(i);
    if (is_digit(word[0])) word.insert(0, fallback_word + "_");
    std::string unique = word;
    for (std::size_t n = 2; !taken.insert(unique).second; ++n)
      unique.assign(word).append("_").append(std::to_string(n));
    out.push_back(std::move(unique));
  }
  return out;
}

}  // namespace marrow

#include <algorithm>
#include <iterator>

#include "src/text/text.h"

namespace marrow {

Utf8Character utf8_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
  if (length == 1 || first > 0xf4 || at + length > text.size()) return {};
  std::uint32_t code = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(at + i) & 0x3f);
  }
  // Longer than need be, half of a pair, or beyond the last.
  constexpr std::uint32_t kFirstOfLength[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kFirstOfLength[length] || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return {};
  return {code, length};
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_at(text, at);
    if (c.code == kReplacementCharacter && c.length == 1) return false;
    at += c.length;
  }
  return true;
}

std::string valid_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_at(text, at);
    out += c.code == kReplacementCharacter ? kReplacement : text.substr(at, c.length);
    at += c.length;
  }
  return out;
}

bool is_control(std::uint32_t code) {
  struct Range {
    std::uint32_t first, last;
  };
  constexpr Range kControls[] = {{0, 0x1f}, {0x7f, 0x9f}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
  return std::any_of(std::begin(kControls), std::end(kControls),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

}  // namespace marrow

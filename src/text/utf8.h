// Text as Unicode characters, for what takes in or prints names that come from files and callers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace marrow {

inline constexpr std::uint32_t kReplacementCharacter = 0xfffd;
inline constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // the same in UTF-8

struct Utf8Character {
  std::uint32_t code = kReplacementCharacter;
  std::size_t length = 1;  // in bytes
};

// Returns the character that begins at text[at]; kReplacementCharacter and 1 for a byte that begins none.
[[nodiscard]] Utf8Character utf8_at(std::string_view text, std::size_t at);

// Returns true if all of a text is UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

// Returns the text with kReplacement for each byte that begins no character.
[[nodiscard]] std::string valid_utf8(std::string_view text);

// Returns true for what is acted upon instead of shown, and for what turns the direction of writing: in a terminal or
// in source code, text with such characters is not what it looks like.
[[nodiscard]] bool is_control(std::uint32_t code);

}  // namespace marrow

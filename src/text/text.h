// Text as Unicode characters, for names that come from files and callers, and numbers as text. Internal.
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

// Returns the shortest decimal number that reads back to the same bits, with an exponent where that is shorter: "0.1",
// "1e-07", "16777216". The number must be finite.
[[nodiscard]] std::string number_text(float value);
[[nodiscard]] std::string number_text(double value);

}  // namespace marrow

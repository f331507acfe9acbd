// Text as the library writes it: names from files and callers as UTF-8, numbers, and JSON of both. Internal.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

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

// Returns the 16 digits of a number in base 16, as hashes are written.
[[nodiscard]] std::string hex_text(std::uint64_t value);

// Returns the whole number that all of a text is, in decimal digits: nothing for "", "7a", "-1" or what does not fit.
template <typename Unsigned>
[[nodiscard]] std::optional<Unsigned> parse_number(std::string_view text) {
  static_assert(std::is_unsigned_v<Unsigned>);
  Unsigned number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return number;
}

// Writes JSON, to standard output or to a string, and puts commas where they belong. Numbers are the shortest that read
// back to the same bits; what is not UTF-8 in a text is replaced. One thread at a time may use a writer.
class JsonWriter {
 public:
  // Everything is there when the writer is gone.
  explicit JsonWriter(std::string* to = nullptr) : to_(to) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  ~JsonWriter() {
    text_.push_back('\n');
    flush();
  }

  JsonWriter& object() { return open('{'); }
  JsonWriter& array() { return open('['); }
  JsonWriter& end() {
    if (new_line_) text_.push_back('\n');
    new_line_ = false;
    text_.push_back(open_.back());
    open_.pop_back();
    comma_ = true;
    return *this;
  }

  JsonWriter& key(std::string_view name) {
    value(name);
    text_.push_back(':');
    comma_ = false;
    return *this;
  }

  JsonWriter& value(std::string_view text) {
    begin();
    text_.push_back('"');
    for (std::size_t at = 0; at < text.size();) {
      const Utf8Character c = utf8_at(text, at);
      if (c.code == '"' || c.code == '\\') {
        text_.push_back('\\');
        text_.push_back(text[at]);
      } else if (c.code < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c.code));
        text_.append(escape);
      } else {
        text_.append(c.code == kReplacementCharacter ? kReplacement : text.substr(at, c.length));
      }
      at += c.length;
    }
    text_.push_back('"');
    return *this;
  }
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool flag) {
    begin();
    text_.append(flag ? "true" : "false");
    return *this;
  }
  template <typename Number>
  JsonWriter& value(Number number) {
    begin();
    if constexpr (std::is_floating_point_v<Number>) {
      text_.append(number_text(number));
    } else {
      char digits[32];
      text_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    }
    if (text_.size() > (1u << 16)) flush();
    return *this;
  }
  JsonWriter& null() {
    begin();
    text_.append("null");
    return *this;
  }
  template <typename Number>
  JsonWriter& values(std::span<const Number> numbers) {
    array();
    for (const Number number : numbers) value(number);
    return end();
  }
  JsonWriter& values(std::span<const float> numbers) { return values<float>(numbers); }

  // Lets what comes next begin a new line, so that a change of the data is a change of few lines.
  JsonWriter& line() {
    new_line_ = true;
    return *this;
  }

  template <typename Value>
  JsonWriter& member(std::string_view name, Value v) {
    return key(name).value(v);
  }

 private:
  void begin() {
    if (comma_) text_.push_back(',');
    if (new_line_) text_.push_back('\n');
    comma_ = true;
    new_line_ = false;
  }
  JsonWriter& open(char bracket) {
    begin();
    text_.push_back(bracket);
    open_.push_back(bracket == '{' ? '}' : ']');
    comma_ = false;
    return *this;
  }
  void flush() {
    if (to_ != nullptr) {
      to_->append(text_);
    } else {
      std::fwrite(text_.data(), 1, text_.size(), stdout);
    }
    text_.clear();
  }

  std::string* to_;
  std::string text_, open_;
  bool comma_ = false, new_line_ = false;
};

}  // namespace marrow

// Writing JSON, to standard output or to a string. One thread at a time may use a writer.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "src/text/text.h"

namespace marrow {

// Puts commas where they belong. Numbers are the shortest that read back to the same bits; what is not UTF-8 in a text
// is replaced.
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

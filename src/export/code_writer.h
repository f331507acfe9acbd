// Constants and arrays in Rust, C and C++. Internal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "marrow/export/writers.h"

namespace marrow {

enum class CodeType : std::uint8_t { u8, u16, u32, u64, i32, f32, text };

// Writes items one after the other. Nothing that it writes makes a compiler warn, used or not.
class CodeWriter {
 public:
  explicit CodeWriter(const CodeOptions& options);

  // What the names of all that follows begin with, after that of the options.
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }

  void comment(std::string_view text);  // a sentence, broken into lines
  void heading(std::string_view text);  // after an empty line
  void number(std::string_view name, CodeType type, std::uint64_t value);
  void number(std::string_view name, float value);
  void text(std::string_view name, std::string_view value);

  // An array: rows of elements, each with a comment.
  void begin_array(std::string_view name, CodeType type, std::size_t count);
  void element(float value) { add_element(literal(value)); }
  void element(std::int64_t value) { add_element(std::to_string(value)); }
  void hex_element(std::uint8_t value);
  void element(std::string_view value);
  void end_row(std::string_view comment = {});
  void row_comment(std::string_view text);  // a line of its own
  void end_array();

  // Ends the file, and returns it.
  [[nodiscard]] std::string finish();

 private:
  [[nodiscard]] std::string full_name(std::string_view name) const;
  [[nodiscard]] std::string literal(float value) const;
  void constant(std::string_view name, CodeType type, const std::string& value);
  void add_element(std::string_view text);

  Language language_;
  std::string name_, prefix_, out_;
  std::size_t after_origin_ = 0;  // where in it the guard of headers goes
  bool in_row_ = false;
  bool is_empty_ = false;  // the array that is being written
};

}  // namespace marrow

// Text for people: numbers, sizes, names from files, columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace marrow::tool {

// Returns a name from a file with what would move the cursor or turn the direction of writing replaced by U+FFFD.
[[nodiscard]] std::string printable(std::string_view name);

// Returns how many columns a terminal shows UTF-8 text in.
[[nodiscard]] std::size_t columns_of(std::string_view text);

// Returns the text, or as much of it as fits with an ellipsis at the end.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);

// Returns the text, or its beginning and end with an ellipsis between them if it is longer. For sentences, whose end
// matters as much.
[[nodiscard]] std::string shortened_inside(std::string_view text, std::size_t columns);

// A name from a file for messages: in quotes, printable, not too long.
[[nodiscard]] std::string in_quotes(std::string_view name);

// A name from a file for a table: printable, cut or with spaces at the end to fill the columns.
[[nodiscard]] std::string cell_of(std::string_view name, std::size_t columns);

// Breaks text at spaces so that it fits between the columns `indent` and `width`; the lines after the first begin with
// as many spaces.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

[[nodiscard]] std::string grouped(std::uint64_t number);                    // 12,345
[[nodiscard]] std::string count_of(std::uint64_t number, const char* one);  // "1 joint", "2 joints"
[[nodiscard]] std::string count_of(std::uint64_t number, const char* one, const char* many);
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);  // "312 B", "12.3 KB"
[[nodiscard]] std::string short_number(double value);       // three digits, without an exponent where one can read it
[[nodiscard]] std::string percent_text(double part);        // "0.3 %"

// Rows in columns as wide as their widest cell, two spaces apart.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  // The lines, the titles first, each after `indent` spaces. If they would be wider than `width`, the widest column of
  // words is cut. Columns in which no row has anything are left out.
  [[nodiscard]] std::vector<std::string> lines(std::size_t indent, std::size_t width) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace marrow::tool

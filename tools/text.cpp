#include "text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "src/text/text.h"

namespace marrow::tool {
namespace {

constexpr std::size_t kLeastCut = 12;  // columns that are left of a column of words
constexpr std::size_t kLongestQuote = 40;

struct Range {
  std::uint32_t first, last;
};

template <std::size_t N>
bool is_in(std::uint32_t code, const Range (&ranges)[N]) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

std::size_t columns_of_code(std::uint32_t code) {
  constexpr Range kNone[] = {{0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
  constexpr Range kTwo[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},
                            {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
  return is_in(code, kNone) ? 0 : is_in(code, kTwo) ? 2 : 1;
}

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string printable(std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    const Utf8Character c = utf8_at(name, at);
    if (is_control(c.code) || c.code == kReplacementCharacter) {
      out.append("\xef\xbf\xbd");
    } else {
      out.append(name.substr(at, c.length));
    }
    at += c.length;
  }
  return out;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_at(text, at);
    columns += columns_of_code(c.code);
    at += c.length;
  }
  return columns;
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_at(text, at);
    used += columns_of_code(c.code);
    if (used + 1 > columns) break;
    out.append(text.substr(at, c.length));
    at += c.length;
  }
  return out + "…";
}

std::string shortened_inside(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  const std::string begin = shortened(text, columns / 2);
  std::size_t left = columns - columns_of(begin), from = text.size();
  for (std::size_t at = text.size(); at-- > 0;) {
    if ((static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) continue;  // within a character
    const std::size_t wide = columns_of_code(utf8_at(text, at).code);
    if (wide > left) break;
    left -= wide;
    from = at;
  }
  return begin + std::string(text.substr(from));
}

std::string in_quotes(std::string_view name) { return "\"" + shortened(printable(name), kLongestQuote) + "\""; }

std::string cell_of(std::string_view name, std::size_t columns) {
  std::string text = shortened(printable(name), columns);
  return text.append(columns - columns_of(text), ' ');
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t used = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t columns = columns_of(word);
    if (used > indent && used + 1 + columns > width) {
      out.append("\n").append(indent, ' ');
      used = indent;
    } else if (used > indent) {
      out.push_back(' ');
      ++used;
    }
    out.append(word);
    used += columns;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string count_of(std::uint64_t number, const char* one) {
  return count_of(number, one, (std::string(one) + "s").c_str());
}

std::string count_of(std::uint64_t number, const char* one, const char* many) {
  return grouped(number) + " " + (number == 1 ? one : many);
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  const char* const units[] = {"KB", "MB", "GB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1023.5 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return formatted(value < 99.95 ? "%.1f " : "%.0f ", value) + units[unit];
}

std::string short_number(double value) {
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return "0";
  if (magnitude >= 99.95 && magnitude < 1e7) return formatted("%.0f", value);
  return formatted("%.3g", value);
}

std::string percent_text(double part) {
  const double percent = 100 * part;
  return (percent < 0.1 ? "< 0.1" : formatted(percent < 9.95 ? "%.1f" : "%.0f", percent)) + " %";
}

std::vector<std::string> Table::lines(std::size_t indent, std::size_t width) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  std::size_t total = indent, widest = columns_.size();
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    for (const std::vector<std::string>& row : rows_) widths[c] = std::max(widths[c], columns_of(row[c]));
    if (widths[c] == 0) continue;  // nobody has any
    widths[c] = std::max(widths[c], columns_of(columns_[c].title));
    total += widths[c] + 2;
    if (columns_[c].align == Align::left && (widest == columns_.size() || widths[c] > widths[widest])) widest = c;
  }
  if (total > width + 2 && widest != columns_.size()) {
    const std::size_t over = total - width - 2;
    widths[widest] = widths[widest] > over + kLeastCut ? widths[widest] - over : std::min(widths[widest], kLeastCut);
  }
  std::vector<std::string> out;
  const auto add_line = [&](const auto& cell) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (widths[c] == 0) continue;
      const std::string text = shortened(cell(c), widths[c]);
      const std::string space(widths[c] - columns_of(text), ' ');
      line += columns_[c].align == Align::left ? text + space : space + text;
      line += "  ";
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out.push_back(std::move(line));
  };
  add_line([&](std::size_t c) -> const std::string& { return columns_[c].title; });
  for (const std::vector<std::string>& row : rows_) {
    add_line([&](std::size_t c) -> const std::string& { return row[c]; });
  }
  return out;
}

}  // namespace marrow::tool

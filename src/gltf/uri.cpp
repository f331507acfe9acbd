#include "src/gltf/uri.h"

#include <cstdint>
#include <optional>

namespace marrow {
namespace {

constexpr std::string_view kScheme = "data:";

bool is_separator(char c) { return c == '/' || c == '\\'; }

std::optional<std::uint32_t> hexadecimal(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  if (lower >= 'a' && lower <= 'f') return static_cast<std::uint32_t>(lower - 'a') + 10;
  return std::nullopt;
}

std::optional<std::uint32_t> base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a') + 26;
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0') + 52;
  if (c == '+' || c == '-') return 62u;  // the second of each pair is that of URLs
  if (c == '/' || c == '_') return 63u;
  return std::nullopt;
}

Result<std::vector<std::byte>> decode_base64(std::string_view text, std::size_t offset) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  if (text.size() % 4 == 1) {
    return Error{ErrorCode::size_mismatch, "base64 data is cut off",
                 Place::numbered("character", offset + text.size())};
  }
  std::vector<std::byte> out;
  out.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0, count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::optional<std::uint32_t> digit = base64_digit(text[i]);
    if (!digit) {
      return Error{ErrorCode::malformed, "a character that is not base64", Place::numbered("character", offset + i)};
    }
    bits = bits << 6 | *digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<std::byte>(bits >> count));
  }
  return out;
}

}  // namespace

std::string in_quotes(std::string_view text) { return std::string(1, '"').append(text).append(1, '"'); }

bool is_data_uri(std::string_view uri) {
  if (uri.size() < kScheme.size()) return false;
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = uri[i] >= 'A' && uri[i] <= 'Z' ? static_cast<char>(uri[i] | 0x20) : uri[i];
    if (c != kScheme[i]) return false;
  }
  return true;
}

Result<std::vector<std::byte>> read_data_uri(std::string_view uri) {
  const std::size_t comma = uri.find(',');
  if (!is_data_uri(uri) || comma == std::string_view::npos) {
    return Error{ErrorCode::malformed, "a data URI without data", ""};
  }
  const std::string_view payload = uri.substr(comma + 1);
  if (uri.substr(0, comma).ends_with(";base64")) return decode_base64(payload, comma + 1);
  const std::string decoded = percent_decoded(payload);
  std::vector<std::byte> out(decoded.size());
  for (std::size_t i = 0; i < decoded.size(); ++i) out[i] = static_cast<std::byte>(decoded[i]);
  return out;
}

std::string percent_decoded(std::string_view uri) {
  std::string out;
  out.reserve(uri.size());
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size()) {
      const std::optional<std::uint32_t> high = hexadecimal(uri[i + 1]), low = hexadecimal(uri[i + 2]);
      if (high && low) {
        out.push_back(static_cast<char>(*high << 4 | *low));
        i += 2;
        continue;
      }
    }
    out.push_back(uri[i]);
  }
  return out;
}

bool stays_inside(std::string_view path) {
  if (path.empty() || is_separator(path.front())) return false;
  int depth = 0;
  for (std::size_t start = 0; start <= path.size();) {
    std::size_t end = start;
    while (end < path.size() && !is_separator(path[end])) {
      // A colon makes a scheme, a drive, or a stream of a file; 0 ends a path early.
      if (path[end] == ':' || path[end] == '\0') return false;
      ++end;
    }
    const std::string_view part = path.substr(start, end - start);
    if (part == "..") {
      if (--depth < 0) return false;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
    start = end + 1;
  }
  return depth > 0;
}

}  // namespace marrow

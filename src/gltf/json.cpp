#include "src/gltf/json.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace marrow {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// How many of the bytes from p on belong together: a character of UTF-8, or what of one there is.
struct Utf8 {
  std::uint32_t length;
  bool valid;
};
Utf8 utf8_at(const char* p, const char* end) {
  const auto byte = [&](std::ptrdiff_t i) { return static_cast<unsigned char>(p[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, true};
  if (lead < 0xc2 || lead > 0xf4) return {1, false};
  const std::uint32_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // The second byte must not make the character longer than it need be, a surrogate, or too large.
  unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  for (std::uint32_t i = 1; i < length; ++i) {
    if (p + i == end || byte(i) < low || byte(i) > high) return {i, false};
    low = 0x80;
    high = 0xbf;
  }
  return {length, true};
}

void append_utf8(std::uint32_t c, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | c >> 6);
    put(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    put(0xe0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  } else {
    put(0xf0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3f));
    put(0x80 | (c >> 6 & 0x3f));
    put(0x80 | (c & 0x3f));
  }
}

}  // namespace

const char* to_string(JsonKind kind) {
  switch (kind) {
    case JsonKind::null: return "null";
    case JsonKind::boolean: return "a boolean";
    case JsonKind::number: return "a number";
    case JsonKind::string: return "a string";
    case JsonKind::array: return "an array";
    case JsonKind::object: return "an object";
  }
  return "unknown";
}

// Each step returns false when it fails, with `what_` saying why and `p_` where.
class JsonParser {
 public:
  explicit JsonParser(std::string_view text, JsonDocument& document)
      : begin_(text.data()), p_(text.data()), end_(text.data() + text.size()), document_(document) {}

  bool parse() {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    if (std::string_view(p_, static_cast<std::size_t>(end_ - p_)).starts_with(kMark)) p_ += kMark.size();
    skip_space();
    for (;;) {
      bool opened = false;
      if (!value(opened)) return false;
      if (opened) continue;
      // A value has ended, and with it perhaps what it is in.
      for (;;) {
        skip_space();
        if (depth_ == 0) return at_end();
        const bool object = nodes()[open_[depth_ - 1]].kind == JsonKind::object;
        if (peek() == (object ? '}' : ']')) {
          close();
          continue;
        }
        if (peek() != ',') return fail(object ? "expected , or }" : "expected , or ]");
        if (counts_[depth_ - 1] >= JsonDocument::kMaxElements) return fail("too many values in one array or object");
        ++p_;
        skip_space();
        if (object && !key()) return false;
        break;
      }
    }
  }

  [[nodiscard]] Error error() const {
    const auto line = 1 + std::count(begin_, p_, '\n');
    const char* start = p_;
    while (start != begin_ && start[-1] != '\n') --start;
    return {ErrorCode::invalid_argument, what_,
            "line " + std::to_string(line) + ", column " + std::to_string(p_ - start + 1)};
  }

 private:
  std::vector<JsonNode, LargeAllocator<JsonNode>>& nodes() { return document_.nodes_; }
  [[nodiscard]] char peek() const { return p_ != end_ ? *p_ : '\0'; }
  void skip_space() {
    while (p_ != end_ && static_cast<unsigned char>(*p_) <= ' ' && is_space(*p_)) ++p_;
  }
  bool fail(const char* what) {
    what_ = what;
    return false;
  }

  JsonNode& add(JsonKind kind) {
    JsonNode& node = nodes().emplace_back();
    node.kind = kind;
    node.end = static_cast<std::uint32_t>(nodes().size());
    if (depth_ > 0) ++counts_[depth_ - 1];
    return node;
  }

  bool at_end() {
    while (p_ != end_ && *p_ == '\0') ++p_;
    return p_ == end_ || fail("expected nothing after the value");
  }

  bool value(bool& opened) {
    switch (peek()) {
      case '{': return open(JsonKind::object, opened);
      case '[': return open(JsonKind::array, opened);
      case '"': return string();
      case 't': return word("true", JsonKind::boolean, true);
      case 'f': return word("false", JsonKind::boolean, false);
      case 'n': return word("null", JsonKind::null, false);
      default: return number();
    }
  }

  bool word(std::string_view text, JsonKind kind, bool flag) {
    if (!std::string_view(p_, static_cast<std::size_t>(end_ - p_)).starts_with(text)) return fail("expected a value");
    p_ += text.size();
    add(kind).flag = flag;
    return true;
  }

  // Steps into an array or object; into an object up to its first value. An empty one is closed at once.
  bool open(JsonKind kind, bool& opened) {
    if (depth_ == JsonDocument::kMaxDepth) return fail("nested too deeply");
    add(kind);
    open_[depth_] = static_cast<std::uint32_t>(nodes().size() - 1);
    counts_[depth_++] = 0;
    ++p_;
    skip_space();
    if (peek() == (kind == JsonKind::object ? '}' : ']')) {
      close();
      return true;
    }
    opened = true;
    return kind != JsonKind::object || key();
  }

  void close() {
    ++p_;
    --depth_;
    JsonNode& node = nodes()[open_[depth_]];
    node.end = static_cast<std::uint32_t>(nodes().size());
    node.count = node.kind == JsonKind::object ? counts_[depth_] / 2 : counts_[depth_];
  }

  bool key() {
    if (peek() != '"') return fail("expected a key in quotes");
    if (!string()) return false;
    skip_space();
    if (peek() != ':') return fail("expected :");
    ++p_;
    skip_space();
    return true;
  }

  bool number() {
    const char* const first = p_;
    const auto digits = [&] {
      const char* const start = p_;
      while (p_ != end_ && is_digit(*p_)) ++p_;
      return p_ - start;
    };
    if (peek() == '-') ++p_;
    const char* const whole = p_;
    std::uint64_t n = 0;
    for (; p_ != end_ && is_digit(*p_); ++p_) n = n * 10 + static_cast<std::uint64_t>(*p_ - '0');
    if (p_ == whole) return fail("expected a value");
    if (*whole == '0' && p_ - whole > 1) return fail("a number starts with a superfluous 0");
    const auto whole_digits = p_ - whole;
    bool is_whole = true;
    if (peek() == '.') {
      is_whole = false;
      ++p_;
      if (digits() == 0) return fail("a number ends with its point");
    }
    if (peek() == 'e' || peek() == 'E') {
      is_whole = false;
      ++p_;
      if (peek() == '+' || peek() == '-') ++p_;
      if (digits() == 0) return fail("a number has an exponent without digits");
    }
    double result = 0;
    if (is_whole && whole_digits <= 15) {  // exact in a double
      result = static_cast<double>(n);
      if (whole != first) result = -result;
    } else {
      fast_float::from_chars(first, p_, result);
      if (!(result - result == 0)) return fail("a number is too large");
    }
    JsonNode& node = add(JsonKind::number);
    node.number = result;
    node.flag = is_whole;
    return true;
  }

  bool string() {
    const char* const first = ++p_;
    skip_plain();
    while (p_ != end_) {
      const auto c = static_cast<unsigned char>(*p_);
      if (c == '"') {
        add_text(false, static_cast<std::size_t>(first - begin_), static_cast<std::size_t>(p_ - first));
        ++p_;
        return true;
      }
      if (c == '\\') return decoded_string(first);
      if (c < 0x20) return fail("a string has a control character in it");
      if (c < 0x80) {
        ++p_;
        continue;
      }
      const Utf8 utf8 = utf8_at(p_, end_);
      if (!utf8.valid) return decoded_string(first);
      p_ += utf8.length;
    }
    return fail("a string does not end");
  }

  // Steps over characters that stand for themselves, eight at a time, to the first that does not. In `x - ones` a byte
  // gets its top bit where it was 0; a borrow can make bytes above that one look so too, but never one below it.
  void skip_plain() {
    constexpr std::uint64_t kOnes = 0x0101010101010101u, kTops = 0x8080808080808080u;
    for (; end_ - p_ >= 8; p_ += 8) {
      std::uint64_t x = 0;
      std::memcpy(&x, p_, sizeof x);
      const std::uint64_t quote = (x ^ (kOnes * '"')) - kOnes, escape = (x ^ (kOnes * '\\')) - kOnes;
      const std::uint64_t stops = (quote | escape | (x - kOnes * 0x20) | x) & kTops;
      if (stops == 0) continue;
      if constexpr (std::endian::native == std::endian::little) p_ += std::countr_zero(stops) / 8;
      return;
    }
  }

  // A string that is not in the text as it is.
  bool decoded_string(const char* first) {
    std::string& out = document_.decoded_;
    const std::size_t offset = out.size();
    out.append(first, p_);
    while (p_ != end_) {
      const auto c = static_cast<unsigned char>(*p_);
      if (c == '"') {
        ++p_;
        add_text(true, offset, out.size() - offset);
        return true;
      }
      if (c < 0x20) return fail("a string has a control character in it");
      if (c == '\\') {
        if (!escape(out)) return false;
        continue;
      }
      const Utf8 utf8 = utf8_at(p_, end_);
      if (utf8.valid) {
        out.append(p_, utf8.length);
      } else {
        out.append(kReplacement);
      }
      p_ += utf8.length;
    }
    return fail("a string does not end");
  }

  bool escape(std::string& out) {
    ++p_;
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char name = peek();
    if (name == 'u') return unicode_escape(out);
    const std::size_t at = name == '\0' ? std::string_view::npos : kNames.find(name);
    if (at == std::string_view::npos) return fail("a string has an escape that does not exist");
    ++p_;
    out.push_back(kMeanings[at]);
    return true;
  }

  // \uXXXX, or two of them that are a pair. Half a pair is no character.
  bool unicode_escape(std::string& out) {
    std::uint32_t c = 0;
    if (!four_digits(c)) return false;
    const bool first_half = c >= 0xd800 && c < 0xdc00, second_half = c >= 0xdc00 && c < 0xe000;
    if (first_half && end_ - p_ >= 2 && p_[0] == '\\' && p_[1] == 'u') {
      const char* const after = p_;
      ++p_;
      std::uint32_t d = 0;
      if (!four_digits(d)) return false;
      if (d >= 0xdc00 && d < 0xe000) {
        append_utf8(0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00), out);
        return true;
      }
      p_ = after;
    }
    if (first_half || second_half) {
      out.append(kReplacement);
    } else {
      append_utf8(c, out);
    }
    return true;
  }

  bool four_digits(std::uint32_t& c) {
    ++p_;
    for (int i = 0; i < 4; ++i, ++p_) {
      const char d = peek();
      if (is_digit(d)) {
        c = c * 16 + static_cast<std::uint32_t>(d - '0');
      } else if ((d >= 'a' && d <= 'f') || (d >= 'A' && d <= 'F')) {
        c = c * 16 + static_cast<std::uint32_t>((d | 0x20) - 'a') + 10;
      } else {
        return fail("\\u needs four hexadecimal digits");
      }
    }
    return true;
  }

  void add_text(bool decoded, std::size_t offset, std::size_t length) {
    JsonNode& node = add(JsonKind::string);
    node.flag = decoded;
    node.text = {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length)};
  }

  const char *begin_, *p_, *end_;
  JsonDocument& document_;
  const char* what_ = "";
  std::uint32_t depth_ = 0;
  std::uint32_t open_[JsonDocument::kMaxDepth];    // the nodes that we are in
  std::uint32_t counts_[JsonDocument::kMaxDepth];  // what is in them, keys too
};

Result<JsonDocument> JsonDocument::parse(std::string_view text) {
  if (text.size() >= std::size_t{1} << 31) {
    return Error{ErrorCode::limit_exceeded, "a JSON text of 2 GiB or more", ""};
  }
  JsonDocument document;
  document.text_ = text;
  document.nodes_.reserve(text.size() / 4 + 4);  // few texts have more values; what is not used costs nothing
  JsonParser parser(text, document);
  if (!parser.parse()) return parser.error();
  return document;
}

bool JsonValue::is_whole() const {
  if (!is(JsonKind::number)) return false;
  const double x = node().number;
  return node().flag || (x >= -0x1p53 && x <= 0x1p53 && x == static_cast<double>(static_cast<std::int64_t>(x)));
}

std::uint32_t JsonValue::size() const { return is(JsonKind::array) || is(JsonKind::object) ? node().count : 0; }

JsonValue JsonValue::operator[](std::string_view key) const {
  JsonValue found;
  for (const Member member : members()) {
    if (member.key == key) found = member.value;
  }
  return found;
}

}  // namespace marrow

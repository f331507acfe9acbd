#include "src/text/json.h"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "src/text/text.h"

namespace marrow {
namespace {

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

// Each step takes the place where it begins and returns the one where it ends; when it fails nullptr, with `what_`
// saying why and `place_` where.
class JsonParser {
 public:
  explicit JsonParser(std::string_view text, JsonDocument& document)
      : begin_(text.data()), end_(text.data() + text.size()), document_(document), place_(text.data()) {
    grow(text.size() / 4 + 4);  // few texts have more values; what is not used costs nothing
  }

  bool parse() {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    const char* p = begin_;
    if (rest(p).starts_with(kMark)) p += kMark.size();
    p = skip_space(p);
    for (;;) {
      bool opened = false;
      p = value(p, opened);
      if (p == nullptr) return false;
      if (opened) continue;
      // A value has ended, and with it perhaps what it is in.
      for (;;) {
        p = skip_space(p);
        if (depth_ == 0) return at_end(p);
        const Open& in = open_[depth_ - 1];
        const char c = peek(p);
        if (c == in.closing) {
          p = close(p);
          continue;
        }
        const bool object = in.closing == '}';
        if (c != ',') {
          p = fail(p, object ? "expected , or }" : "expected , or ]");
        } else if (in.count >= JsonDocument::kMaxElements) {
          p = fail(p, "too many values in one array or object");
        } else {
          p = skip_space(p + 1);
          if (object) p = key(p);
        }
        if (p == nullptr) return false;
        break;
      }
    }
  }

  [[nodiscard]] Error error() const {
    const auto line = static_cast<std::size_t>(1 + std::count(begin_, place_, '\n'));
    const char* start = place_;
    while (start != begin_ && start[-1] != '\n') --start;
    const auto column = static_cast<std::size_t>(place_ - start + 1);
    return {ErrorCode::malformed, what_, Place::numbered("column", column).within(Place::numbered("line", line))};
  }

 private:
  // An array or object that we are in.
  struct Open {
    std::uint32_t node;
    std::uint32_t count;  // of what is in it, keys too
    char closing;
  };

  [[nodiscard]] std::string_view rest(const char* p) const { return {p, static_cast<std::size_t>(end_ - p)}; }
  [[nodiscard]] char peek(const char* p) const { return p != end_ ? *p : '\0'; }
  [[nodiscard]] const char* skip_space(const char* p) const {
    while (p != end_ && static_cast<unsigned char>(*p) <= ' ' && is_space(*p)) ++p;
    return p;
  }
  const char* fail(const char* p, const char* what) {
    place_ = p;
    what_ = what;
    return nullptr;
  }

  void grow(std::size_t capacity) {
    document_.nodes_.resize(capacity);
    nodes_ = document_.nodes_.data();
    capacity_ = static_cast<std::uint32_t>(std::min<std::size_t>(capacity, ~std::uint32_t{0}));
  }

  JsonNode& add(JsonKind kind, bool flag = false) {
    if (count_ == capacity_) grow(std::size_t{capacity_} * 2);
    JsonNode& node = nodes_[count_++];
    node.kind = kind;
    node.flag = flag;
    node.end = count_;
    if (depth_ > 0) ++open_[depth_ - 1].count;
    return node;
  }

  bool at_end(const char* p) {
    while (p != end_ && *p == '\0') ++p;
    document_.nodes_.resize(count_);
    if (p != end_) fail(p, "expected nothing after the value");
    return p == end_;
  }

  const char* value(const char* p, bool& opened) {
    switch (peek(p)) {
      case '"': return string(p);
      case '{': return open(p, JsonKind::object, opened);
      case '[': return open(p, JsonKind::array, opened);
      case 't': return word(p, "true", JsonKind::boolean, true);
      case 'f': return word(p, "false", JsonKind::boolean, false);
      case 'n': return word(p, "null", JsonKind::null, false);
      default: return number(p);
    }
  }

  const char* word(const char* p, std::string_view text, JsonKind kind, bool flag) {
    if (!rest(p).starts_with(text)) return fail(p, "expected a value");
    add(kind, flag).number = 0;
    return p + text.size();
  }

  // Steps into an array or object; into an object up to its first value. An empty one is closed at once.
  const char* open(const char* p, JsonKind kind, bool& opened) {
    if (depth_ == JsonDocument::kMaxDepth) return fail(p, "nested too deeply");
    add(kind);
    const bool object = kind == JsonKind::object;
    const Open& in = open_[depth_++] = {count_ - 1, 0, object ? '}' : ']'};
    p = skip_space(p + 1);
    if (peek(p) == in.closing) return close(p);
    opened = true;
    return object ? key(p) : p;
  }

  const char* close(const char* p) {
    const Open& in = open_[--depth_];
    JsonNode& node = nodes_[in.node];
    node.end = count_;
    node.count = in.closing == '}' ? in.count / 2 : in.count;
    return p + 1;
  }

  const char* key(const char* p) {
    if (peek(p) != '"') return fail(p, "expected a key in quotes");
    p = string(p);
    if (p == nullptr) return nullptr;
    p = skip_space(p);
    if (peek(p) != ':') return fail(p, "expected :");
    return skip_space(p + 1);
  }

  [[nodiscard]] const char* skip_digits(const char* p) const {
    while (p != end_ && is_digit(*p)) ++p;
    return p;
  }

  const char* number(const char* p) {
    const char* const first = p;
    if (peek(p) == '-') ++p;
    const char* const whole = p;
    std::uint64_t n = 0;
    for (; p != end_ && is_digit(*p); ++p) n = n * 10 + static_cast<std::uint64_t>(*p - '0');
    if (p == whole) return fail(p, "expected a value");
    if (*whole == '0' && p - whole > 1) return fail(p, "a number starts with a superfluous 0");
    if (p - whole <= 15 && peek(p) != '.' && (peek(p) | 0x20) != 'e') {  // exact in a double
      const auto result = static_cast<double>(n);
      add(JsonKind::number, true).number = whole == first ? result : -result;
      return p;
    }
    bool is_whole = true;
    if (peek(p) == '.') {
      is_whole = false;
      const char* const point = p++;
      p = skip_digits(p);
      if (p == point + 1) return fail(p, "a number ends with its point");
    }
    if ((peek(p) | 0x20) == 'e') {
      is_whole = false;
      ++p;
      if (peek(p) == '+' || peek(p) == '-') ++p;
      const char* const digits = p;
      p = skip_digits(p);
      if (p == digits) return fail(p, "a number has an exponent without digits");
    }
    double result = 0;
    fast_float::from_chars(first, p, result);
    if (!(result - result == 0)) return fail(p, "a number is too large");
    add(JsonKind::number, is_whole).number = result;
    return p;
  }

  const char* string(const char* p) {
    const char* const first = ++p;
    p = skip_plain(p);
    while (p != end_) {
      const auto c = static_cast<unsigned char>(*p);
      if (c == '"') {
        add_text(false, static_cast<std::size_t>(first - begin_), static_cast<std::size_t>(p - first));
        return p + 1;
      }
      if (c == '\\') return decoded_string(first, p);
      if (c < 0x20) return fail(p, "a string has a control character in it");
      if (c < 0x80) {
        ++p;
        continue;
      }
      const Utf8 utf8 = utf8_at(p, end_);
      if (!utf8.valid) return decoded_string(first, p);
      p += utf8.length;
    }
    return fail(p, "a string does not end");
  }

  // Steps over characters that stand for themselves, eight at a time, to the first that does not. In `x - ones` a byte
  // gets its top bit where it was 0; a borrow can make bytes above that one look so too, but never one below it.
  [[nodiscard]] const char* skip_plain(const char* p) const {
    constexpr std::uint64_t kOnes = 0x0101010101010101u, kTops = 0x8080808080808080u;
    for (; end_ - p >= 8; p += 8) {
      std::uint64_t x = 0;
      std::memcpy(&x, p, sizeof x);
      const std::uint64_t quote = (x ^ (kOnes * '"')) - kOnes, escape = (x ^ (kOnes * '\\')) - kOnes;
      const std::uint64_t stops = (quote | escape | (x - kOnes * 0x20) | x) & kTops;
      if (stops == 0) continue;
      if constexpr (std::endian::native == std::endian::little) p += std::countr_zero(stops) / 8;
      return p;
    }
    return p;
  }

  // A string that is not in the text as it is: from `first` on, of which what is before p stands for itself.
  const char* decoded_string(const char* first, const char* p) {
    std::string& out = document_.decoded_;
    const std::size_t offset = out.size();
    out.append(first, p);
    while (p != end_) {
      const auto c = static_cast<unsigned char>(*p);
      if (c == '"') {
        add_text(true, offset, out.size() - offset);
        return p + 1;
      }
      if (c < 0x20) return fail(p, "a string has a control character in it");
      if (c == '\\') {
        p = escape(p, out);
        if (p == nullptr) return nullptr;
        continue;
      }
      // What is not UTF-8 grows threefold, and offsets have 32 bits.
      if (out.size() >= std::size_t{1} << 31) return fail(p, "too much of the text is not UTF-8");
      const Utf8 utf8 = utf8_at(p, end_);
      if (utf8.valid) {
        out.append(p, utf8.length);
      } else {
        out.append(kReplacement);
      }
      p += utf8.length;
    }
    return fail(p, "a string does not end");
  }

  const char* escape(const char* p, std::string& out) {
    ++p;
    constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    const char name = peek(p);
    if (name == 'u') return unicode_escape(p, out);
    const std::size_t at = name == '\0' ? std::string_view::npos : kNames.find(name);
    if (at == std::string_view::npos) return fail(p, "a string has an escape that does not exist");
    out.push_back(kMeanings[at]);
    return p + 1;
  }

  // \uXXXX from the u on, or two of them that are a pair. Half a pair is no character.
  const char* unicode_escape(const char* p, std::string& out) {
    std::uint32_t c = 0;
    p = four_digits(p, c);
    if (p == nullptr) return nullptr;
    const bool first_half = c >= 0xd800 && c < 0xdc00, second_half = c >= 0xdc00 && c < 0xe000;
    if (first_half && end_ - p >= 2 && p[0] == '\\' && p[1] == 'u') {
      std::uint32_t d = 0;
      const char* const after = four_digits(p + 1, d);
      if (after == nullptr) return nullptr;
      if (d >= 0xdc00 && d < 0xe000) {
        append_utf8(0x10000 + ((c - 0xd800) << 10) + (d - 0xdc00), out);
        return after;
      }
    }
    if (first_half || second_half) {
      out.append(kReplacement);
    } else {
      append_utf8(c, out);
    }
    return p;
  }

  const char* four_digits(const char* p, std::uint32_t& c) {
    ++p;
    for (int i = 0; i < 4; ++i, ++p) {
      const char d = peek(p);
      if (is_digit(d)) {
        c = c * 16 + static_cast<std::uint32_t>(d - '0');
      } else if ((d >= 'a' && d <= 'f') || (d >= 'A' && d <= 'F')) {
        c = c * 16 + static_cast<std::uint32_t>((d | 0x20) - 'a') + 10;
      } else {
        return fail(p, "\\u needs four hexadecimal digits");
      }
    }
    return p;
  }

  void add_text(bool decoded, std::size_t offset, std::size_t length) {
    add(JsonKind::string, decoded).text = {static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(length)};
  }

  const char *begin_, *end_;
  JsonDocument& document_;
  JsonNode* nodes_ = nullptr;
  std::uint32_t count_ = 0, capacity_ = 0;
  std::uint32_t depth_ = 0;
  Open open_[JsonDocument::kMaxDepth];
  const char *place_, *what_ = "";
};

Result<JsonDocument> JsonDocument::parse(std::string_view text) {
  if (text.size() >= std::size_t{1} << 31) {
    return Error{ErrorCode::limit_exceeded, "a JSON text of 2 GiB or more", ""};
  }
  JsonDocument document;
  document.text_ = text;
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
    if (is_same_key(member.key, key)) found = member.value;
  }
  return found;
}

}  // namespace marrow

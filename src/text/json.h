// A reader of JSON: one pass over the text, into one flat array. Internal.
//
// Made for untrusted input: depth is limited, nothing recurses, sizes are bounded by the text. Numbers are exact to the
// last bit of a double. Strings keep to UTF-8: what is not is replaced by U+FFFD, as browsers do, since a strange name
// is no reason to refuse a model.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/result.h"
#include "src/text/imports.h"
#include "src/text/text.h"

namespace marrow {

enum class JsonKind : std::uint8_t { null, boolean, number, string, array, object };

// Returns "null", "a boolean", "a number" and so on.
[[nodiscard]] const char* to_string(JsonKind kind);

// A value and what is in it take a run of nodes: an array is followed by its elements, an object by its keys and values
// in turn.
struct JsonNode {
  JsonKind kind;
  bool flag;          // of a boolean; of a number: it is written as a whole number; of a string: it was decoded
  std::uint32_t end;  // one past the last node of this value
  union {
    double number;
    struct {
      std::uint32_t offset, length;
    } text;               // in the document's text, or in what was decoded
    std::uint32_t count;  // of elements, or of keys
  };
};
static_assert(sizeof(JsonNode) == 16);

class JsonDocument;

// A value of a document, which must outlive it. A default one is absent: of no kind, without contents.
class JsonValue {
 public:
  JsonValue() = default;
  JsonValue(const JsonDocument* document, std::uint32_t node) : document_(document), node_(node) {}

  [[nodiscard]] bool present() const { return document_ != nullptr; }
  [[nodiscard]] bool is(JsonKind kind) const;
  [[nodiscard]] JsonKind kind() const;  // null if absent

  // What it holds; nothing if it is of another kind.
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::string_view string() const;
  [[nodiscard]] bool is_whole() const;  // a number written without fraction and exponent, or equal to a whole one

  // True, with the number in `out`, for one from 0 to 2^53 that is written as a whole number, as nearly all are.
  [[nodiscard]] bool is_plain_whole(std::uint64_t& out) const;

  // Elements of an array, or keys of an object.
  [[nodiscard]] std::uint32_t size() const;

  // The value of a key; absent if this has none. Of equal keys the last counts.
  [[nodiscard]] JsonValue operator[](std::string_view key) const;

  // Elements in order: for (JsonValue element : value.elements()).
  class Elements;
  [[nodiscard]] Elements elements() const;

  // Keys and values in order: for (auto [key, element] : value.members()).
  struct Member;
  class Members;
  [[nodiscard]] Members members() const;

 private:
  friend class JsonDocument;
  [[nodiscard]] const JsonNode& node() const;

  const JsonDocument* document_ = nullptr;
  std::uint32_t node_ = 0;
};

struct JsonValue::Member {
  std::string_view key;
  JsonValue value;
};

class JsonDocument {
 public:
  // Reads a text, which must live as long as the document. A byte order mark before it and zeros after it are let
  // pass. Fails, with the line and column, on anything else that is not JSON, on more than `kMaxDepth` levels or
  // `kMaxElements` values side by side, numbers beyond the largest double, and texts of 2 GiB or more.
  [[nodiscard]] static Result<JsonDocument> parse(std::string_view text);
  static constexpr std::uint32_t kMaxDepth = 256;
  static constexpr std::uint32_t kMaxElements = 1u << 22;

  [[nodiscard]] JsonValue root() const { return {this, 0}; }

 private:
  friend class JsonValue;
  friend class JsonParser;
  std::vector<JsonNode, LargeAllocator<JsonNode>> nodes_;
  std::string_view text_;
  std::string decoded_;  // strings that are not in the text as they are
};

class JsonValue::Elements {
 public:
  class Iterator {
   public:
    Iterator(const JsonDocument* document, std::uint32_t node) : document_(document), node_(node) {}
    JsonValue operator*() const { return {document_, node_}; }
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    const JsonDocument* document_;
    std::uint32_t node_;
  };
  explicit Elements(JsonValue array) : array_(array) {}
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

 private:
  JsonValue array_;
};

class JsonValue::Members {
 public:
  class Iterator {
   public:
    Iterator(const JsonDocument* document, std::uint32_t node) : document_(document), node_(node) {}
    Member operator*() const;
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return node_ != other.node_; }

   private:
    const JsonDocument* document_;
    std::uint32_t node_;  // of the key
  };
  explicit Members(JsonValue object) : object_(object) {}
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

 private:
  JsonValue object_;
};

// The walk is the reader's inner loop, so it is inline.

inline const JsonNode& JsonValue::node() const {
  static const JsonNode absent{};
  return document_ != nullptr ? document_->nodes_[node_] : absent;
}

inline bool JsonValue::is(JsonKind kind) const { return present() && node().kind == kind; }
inline JsonKind JsonValue::kind() const { return node().kind; }
inline bool JsonValue::boolean() const { return is(JsonKind::boolean) && node().flag; }
inline double JsonValue::number() const { return is(JsonKind::number) ? node().number : 0; }

inline std::string_view JsonValue::string() const {
  if (!is(JsonKind::string)) return {};
  const JsonNode& n = node();
  return {(n.flag ? document_->decoded_.data() : document_->text_.data()) + n.text.offset, n.text.length};
}

inline bool JsonValue::is_plain_whole(std::uint64_t& out) const {
  const JsonNode& n = node();
  if (n.kind != JsonKind::number || !n.flag || !(n.number >= 0 && n.number <= 0x1p53)) return false;
  out = static_cast<std::uint64_t>(n.number);
  return true;
}

// Equality of keys, which are short: without a call.
inline bool is_same_key(std::string_view a, std::string_view b) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  const auto differ = [&]<typename Word>(Word, std::size_t at) {
    Word x = 0, y = 0;
    std::memcpy(&x, a.data() + at, sizeof x);
    std::memcpy(&y, b.data() + at, sizeof y);
    return x != y;
  };
  // Two words that overlap take all sizes up to twice theirs.
  if (size > 16) return a == b;
  if (size >= 8) return !(differ(std::uint64_t{}, 0) || differ(std::uint64_t{}, size - 8));
  if (size >= 4) return !(differ(std::uint32_t{}, 0) || differ(std::uint32_t{}, size - 4));
  for (std::size_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

inline JsonValue::Elements JsonValue::elements() const { return Elements(is(JsonKind::array) ? *this : JsonValue()); }
inline JsonValue::Members JsonValue::members() const { return Members(is(JsonKind::object) ? *this : JsonValue()); }

inline JsonValue::Elements::Iterator JsonValue::Elements::begin() const {
  return {array_.document_, array_.present() ? array_.node_ + 1 : 0};
}
inline JsonValue::Elements::Iterator JsonValue::Elements::end() const {
  return {array_.document_, array_.present() ? array_.node().end : 0};
}
inline JsonValue::Elements::Iterator& JsonValue::Elements::Iterator::operator++() {
  node_ = document_->nodes_[node_].end;
  return *this;
}

inline JsonValue::Members::Iterator JsonValue::Members::begin() const {
  return {object_.document_, object_.present() ? object_.node_ + 1 : 0};
}
inline JsonValue::Members::Iterator JsonValue::Members::end() const {
  return {object_.document_, object_.present() ? object_.node().end : 0};
}
inline JsonValue::Member JsonValue::Members::Iterator::operator*() const {
  return {JsonValue(document_, node_).string(), JsonValue(document_, node_ + 1)};
}
inline JsonValue::Members::Iterator& JsonValue::Members::Iterator::operator++() {
  node_ = document_->nodes_[node_ + 1].end;
  return *this;
}

}  // namespace marrow

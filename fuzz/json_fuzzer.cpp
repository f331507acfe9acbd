// Run it: scripts/fuzz.sh 60 json. A finding again: build/asan/fuzz/marrow_json_fuzzer FILE
//
// Text as JSON: what is read can be walked, written and read again, and is what another reader finds.
#include <charconv>
#include <span>
#include <vector>

#include "json_oracle.h"
#include "require.h"
#include "src/text/json.h"

using namespace marrow;
using namespace marrow::fuzz;

namespace {

// Members of objects are compared each with each, so not of long ones.
constexpr std::uint32_t kMaxMembers = 64;

void write_string(std::string_view text, std::string& out) {
  out.push_back('"');
  for (const char c : text) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      out.append({'\\', c});
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out.append("\\u00").append({kDigits[static_cast<unsigned char>(c) >> 4], kDigits[c & 15]});
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

// Writes a value, and on the way holds it to what the header says.
void write(JsonValue value, std::string& out) {
  require(value.present(), "a value in a document is present");
  std::uint32_t count = 0;
  switch (value.kind()) {
    case JsonKind::null: out.append("null"); break;
    case JsonKind::boolean: out.append(value.boolean() ? "true" : "false"); break;
    case JsonKind::number: {
      char digits[40];
      out.append(digits, std::to_chars(digits, digits + sizeof digits, value.number()).ptr);
      const double x = value.number();
      require(x - x == 0, "a number is finite");
      require(x != static_cast<double>(static_cast<int>(x > -1e9 && x < 1e9 ? x : 0)) || value.is_whole(),
              "whole numbers are whole");
      break;
    }
    case JsonKind::string: write_string(value.string(), out); break;
    case JsonKind::array:
      out.push_back('[');
      for (const JsonValue element : value.elements()) {
        if (count++ > 0) out.push_back(',');
        write(element, out);
      }
      out.push_back(']');
      require(count == value.size(), "an array has as many elements as it says");
      break;
    case JsonKind::object:
      out.push_back('{');
      for (const auto [key, member] : value.members()) {
        if (count++ > 0) out.push_back(',');
        write_string(key, out);
        out.push_back(':');
        write(member, out);
      }
      out.push_back('}');
      require(count == value.size(), "an object has as many keys as it says");
      break;
  }
  require(value.is(JsonKind::array) || !(value.elements().begin() != value.elements().end()),
          "others have no elements");
  require(value.is(JsonKind::object) || !(value.members().begin() != value.members().end()), "others have no members");
}

std::string written(JsonValue value) {
  std::string out;
  write(value, out);
  return out;
}

// Of equal keys the last counts.
void look_up_keys(JsonValue value) {
  for (const JsonValue element : value.elements()) look_up_keys(element);
  require(!value["no such key, one hopes"].present() || value.size() > 0, "what is empty has no keys");
  if (value.size() > kMaxMembers) return;
  for (const auto [key, member] : value.members()) {
    JsonValue last;
    for (const auto [other, candidate] : value.members()) {
      if (other == key) last = candidate;
    }
    require(written(value[key]) == written(last), "the last of equal keys counts");
    look_up_keys(member);
  }
}

std::size_t depth_of(std::string_view text) {
  std::size_t depth = 0;
  for (const char c : text) depth += c == '[' || c == '{';
  return depth;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A copy of its own is of just that length, so that a read behind the end is noticed.
  const std::vector<char> copy(data, data + size);
  const std::string_view text(copy.data(), copy.size());
  const Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document) {
    require(!document.error().message.empty() && !document.error().place.empty(), "an error says what is wrong, where");
    require(depth_of(text) > JsonDocument::kMaxDepth || compare_with_oracle(text, {}) == Verdict::not_json,
            "what is JSON is read");
    return 0;
  }
  const std::string once = written(document->root());
  look_up_keys(document->root());
  const Result<JsonDocument> again = JsonDocument::parse(once);
  require(again.ok(), "what was written can be read");
  require(written(again->root()) == once, "what was written is what is read");
  require(compare_with_oracle(text, document->root()) != Verdict::different, "another reader finds the same");
  return 0;
}

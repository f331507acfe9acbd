// The JSON reader, against nlohmann-json and by example.
#include "src/text/json.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "fixtures/random.h"

namespace marrow {
namespace {

using Json = nlohmann::json;

// Returns where a value differs from the oracle's; empty if it does not.
std::string difference(JsonValue actual, const Json& expected, const std::string& place = "") {
  const auto kind_of = [](const Json& j) {
    return j.is_null()      ? JsonKind::null
           : j.is_boolean() ? JsonKind::boolean
           : j.is_number()  ? JsonKind::number
           : j.is_string()  ? JsonKind::string
           : j.is_array()   ? JsonKind::array
                            : JsonKind::object;
  };
  if (!actual.is(kind_of(expected))) return place + " is " + to_string(actual.kind());
  if (expected.is_boolean() && actual.boolean() != expected.get<bool>()) return place + " is another boolean";
  if (expected.is_number()) {
    if (actual.number() != expected.get<double>()) {  // it has no -0
      return place + " is " + std::to_string(actual.number()) + ", not " + expected.dump();
    }
  }
  if (expected.is_string() && actual.string() != expected.get<std::string>()) {
    return place + " is \"" + std::string(actual.string()) + "\", not " + expected.dump();
  }
  if (expected.is_array()) {
    if (actual.size() != expected.size()) return place + " has " + std::to_string(actual.size()) + " elements";
    std::size_t i = 0;
    for (const JsonValue element : actual.elements()) {
      const std::string where = std::string(place).append("/").append(std::to_string(i));
      if (std::string d = difference(element, expected[i++], where); !d.empty()) return d;
    }
  }
  if (expected.is_object()) {
    for (const auto& [key, value] : expected.items()) {
      if (!actual[key].present()) return place + "/" + key + " is missing";
      if (std::string d = difference(actual[key], value, place + "/" + key); !d.empty()) return d;
    }
    for (const auto [key, value] : actual.members()) {
      if (!expected.contains(key)) return place + " has a key too many: " + std::string(key);
    }
  }
  return {};
}

std::string json_error(std::string_view text) {
  const Result<JsonDocument> document = JsonDocument::parse(text);
  return document.ok() ? "" : to_string(document.error());
}

double number_of(std::string_view text) {
  const Result<JsonDocument> document = JsonDocument::parse(text);
  REQUIRE(document.ok());
  return document->root().number();
}

std::string string_of(std::string_view text) {
  const Result<JsonDocument> document = JsonDocument::parse(text);
  REQUIRE(document.ok());
  return std::string(document->root().string());
}

// Text of a random value, with all there is in JSON.
std::string random_json(test::Random& random, int depth) {
  const auto space = [&] {
    return std::string(random.below(4) == 0 ? random.below(3) : 0, " \n\t\r"[random.below(4)]);
  };
  const auto text = [&] {
    std::string out = "\"";
    const char* const pieces[] = {"a",        "key",          "\\n",
                                  "\\\"",     "\\\\",         "\\/",
                                  "\\u0041",  "\\u00e9",      "\\ud83d\\ude00",
                                  "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    for (std::uint32_t n = random.below(5); n > 0; --n) out += pieces[random.below(12)];
    return out.append("\"");
  };
  switch (random.below(depth > 0 ? 9 : 6)) {
    case 0: return "null";
    case 1: return random.below(2) == 0 ? "true" : "false";
    case 2: return text();
    case 3: return std::to_string(static_cast<std::int64_t>(random.bits()) >> random.below(64));
    case 4: {
      char buffer[64];
      const double x = std::ldexp(random.range(-1, 1), static_cast<int>(random.below(400)) - 200);
      std::snprintf(buffer, sizeof buffer, random.below(2) == 0 ? "%.17g" : "%.9e", x);
      return buffer;
    }
    case 5: return "-0";
    case 6:
    case 7: {
      std::string out = "[";
      const std::uint32_t count = random.below(5);
      for (std::uint32_t i = 0; i < count; ++i) {
        if (i > 0) out += ',';
        out.append(space()).append(random_json(random, depth - 1)).append(space());
      }
      return out.append(space()).append("]");
    }
    default: {
      std::string out = "{";
      const std::uint32_t count = random.below(5);
      for (std::uint32_t i = 0; i < count; ++i) {
        if (i > 0) out += ',';
        out.append(space()).append(text()).append(space()).append(":");
        out.append(space()).append(random_json(random, depth - 1)).append(space());
      }
      return out.append(space()).append("}");
    }
  }
}

TEST_CASE("random texts are read as nlohmann-json reads them, numbers to the last bit") {
  test::Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = random_json(random, 5);
    CAPTURE(text);
    const Result<JsonDocument> document = JsonDocument::parse(text);
    REQUIRE(document.ok());
    REQUIRE(difference(document->root(), Json::parse(text)) == "");
  }
}

TEST_CASE("broken texts are refused where nlohmann-json refuses them") {
  test::Random random(2);
  int refused = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text = random_json(random, 4);
    for (std::uint32_t n = 1 + random.below(2); n > 0; --n) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
      constexpr std::string_view kStuff = "\"\\{}[],:0123456789.eE+-truefalsn /x\n\t";
      switch (random.below(3)) {
        case 0: text.erase(at, 1); break;
        case 1: text.insert(at, 1, kStuff[random.below(static_cast<std::uint32_t>(kStuff.size()))]); break;
        case 2: text[at] = kStuff[random.below(static_cast<std::uint32_t>(kStuff.size()))]; break;
      }
      if (text.empty()) text.push_back(' ');
    }
    CAPTURE(text);
    const Json expected = Json::parse(text, nullptr, false);
    const Result<JsonDocument> document = JsonDocument::parse(text);
    if (document.ok() && expected.is_discarded()) {
      // We let pass what is not UTF-8 and half pairs of surrogates, and replace them.
      bool replaced = false;
      for (const char* strange : {"\\ud", "\\uD"}) replaced = replaced || text.find(strange) != std::string::npos;
      for (const char c : text) replaced = replaced || static_cast<unsigned char>(c) >= 0x80;
      REQUIRE(replaced);
      continue;
    }
    REQUIRE(document.ok() == !expected.is_discarded());
    if (document.ok()) REQUIRE(difference(document->root(), expected) == "");
    refused += document.ok() ? 0 : 1;
  }
  CHECK(refused > 10'000);
}

TEST_CASE("an error says what is wrong, and the line and column") {
  CHECK(json_error("") == "line 1, column 1: expected a value");
  CHECK(json_error("{\n  \"a\": 1,\n  b: 2}") == "line 3, column 3: expected a key in quotes");
  CHECK(json_error("[1 2]") == "line 1, column 4: expected , or ]");
  CHECK(json_error("{\"a\" 1}") == "line 1, column 6: expected :");
  CHECK(json_error("{\"a\":1 \"b\":2}") == "line 1, column 8: expected , or }");
  CHECK(json_error("[1,]") == "line 1, column 4: expected a value");
  CHECK(json_error("01") == "line 1, column 3: a number starts with a superfluous 0");
  CHECK(json_error("1.") == "line 1, column 3: a number ends with its point");
  CHECK(json_error("1e+") == "line 1, column 4: a number has an exponent without digits");
  CHECK(json_error("-") == "line 1, column 2: expected a value");
  CHECK(json_error("1e999") == "line 1, column 6: a number is too large");
  CHECK(json_error("\"abc") == "line 1, column 5: a string does not end");
  CHECK(json_error("\"a\nb\"") == "line 1, column 3: a string has a control character in it");
  CHECK(json_error("\"\\x\"") == "line 1, column 3: a string has an escape that does not exist");
  CHECK(json_error("\"\\u12g4\"") == "line 1, column 6: \\u needs four hexadecimal digits");
  CHECK(json_error("1 1") == "line 1, column 3: expected nothing after the value");
  CHECK(json_error("nul") == "line 1, column 1: expected a value");
  CHECK(json_error("NaN") == "line 1, column 1: expected a value");
}

TEST_CASE("every text that is cut off is refused, without reading past its end") {
  test::Random random(3);
  for (int i = 0; i < 200; ++i) {
    const std::string text = std::string("[").append(random_json(random, 4)).append("]");
    for (std::size_t n = 0; n < text.size(); ++n) {
      const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(n));  // for the sanitizers
      REQUIRE(!JsonDocument::parse({exact.data(), exact.size()}).ok());
    }
  }
}

TEST_CASE("depth is limited, and costs no stack") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(json_error(nested(JsonDocument::kMaxDepth)) == "");
  CHECK(json_error(nested(JsonDocument::kMaxDepth + 1)) == "line 1, column 257: nested too deeply");
  CHECK(json_error(std::string(50'000'000, '[')) == "line 1, column 257: nested too deeply");
}

TEST_CASE("numbers are exact") {
  CHECK(number_of("0.1") == 0.1);
  CHECK(number_of("123456789012345678901234567890") == 123456789012345678901234567890.0);
  CHECK(number_of("9007199254740993") == 9007199254740992.0);
  CHECK(number_of("2.2250738585072011e-308") == 2.2250738585072011e-308);
  CHECK(number_of("5e-324") == std::numeric_limits<double>::denorm_min());
  CHECK(number_of("1e-400") == 0.0);
  CHECK(std::signbit(number_of("-0")));
  const Result<JsonDocument> numbers = JsonDocument::parse("[1, 1.0, 1e2, 1.5, -3, 1e300]");
  std::string whole;
  for (const JsonValue n : numbers->root().elements()) whole += n.is_whole() ? "y" : "n";
  CHECK(whole == "yyynyn");
}

TEST_CASE("what is not UTF-8 is replaced, as browsers do") {
  CHECK(string_of("\"a\xff"
                  "b\"") ==
        "a\xef\xbf\xbd"
        "b");
  CHECK(string_of("\"\xe2\x82\"") == "\xef\xbf\xbd");
  CHECK(string_of("\"\xed\xa0\x80\"") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(string_of("\"\xe0\x80\x80\"") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // longer than it need be
  CHECK(string_of("\"\\ud800x\"") == "\xef\xbf\xbdx");
  CHECK(string_of("\"\\ud800\\u0041\"") ==
        "\xef\xbf\xbd"
        "A");
  CHECK(string_of("\"\\ude00\"") == "\xef\xbf\xbd");
  CHECK(string_of("\"\\u0000\"") == std::string(1, '\0'));
}

TEST_CASE("a byte order mark before and zeros after are let pass; of equal keys the last counts") {
  CHECK(number_of("\xef\xbb\xbf 7 ") == 7);
  CHECK(number_of(std::string_view("7 \0\0\0", 5)) == 7);
  CHECK(json_error(std::string_view("7 \0 1", 5)) != "");
  const Result<JsonDocument> twice = JsonDocument::parse(R"({"a":1,"b":2,"a":3})");
  CHECK(twice->root()["a"].number() == 3);
  CHECK(twice->root().size() == 3);
}

TEST_CASE("a value asked for what it is not has nothing to say") {
  const Result<JsonDocument> document = JsonDocument::parse(R"({"a":[1,"x",true,null,{}]})");
  const JsonValue root = document->root();
  CHECK(!root["b"].present());
  CHECK(!root["b"]["c"].present());
  CHECK(root["b"].kind() == JsonKind::null);
  CHECK(root.number() == 0);
  CHECK(root.string().empty());
  CHECK(!root.boolean());
  CHECK(root["a"].size() == 5);
  int count = 0;
  for (const JsonValue element : root["a"].elements()) {
    CHECK(element.size() == 0);
    for (const auto [key, value] : element.members()) count += static_cast<int>(key.size());
    ++count;
  }
  for (const JsonValue element : root.elements()) count += element.present() ? 100 : 100;
  CHECK(count == 5);
}

}  // namespace
}  // namespace marrow

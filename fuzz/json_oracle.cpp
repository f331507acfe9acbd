#include "json_oracle.h"

#include <nlohmann/json.hpp>

namespace marrow::fuzz {
namespace {

using Json = nlohmann::json;

bool same(JsonValue actual, const Json& expected) {
  switch (expected.type()) {
    case Json::value_t::null: return actual.is(JsonKind::null);
    case Json::value_t::boolean: return actual.is(JsonKind::boolean) && actual.boolean() == expected.get<bool>();
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float: return actual.is(JsonKind::number) && actual.number() == expected.get<double>();
    case Json::value_t::string: return actual.is(JsonKind::string) && actual.string() == expected.get<std::string>();
    case Json::value_t::array: {
      if (!actual.is(JsonKind::array) || actual.size() != expected.size()) return false;
      std::size_t i = 0;
      for (const JsonValue element : actual.elements()) {
        if (!same(element, expected[i++])) return false;
      }
      return true;
    }
    case Json::value_t::object: {
      if (!actual.is(JsonKind::object) || actual.size() < expected.size()) return false;
      for (const auto& [key, value] : expected.items()) {
        if (!actual[key].present() || !same(actual[key], value)) return false;
      }
      return true;
    }
    default: return false;
  }
}

}  // namespace

Verdict compare_with_oracle(std::string_view text, JsonValue actual) {
  // It takes a 0 for the end, whatever follows.
  if (text.find('\0') != std::string_view::npos) return actual.present() ? Verdict::same : Verdict::not_json;
  const Json expected = Json::parse(text, nullptr, false);
  if (expected.is_discarded()) return Verdict::not_json;
  return actual.present() && same(actual, expected) ? Verdict::same : Verdict::different;
}

}  // namespace marrow::fuzz

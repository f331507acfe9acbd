// Another reader of JSON, to compare with.
#pragma once

#include <string>
#include <string_view>

#include "src/text/json.h"

namespace marrow::fuzz {

enum class Verdict { not_json, same, different };

// Reads the text with nlohmann-json, which takes nothing but strict JSON in strict UTF-8, and compares. Without a
// value, that is if `actual` is absent, tells only whether the text is JSON: `not_json` or `different`.
[[nodiscard]] Verdict compare_with_oracle(std::string_view text, JsonValue actual);

}  // namespace marrow::fuzz

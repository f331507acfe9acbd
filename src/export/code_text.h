// Names, numbers and strings as they stand in source code. Internal.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/export/writers.h"

namespace marrow {

// Returns the shortest decimal number that reads back to the same bits, as a literal of a float.
[[nodiscard]] std::string float_literal(Language language, float value);

// Returns a string as a literal. What is not UTF-8 becomes U+FFFD; what would not show is escaped. In C it ends
// after 4,095 bytes.
[[nodiscard]] std::string string_literal(Language language, std::string_view text);

// Returns text for the end of a line of code: nothing in it ends or continues a comment, or turns the writing.
[[nodiscard]] std::string comment_text(std::string_view text);

// Returns a name for a C++ namespace: lower case, and no word that is taken.
[[nodiscard]] std::string namespace_name(std::string_view name);

// Returns words, one for each of the names, that identifiers can begin with: upper case letters, digits and single
// underscores, no two the same, a letter first. A name that leaves nothing becomes `fallback` and its number.
[[nodiscard]] std::vector<std::string> identifiers(std::span<const std::string_view> names, std::string_view fallback);

}  // namespace marrow

// Names that are not there, and those that may have been meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/result.h"

namespace marrow {

// Returns the names that are most like `wanted`, the nearest first: at most three, and only such that a typing error, a
// prefix, a suffix or the case of letters may explain. Equal names are returned once.
[[nodiscard]] std::vector<std::string> similar_names(std::string_view wanted, std::span<const std::string_view> names);

// Returns the error of a look-up by name: there is no joint "hnad_R"; did you mean "hand_R", "hand_L"?
[[nodiscard]] Error unknown_name(std::string_view noun, std::string_view wanted,
                                 std::span<const std::string_view> names);

// The same for the names that `name_of` returns for the items of a range.
template <typename Range, typename NameOf>
[[nodiscard]] Error unknown_name(std::string_view noun, std::string_view wanted, const Range& items,
                                 const NameOf& name_of) {
  std::vector<std::string_view> names;
  for (const auto& item : items) names.push_back(name_of(item));
  return unknown_name(noun, wanted, std::span<const std::string_view>(names));
}

}  // namespace marrow

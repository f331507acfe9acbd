// PlacePath: a place that costs nothing until something fails. Internal.
#pragma once

#include <cstddef>
#include <string_view>

#include "marrow/core/place.h"

namespace marrow {

// A step and a link to the one outside it, on the stack. The outer path and the name must outlive it.
struct PlacePath {
  static constexpr std::size_t kNoIndex = ~std::size_t{0};
  const PlacePath* parent = nullptr;
  std::string_view name;
  std::size_t index = kNoIndex;

  explicit PlacePath(std::string_view n, std::size_t i = kNoIndex) : name(n), index(i) {}
  PlacePath(const PlacePath& p, std::string_view n, std::size_t i = kNoIndex) : parent(&p), name(n), index(i) {}
  PlacePath(const PlacePath&&, std::string_view, std::size_t = 0) = delete;

  [[nodiscard]] Place place() const;
};

}  // namespace marrow

// Bytes as a mapped file has them.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "marrow/model/model_file.h"

namespace marrow::test {

// Returns a copy at a multiple of 64, or so many bytes behind that, with an owner.
inline SharedBytes placed(std::span<const std::byte> bytes, std::size_t off = 0) {
  auto owner = std::make_shared<std::vector<std::byte>>(bytes.size() + 2 * kModelFileAlignment);
  const auto address = reinterpret_cast<std::uintptr_t>(owner->data());
  std::byte* const at = owner->data() + (kModelFileAlignment - address % kModelFileAlignment) + off;
  std::memcpy(at, bytes.data(), bytes.size());
  return {{at, bytes.size()}, owner};
}

}  // namespace marrow::test

// SharedBytes: bytes, and what keeps them alive.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace marrow {

struct SharedBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;  // null for bytes that somebody else keeps
};

// Moves a vector into one.
[[nodiscard]] inline SharedBytes share_bytes(std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return {*owner, owner};
}

}  // namespace marrow

// What loading a file may spend. Internal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace marrow {

// What any file is allowed; without a limit of the caller's there is more for each byte of it.
inline constexpr std::uint64_t kLeastAllowance = std::uint64_t{64} << 20;

// Counts down the bytes that may be spent on what a file is made into.
class Allowance {
 public:
  // The limit of the caller's, or, if that is 0, `otherwise`.
  explicit Allowance(std::uint64_t limit, std::uint64_t otherwise = 0)
      : left_(limit != 0 ? limit : otherwise), limited_(limit != 0) {}

  [[nodiscard]] std::uint64_t left() const { return left_; }
  void add(std::uint64_t bytes) { left_ += bytes; }

  // Takes from what is left. Returns why not if that is not enough.
  [[nodiscard]] std::optional<std::string> spend(std::uint64_t bytes) {
    if (bytes <= left_ && bytes <= static_cast<std::uint64_t>(PTRDIFF_MAX)) {
      left_ -= bytes;
      return std::nullopt;
    }
    return "would take " + std::to_string(bytes) + " bytes, but only " + std::to_string(left_) + " are left of what " +
           (limited_ ? "memory_limit allows" : "a file of this size is allowed");
  }

 private:
  std::uint64_t left_;
  bool limited_;
};

}  // namespace marrow

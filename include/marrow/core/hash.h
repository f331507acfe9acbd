// A 64-bit hash that reads eight bytes at a time, the same on every machine.
//
// For content hashes, name tables and golden values. Not for secrets: it does not resist someone who wants collisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace marrow {

// Hashes a stream in pieces. The hash is that of the concatenated bytes, however they were cut.
class Hasher {
 public:
  explicit Hasher(std::uint64_t seed = 0);

  void add(std::span<const std::byte> bytes);

  // Adds the values' bits. Floats must not be NaN: its bits differ from machine to machine.
  void add(std::span<const float> values);
  void add(std::span<const std::uint32_t> values);
  void add(std::uint64_t value);
  void add(double) = delete;  // would be cut to a whole number
  void add(std::string_view text);

  // Returns the hash of everything added so far; more may be added after.
  [[nodiscard]] std::uint64_t finish() const;

 private:
  std::uint64_t state_;
  std::uint64_t length_ = 0;   // bytes added
  std::uint64_t pending_ = 0;  // the last length_ % 8 bytes, little-endian
};

[[nodiscard]] std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// Returns another hash than hash_bytes, four times as fast for kilobytes and more: four hashes of every fourth word,
// hashed together with what is left.
[[nodiscard]] std::uint64_t hash_bulk(std::span<const std::byte> bytes);

[[nodiscard]] std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0);

}  // namespace marrow

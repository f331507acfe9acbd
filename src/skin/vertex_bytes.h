// Numbers in the bytes of vertices, little endian, and where they are wrong. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "marrow/core/result.h"
#include "src/skin/imports.h"

namespace marrow {

inline void put(std::byte* at, std::uint8_t value) { *at = static_cast<std::byte>(value); }
inline void put(std::byte* at, std::uint16_t value) {
  put(at, static_cast<std::uint8_t>(value & 0xffu));
  put(at + 1, static_cast<std::uint8_t>(value >> 8));
}
inline void put(std::byte* at, float value) {
  const auto bits = platform::bit_cast<std::uint32_t>(value);
  put(at, static_cast<std::uint16_t>(bits & 0xffffu));
  put(at + 2, static_cast<std::uint16_t>(bits >> 16));
}

inline void get(const std::byte* at, std::uint8_t& value) { value = std::to_integer<std::uint8_t>(*at); }
inline void get(const std::byte* at, std::uint16_t& value) {
  std::uint8_t low = 0, high = 0;
  get(at, low);
  get(at + 1, high);
  value = static_cast<std::uint16_t>(low | high << 8);
}
inline void get(const std::byte* at, float& value) {
  std::uint16_t low = 0, high = 0;
  get(at, low);
  get(at + 2, high);
  value = platform::bit_cast<float>(low | static_cast<std::uint32_t>(high) << 16);
}

// The numbers of an attribute of one vertex, one after the other.
template <typename Number>
void put_at(std::byte* at, std::size_t index, Number value) {
  put(at + index * sizeof(Number), value);
}
template <typename Number>
Number get_at(const std::byte* at, std::size_t index) {
  Number value{};
  get(at + index * sizeof(Number), value);
  return value;
}

// The error of a vertex in one of the arrays.
inline Error error_at(ErrorCode code, std::string message, const char* array, std::size_t vertex) {
  return {code, std::move(message), {array, vertex}};
}

}  // namespace marrow

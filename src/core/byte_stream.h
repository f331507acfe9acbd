// Writes values to a block of bytes, and reads them back: packed, in the byte order of the machine. Internal.
//
// The caller checks that the block is large enough. Values are copied as they are in memory, so they have no padding.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

namespace marrow {

class ByteWriter {
 public:
  explicit ByteWriter(std::byte* to) : to_(to) {}

  template <typename T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(to_, &value, sizeof value);
    to_ += sizeof value;
  }

  void copy(std::span<const std::byte> bytes) {
    if (!bytes.empty()) std::memcpy(to_, bytes.data(), bytes.size());
    to_ += bytes.size();
  }

 private:
  std::byte* to_;
};

class ByteReader {
 public:
  explicit ByteReader(const std::byte* from) : from_(from) {}

  template <typename T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if constexpr (std::is_same_v<T, bool>) {
      value = *from_ != std::byte{0};  // no other byte than 0 and 1 is a valid bool
    } else {
      std::memcpy(&value, from_, sizeof value);
    }
    from_ += sizeof value;
  }

  // Returns the next bytes, in place.
  [[nodiscard]] std::span<const std::byte> take(std::size_t size) {
    const std::span<const std::byte> taken(from_, size);
    from_ += size;
    return taken;
  }

 private:
  const std::byte* from_;
};

// Returns how many bytes a T takes of which list(visit, value) writes the fields, by calling visit(field) for each.
template <typename T, typename List>
constexpr std::size_t field_bytes(const List& list) {
  std::size_t bytes = 0;
  const auto count = [&](const auto& field) { bytes += sizeof field; };
  const T value{};
  list(count, value);
  return bytes;
}

}  // namespace marrow

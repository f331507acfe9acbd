#include "src/core/byte_stream.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

namespace marrow {
namespace {

TEST_CASE("values are packed, and come back as they were written") {
  std::array<std::byte, 16> block{};
  const std::array<std::byte, 2> tail = {std::byte{7}, std::byte{8}};
  ByteWriter write(block.data());
  write(std::uint32_t{0x01020304u});
  write(true);
  write(0.5);
  write.copy(tail);
  write(std::uint8_t{9});
  CHECK(block[15] == std::byte{9});

  ByteReader read(block.data());
  std::uint32_t word = 0;
  bool flag = false;
  double number = 0;
  read(word);
  read(flag);
  read(number);
  CHECK(word == 0x01020304u);
  CHECK(flag);
  CHECK(number == 0.5);
  const std::span<const std::byte> taken = read.take(2);
  CHECK(taken.data() == block.data() + 13);
  CHECK(taken[1] == std::byte{8});
}

TEST_CASE("any byte is read as a valid bool") {
  const std::byte bytes[] = {std::byte{0}, std::byte{2}};
  ByteReader read(bytes);
  bool first = true, second = false;
  read(first);
  read(second);
  CHECK(!first);
  CHECK(second);
}

}  // namespace
}  // namespace marrow

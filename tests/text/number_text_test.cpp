#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "fixtures/random.h"
#include "src/text/number_text_printf.h"
#include "src/text/text.h"

namespace marrow {
namespace {

TEST_CASE("numbers are as short as can be") {
  CHECK(number_text(0.1f) == "0.1");
  CHECK(number_text(1.0f) == "1");
  CHECK(number_text(-0.0f) == "-0");
  CHECK(number_text(1e-7f) == "1e-07");
  CHECK(number_text(16777216.0f) == "16777216");
  CHECK(number_text(1e20) == "1e+20");
  CHECK(number_text(1.0 / 3) == "0.3333333333333333");
}

TEST_CASE("hashes are written with all their digits") {
  CHECK(hex_text(0) == "0000000000000000");
  CHECK(hex_text(0x0123456789abcdef) == "0123456789abcdef");
  CHECK(hex_text(~std::uint64_t{0}) == "ffffffffffffffff");
}

TEST_CASE("a number is parsed if all of a text is one") {
  CHECK(parse_number<std::uint32_t>("0") == 0u);
  CHECK(parse_number<std::uint32_t>("007") == 7u);
  CHECK(parse_number<std::uint32_t>("4294967295") == 4294967295u);
  for (const char* const wrong : {"", "7a", " 7", "7 ", "-1", "+1", "0x7", "4294967296", "1e3"}) {
    INFO(wrong);
    CHECK_FALSE(parse_number<std::uint32_t>(wrong).has_value());
  }
  CHECK_FALSE(parse_number<std::uint32_t>(std::string_view("7\0", 2)).has_value());
}

TEST_CASE("with and without the library's help the text is the same, and reads back to the same bits") {
  test::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t bits =
        i < 512 ? static_cast<std::uint32_t>(i) << 23 : static_cast<std::uint32_t>(random.bits() >> 32);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = number_text(value);
    const float back = std::strtof(text.c_str(), nullptr);
    CHECK(std::memcmp(&back, &value, sizeof back) == 0);
    const float printed = std::strtof(number_text_by_printf(value).c_str(), nullptr);
    CHECK(std::memcmp(&printed, &value, sizeof printed) == 0);
    // At powers of two the interval is not the same on both sides, and the library may find one of fewer digits.
    if ((bits & 0x7fffffu) != 0) CHECK(number_text_by_printf(value) == text);
    const double wide = static_cast<double>(value) / 3;
    CHECK(std::strtod(number_text_by_printf(wide).c_str(), nullptr) == wide);
    CHECK(number_text_by_printf(wide) == number_text(wide));
  }
}

}  // namespace
}  // namespace marrow

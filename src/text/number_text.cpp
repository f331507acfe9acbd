#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <version>

#include "src/text/number_text_printf.h"
#include "src/text/text.h"

namespace marrow {
namespace {

float read(const char* text, float) { return std::strtof(text, nullptr); }
double read(const char* text, double) { return std::strtod(text, nullptr); }

template <typename Number>
std::string by_printf(Number value) {
  constexpr int kMostDigits = sizeof(Number) == sizeof(float) ? 9 : 17;
  const auto wide = static_cast<double>(value);
  char scientific[40], fixed[400];
  int behind = 0;  // digits behind the point
  do {
    std::snprintf(scientific, sizeof scientific, "%.*e", behind, wide);
  } while (read(scientific, value) != value && ++behind < kMostDigits);
  const std::string with_exponent = scientific;
  const long exponent = std::strtol(with_exponent.c_str() + with_exponent.find('e') + 1, nullptr, 10);
  std::snprintf(fixed, sizeof fixed, "%.*f", exponent < behind ? behind - static_cast<int>(exponent) : 0, wide);
  const std::string without = fixed;
  return without.size() <= with_exponent.size() ? without : with_exponent;
}

// As of 2023, not all libraries have it for floats.
#ifdef __cpp_lib_to_chars
template <typename Number>
std::string shortest(Number value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}
#else
template <typename Number>
std::string shortest(Number value) {
  return by_printf(value);
}
#endif

}  // namespace

std::string number_text_by_printf(float value) { return by_printf(value); }
std::string number_text_by_printf(double value) { return by_printf(value); }

std::string number_text(float value) { return shortest(value); }
std::string number_text(double value) { return shortest(value); }

std::string hex_text(std::uint64_t value) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[value >> shift & 0xf];
  return text;
}

}  // namespace marrow

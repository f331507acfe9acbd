#include "src/gltf/uri.h"

#include <doctest/doctest.h>

#include "fixtures/random.h"

namespace marrow {
namespace {

std::string text_of(std::string_view uri) {
  const Result<std::vector<std::byte>> data = read_data_uri(uri);
  if (!data) return "error: " + to_string(data.error());
  return {reinterpret_cast<const char*>(data->data()), data->size()};
}

// By the book: RFC 4648, three bytes to four digits.
std::string base64_of(std::string_view bytes, bool padded) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      if (k <= bytes.size() - i) {
        out += kDigits[bits >> (18 - 6 * k) & 63];
      } else if (padded) {
        out += '=';
      }
    }
  }
  return out;
}

TEST_CASE("base64 of any length comes back, padded or not") {
  test::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random.below(50), '\0');
    for (char& c : bytes) c = static_cast<char>(random.bits());
    for (const bool padded : {false, true}) {
      std::string uri = "data:application/octet-stream;base64,";
      REQUIRE(text_of(uri.append(base64_of(bytes, padded))) == bytes);
    }
  }
  CHECK(text_of("DATA:;base64,QUJD") == "ABC");
  CHECK(text_of("data:;base64,-_-_") == text_of("data:;base64,+/+/"));
}

TEST_CASE("data that is no base64 is refused, with the character") {
  CHECK(text_of("data:;base64,QU!D") == "error: character 15: a character that is not base64");
  CHECK(text_of("data:;base64,QUJDR") == "error: character 18: base64 data is cut off");
  CHECK(text_of("data:;base64") == "error: a data URI without data");
  CHECK(text_of("file.bin") == "error: a data URI without data");
  CHECK(text_of("data:text/plain,a%20b%zz") == "a b%zz");
}

TEST_CASE("percent signs are decoded where they are followed by two digits") {
  CHECK(percent_decoded("my%20file%2ebin") == "my file.bin");
  CHECK(percent_decoded("100%") == "100%");
  CHECK(percent_decoded("%4") == "%4");
  CHECK(percent_decoded("%C3%A9") == "\xc3\xa9");
}

TEST_CASE("paths stay inside their folder or are found out") {
  for (const char* good : {"a.bin", "textures/a.png", "./a.bin", "x/../a.bin", "a..b", "...", "\xc3\xa9.bin"}) {
    CAPTURE(good);
    CHECK(stays_inside(good));
  }
  for (const char* bad :
       {"", "/etc/passwd", "../a", "../../etc/passwd", "x/../../a", "../a/b/c", "\\\\server\\a", "..\\a", "C:\\a",
        "c:a", "http://x/a", "file:///a", ".", "x/..", "a.bin:stream", "x\\..\\..\\a"}) {
    CAPTURE(bad);
    CHECK(!stays_inside(bad));
  }
  CHECK(!stays_inside(std::string_view("a\0b", 3)));
}

}  // namespace
}  // namespace marrow

#include <doctest/doctest.h>

#include <string>

#include "src/text/text.h"

namespace marrow {
namespace {

TEST_CASE("characters of one to four bytes are read") {
  const std::string text = "a\xc3\xa4\xe6\x97\xa5\xf0\x9f\xa6\xb4";
  const Utf8Character expected[] = {{'a', 1}, {0xe4, 2}, {0x65e5, 3}, {0x1f9b4, 4}};
  std::size_t at = 0;
  for (const Utf8Character& c : expected) {
    const Utf8Character read = utf8_at(text, at);
    CHECK(read.code == c.code);
    CHECK(read.length == c.length);
    at += read.length;
  }
  CHECK(at == text.size());
}

TEST_CASE("bytes that are no character are replaced one by one") {
  const std::string texts[] = {"\x80",
                               "\xc3",
                               "\xc0\x80",
                               "\xe0\x80\x80",
                               "\xed\xa0\x80",
                               "\xf4\x90\x80\x80",
                               "\xff\xff\xff\xff",
                               "\xc3(",
                               "\xf0\x80\x80\x80"};
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK(utf8_at(text, 0).code == kReplacementCharacter);
    CHECK(utf8_at(text, 0).length == 1);
  }
}

TEST_CASE("a text is mended byte by byte, and one that is good stays as it is") {
  const std::string good = "a\xc3\xa4\xe6\x97\xa5\xf0\x9f\xa6\xb4\xef\xbf\xbd";
  CHECK(is_utf8(""));
  CHECK(is_utf8(good));
  CHECK(valid_utf8(good) == good);
  CHECK_FALSE(is_utf8("hand\xff"));
  CHECK(valid_utf8("h\xe6\x97nd\xff") == "h\xef\xbf\xbd\xef\xbf\xbdnd\xef\xbf\xbd");
  CHECK(is_utf8(valid_utf8("\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80")));
}

TEST_CASE("JSON is UTF-8, whatever is written") {
  std::string out;
  JsonWriter(&out).object().member("n\xff", "\xc3\"\n\xc3\xa4").end();
  CHECK(out == "{\"n\xef\xbf\xbd\":\"\xef\xbf\xbd\\\"\\u000a\xc3\xa4\"}\n");
}

TEST_CASE("what moves a cursor or turns the writing is a control") {
  for (const std::uint32_t code : {0u, 0x0au, 0x1bu, 0x7fu, 0x85u, 0x202eu, 0x2066u}) CHECK(is_control(code));
  for (const std::uint32_t code : {0x20u, 0x41u, 0xe4u, 0x65e5u, 0x1f9b4u}) CHECK_FALSE(is_control(code));
}

}  // namespace
}  // namespace marrow

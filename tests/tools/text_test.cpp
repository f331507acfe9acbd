#include "text.h"

#include <doctest/doctest.h>

namespace marrow::tool {
namespace {

TEST_CASE("names from files cannot move the cursor") {
  CHECK(printable("Hüfte_左") == "Hüfte_左");
  CHECK(printable("a\x1b[2Jb\nc") ==
        "a\xef\xbf\xbd[2Jb\xef\xbf\xbd"
        "c");
  CHECK(printable("a\u202eb") == "a\ufffdb");
  CHECK(printable("\xff\xc3") == "\ufffd\ufffd");
}

TEST_CASE("columns are counted as terminals show them") {
  CHECK(columns_of("bone") == 4);
  CHECK(columns_of("Hüfte") == 5);
  CHECK(columns_of("左手") == 4);
  CHECK(columns_of("e\u0301") == 1);
  CHECK(columns_of("├─ ") == 3);
}

TEST_CASE("text is cut to fit, with an ellipsis") {
  CHECK(shortened("skeleton", 8) == "skeleton");
  CHECK(shortened("skeleton", 5) == "skel…");
  CHECK(shortened("左手左手", 5) == "左手…");
  CHECK(shortened("左手左手", 4) == "左…");
}

TEST_CASE("sentences are cut in the middle") {
  CHECK(shortened_inside("skeleton", 8) == "skeleton");
  CHECK(shortened_inside("the long and the short", 11) == "the … short");
  CHECK(shortened_inside("左手左手左手", 8) == "左…左手");
  CHECK(columns_of(shortened_inside(std::string(100000, 'x'), 800)) == 800);
}

TEST_CASE("names from files are quoted and put in columns printable and short") {
  CHECK(in_quotes("a\x1b[2J") == "\"a\ufffd[2J\"");
  CHECK(in_quotes(std::string(100000, 'x')) == "\"" + std::string(39, 'x') + "…\"");
  CHECK(cell_of("左\n", 5) == "左\ufffd  ");
  CHECK(cell_of("skeleton", 5) == "skel…");
}

TEST_CASE("numbers are short") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(count_of(1, "vertex", "vertices") == "1 vertex");
  CHECK(count_of(2, "joint") == "2 joints");
  CHECK(bytes_text(1023) == "1023 B");
  CHECK(bytes_text(1024) == "1.0 KB");
  CHECK(bytes_text(1048575) == "1.0 MB");
  CHECK(bytes_text(123456789) == "118 MB");
  CHECK(short_number(0) == "0");
  CHECK(short_number(1.23456) == "1.23");
  CHECK(short_number(123456) == "123456");
  CHECK(short_number(-0.000123) == "-0.000123");
  CHECK(percent_text(0.0001) == "< 0.1 %");
  CHECK(percent_text(0.0123) == "1.2 %");
  CHECK(percent_text(0.5) == "50 %");
}

TEST_CASE("long lines are broken between words") {
  CHECK(wrapped("one two three", 2, 9) == "one two\n  three");
  CHECK(wrapped("incomprehensibilities are", 0, 5) == "incomprehensibilities\nare");
  CHECK(wrapped("", 4, 10).empty());
}

TEST_CASE("tables align, leave out what nobody has and cut the widest words") {
  Table table({{"name", Table::Align::left}, {"n"}, {"none"}});
  table.add({"a", "1", ""});
  table.add({"a very long name indeed", "1,000", ""});
  CHECK(table.lines(1, 100) == std::vector<std::string>{" name                         n",
                                                        " a                            1",
                                                        " a very long name indeed  1,000"});
  CHECK(table.lines(1, 21) ==
        std::vector<std::string>{" name               n", " a                  1", " a very long …  1,000"});
}

}  // namespace
}  // namespace marrow::tool

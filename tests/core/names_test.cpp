#include "marrow/core/names.h"

#include <doctest/doctest.h>

namespace marrow {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("names that a typing error, a prefix, a suffix or the case may explain are found, the nearest first") {
  const std::string_view names[] = {"Idle", "Walk",           "walk_left", "Walk", "Run",
                                    "Jump", "mixamorig:Hips", "Wave",      "Wake"};
  CHECK(similar_names("Wlak", names) == Names{"Walk"});
  CHECK(similar_names("walk", names) == Names{"Walk", "walk_left"});
  CHECK(similar_names("Hips", names) == Names{"mixamorig:Hips"});
  CHECK(similar_names("jumpp", names) == Names{"Jump"});
  CHECK(similar_names("Rum", names) == Names{"Run"});
  CHECK(similar_names("Fly", names) == Names{});
  CHECK(similar_names("", names) == Names{});
  CHECK(similar_names("Walk", {}) == Names{});
  const std::string_view alike[] = {"step1", "step2", "step3", "step4"};
  CHECK(similar_names("step", alike) == Names{"step1", "step2", "step3"});
}

TEST_CASE("the error of a look-up has the names in a sentence") {
  const std::string_view names[] = {"hand_R", "hand_L", "head"};
  CHECK(unknown_name("joint", "hnad_R", names).message ==
        "there is no joint \"hnad_R\"; did you mean \"hand_R\" or \"hand_L\"?");
  CHECK(unknown_name("joint", "tail", names).message == "there is no joint \"tail\"");
  CHECK(unknown_name("joint", "tail", names).code == ErrorCode::not_found);
  const int items[] = {0, 1, 2};
  CHECK(unknown_name("step", "tow", items, [](int i) { return i == 2 ? "two" : "one"; }).message ==
        "there is no step \"tow\"; did you mean \"two\"?");
}

TEST_CASE("long names and many of them take no time worth speaking of") {
  const std::string a(100000, 'a'), b(100000, 'b');
  const std::vector<std::string_view> many(100000, std::string_view(b));
  CHECK(similar_names(a, many) == Names{});
  CHECK(similar_names(b, many) == Names{b});
}

}  // namespace
}  // namespace marrow

#include "marrow/core/result.h"

#include <doctest/doctest.h>

#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "marrow/core/version.h"
#include "support/asserts.h"

namespace marrow {
namespace {

using test::assert_message;

Result<int> half(int x) {
  if (x % 2 != 0) return Error{ErrorCode::invalid_argument, "the number is odd", {"numbers", 0}};
  return x / 2;
}

Result<void> must_be_even(int x) {
  const Result<int> h = half(x);
  if (!h) return h.error();
  return {};
}

TEST_CASE("a result holds a value") {
  Result<int> r = half(8);
  CHECK(r.ok());
  CHECK(static_cast<bool>(r));
  CHECK(r.value() == 4);
  CHECK(*r == 4);
  *r = 5;
  const Result<int>& read_only = r;
  CHECK(*read_only == 5);
  CHECK(read_only.value() == 5);
}

TEST_CASE("a result holds an error with its code, sentence and place") {
  const Result<int> r = half(7);
  CHECK_FALSE(r.ok());
  CHECK_FALSE(static_cast<bool>(r));
  CHECK(r.error().code == ErrorCode::invalid_argument);
  CHECK(r.error().message == "the number is odd");
  CHECK(to_string(r.error().place) == "numbers/0");
}

TEST_CASE("a result with nothing to return is success or an error") {
  CHECK(must_be_even(2).ok());
  CHECK(static_cast<bool>(must_be_even(2)));
  const Result<void> r = must_be_even(3);
  CHECK_FALSE(r.ok());
  CHECK_FALSE(static_cast<bool>(r));
  CHECK(r.error().message == "the number is odd");
}

TEST_CASE("asking a result for what it does not hold is the caller's mistake") {
  Result<int> error = half(1);
  const Result<int> value = half(2);
  const Result<std::string> text = Error{ErrorCode::malformed, "the text is empty", ""};
  const std::string no_value = "Result holds an error: numbers/0: the number is odd";
  const std::string no_error = "error() was asked of a Result that holds a value";
  CHECK(assert_message([&] { (void)error.value(); }) == no_value);
  CHECK(assert_message([&] { (void)*error; }) == no_value);
  CHECK(assert_message([&] { (void)std::move(error).value(); }) == no_value);
  CHECK(assert_message([&] { (void)text->size(); }) == "Result holds an error: the text is empty");
  CHECK(assert_message([&] { (void)value.error(); }) == no_error);
  CHECK(assert_message([] { (void)Result<void>().error(); }) == no_error);
}

TEST_CASE("what can only be moved can be returned") {
  const auto make = [](bool good) -> Result<std::unique_ptr<int>> {
    if (!good) return Error{ErrorCode::cycle, "no", ""};
    return std::make_unique<int>(3);
  };
  std::unique_ptr<int> owned = make(true).value();
  CHECK(*owned == 3);
  owned = *make(true);
  CHECK(*owned == 3);
  CHECK_FALSE(make(false).ok());
}

TEST_CASE("members are reached through the arrow") {
  Result<std::string> r = std::string("text");
  CHECK(r->size() == 4);
  r->push_back('s');
  const Result<std::string>& read_only = r;
  CHECK(read_only->size() == 5);
}

TEST_CASE("a result that holds false is a success") {
  static_assert(!std::is_convertible_v<Result<int>, bool>, "a result does not become a truth value by accident");
  const Result<bool> no = false;
  CHECK(no.ok());
  CHECK_FALSE(*no);
}

TEST_CASE("every code has its own name") {
  std::set<std::string> names;
  const ErrorCode codes[] = {ErrorCode::invalid_argument, ErrorCode::not_finite,     ErrorCode::size_mismatch,
                             ErrorCode::not_sorted,       ErrorCode::cycle,          ErrorCode::two_parents,
                             ErrorCode::duplicate,        ErrorCode::limit_exceeded, ErrorCode::unreadable,
                             ErrorCode::malformed,        ErrorCode::unsupported,    ErrorCode::not_allowed};
  for (ErrorCode code : codes) {
    CHECK(std::string(to_string(code)) != "unknown");
    names.insert(to_string(code));
  }
  CHECK(names.size() == std::size(codes));
  CHECK(std::string(to_string(ErrorCode::not_finite)) == "not_finite");
}

TEST_CASE("an error is printed as its place and its sentence") {
  CHECK(to_string(Error{ErrorCode::cycle, "joint 3 is its own ancestor", {"joints", 3}}) ==
        "joints/3: joint 3 is its own ancestor");
  CHECK(to_string(Error{ErrorCode::cycle, "joint 3 is its own ancestor", ""}) == "joint 3 is its own ancestor");
}

TEST_CASE("the version at run time is that of the headers") {
  const std::string expected = std::to_string(MARROW_VERSION_MAJOR) + "." + std::to_string(MARROW_VERSION_MINOR) + "." +
                               std::to_string(MARROW_VERSION_PATCH);
  CHECK(std::string(library_version()) == expected);
}

}  // namespace
}  // namespace marrow

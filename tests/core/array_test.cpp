#include "marrow/core/array.h"

#include <doctest/doctest.h>

namespace marrow {
namespace {

std::shared_ptr<std::vector<int>> three() { return std::make_shared<std::vector<int>>(std::vector<int>{1, 2, 3}); }

TEST_CASE("an array is made, read and changed like a vector") {
  Array<int> array = {1, 2};
  array.push_back(3);
  CHECK_FALSE(array.is_borrowed());
  CHECK(array == Array<int>(std::vector<int>{1, 2, 3}));
  array.resize(5, 7);
  CHECK(array.size() == 5);
  CHECK(array.back() == 7);
  array.assign(2, 4);
  CHECK(array == Array<int>{4, 4});
  const int more[] = {5, 6};
  array.append(std::begin(more), std::end(more));
  array.append({7});
  CHECK(array == Array<int>{4, 4, 5, 6, 7});
  array.clear();
  CHECK(array.empty());
}

TEST_CASE("what is borrowed is where it was, and is kept alive") {
  std::weak_ptr<std::vector<int>> watched;
  Array<int> copy;
  {
    const std::shared_ptr<std::vector<int>> lender = three();
    watched = lender;
    const Array<int> array(std::span<const int>(*lender), lender);
    CHECK(array.is_borrowed());
    CHECK(array.data() == lender->data());
    copy = array;
  }
  CHECK_FALSE(watched.expired());
  CHECK(std::as_const(copy).data() == watched.lock()->data());
  CHECK(copy == Array<int>{1, 2, 3});
  copy.clear();
  CHECK(watched.expired());
}

TEST_CASE("a change of what is borrowed leaves the lender as it was") {
  const std::shared_ptr<std::vector<int>> lender = three();
  Array<int> array(std::span<const int>(*lender), lender);
  const Array<int> before = array;
  array[1] = 9;
  CHECK_FALSE(array.is_borrowed());
  CHECK(array == Array<int>{1, 9, 3});
  CHECK(before == Array<int>{1, 2, 3});
  CHECK(*lender == std::vector<int>{1, 2, 3});
}

}  // namespace
}  // namespace marrow

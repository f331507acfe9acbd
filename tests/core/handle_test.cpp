#include "marrow/core/handle.h"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "support/random.h"

namespace marrow {
namespace {

struct Thing {};
struct OtherThing {};
using Pool = HandlePool<int, Thing>;

static_assert(sizeof(Handle<Thing>) == 8 && std::is_trivially_copyable_v<Handle<Thing>>);
static_assert(!std::is_convertible_v<Handle<Thing>, Handle<OtherThing>>, "handles to different things are kept apart");

TEST_CASE("a zero handle is null and finds nothing") {
  Pool pool;
  const Pool::HandleType null;
  CHECK(null.is_null());
  CHECK(null.index == 0);
  CHECK(null.generation == 0);
  CHECK(pool.get(null) == nullptr);
  CHECK_FALSE(pool.remove(null));
  const auto handle = pool.add(1);
  CHECK_FALSE(handle.is_null());
  CHECK(pool.get(null) == nullptr);
  CHECK_FALSE(pool.remove(null));
  CHECK(pool.size() == 1);
}

TEST_CASE("a handle finds its object and no other") {
  Pool pool;
  const auto a = pool.add(10), b = pool.add(20);
  CHECK(a != b);
  REQUIRE(pool.get(a) != nullptr);
  REQUIRE(pool.get(b) != nullptr);
  CHECK(*pool.get(a) == 10);
  CHECK(*pool.get(b) == 20);
  *pool.get(a) = 11;
  const Pool& read_only = pool;
  CHECK(*read_only.get(a) == 11);
  CHECK(pool.size() == 2);
}

TEST_CASE("a removed object's handle is stale") {
  Pool pool;
  const auto a = pool.add(1), b = pool.add(2);
  CHECK(pool.remove(a));
  CHECK(pool.get(a) == nullptr);
  CHECK_FALSE(pool.remove(a));
  CHECK(pool.size() == 1);
  CHECK(*pool.get(b) == 2);
}

TEST_CASE("a slot that is used again does not answer to its old handles") {
  Pool pool;
  std::vector<Pool::HandleType> old;
  for (int i = 0; i < 100; ++i) {
    const auto handle = pool.add(i);
    CHECK(handle.index == 1);  // the slot is used again each time
    for (const auto& stale : old) {
      CHECK(stale != handle);
      CHECK(pool.get(stale) == nullptr);
      CHECK_FALSE(pool.remove(stale));
    }
    REQUIRE(pool.get(handle) != nullptr);
    CHECK(*pool.get(handle) == i);
    CHECK(pool.remove(handle));
    old.push_back(handle);
  }
}

TEST_CASE("slots released last are used again first") {
  Pool pool;
  const auto a = pool.add(1), b = pool.add(2), c = pool.add(3);
  pool.remove(a);
  pool.remove(c);
  CHECK(pool.add(4).index == c.index);
  CHECK(pool.add(5).index == a.index);
  CHECK(pool.add(6).index == 4);
  CHECK(*pool.get(b) == 2);
}

TEST_CASE("made-up handles find nothing") {
  Pool pool;
  const auto a = pool.add(1);
  CHECK(pool.get({a.index, a.generation + 1}) == nullptr);
  CHECK(pool.get({a.index, 0}) == nullptr);
  CHECK(pool.get({a.index + 1, a.generation}) == nullptr);
  CHECK(pool.get({0xffffffffu, a.generation}) == nullptr);
  CHECK(pool.get({0, a.generation}) == nullptr);
}

TEST_CASE("objects are destroyed when they are removed, and move-only ones can be held") {
  HandlePool<std::shared_ptr<int>> pool;
  const auto object = std::make_shared<int>(7);
  const auto handle = pool.add(object);
  CHECK(object.use_count() == 2);
  pool.remove(handle);
  CHECK(object.use_count() == 1);

  HandlePool<std::unique_ptr<std::string>> owners;
  const auto owner = owners.add(std::make_unique<std::string>("text"));
  CHECK(**owners.get(owner) == "text");
}

TEST_CASE("objects stay where they are while there is room") {
  Pool pool;
  pool.reserve(100);
  const auto first = pool.add(1);
  const int* address = pool.get(first);
  for (int i = 0; i < 99; ++i) (void)pool.add(i);
  CHECK(pool.get(first) == address);
}

TEST_CASE("a pool under random use agrees with a map") {
  Pool pool;
  std::map<std::uint64_t, int> model;
  std::vector<Pool::HandleType> given;
  test::Random random(1);
  const auto key = [](Pool::HandleType h) { return (std::uint64_t{h.index} << 32) | h.generation; };
  for (int i = 0; i < 20'000; ++i) {
    if (given.empty() || random.below(100) < 52) {
      const auto handle = pool.add(i);
      CHECK(model.emplace(key(handle), i).second);
      given.push_back(handle);
    } else {
      const auto handle = given[random.below(static_cast<std::uint32_t>(given.size()))];  // stale ones too
      CHECK(pool.remove(handle) == (model.erase(key(handle)) == 1));
    }
    const auto handle = given[random.below(static_cast<std::uint32_t>(given.size()))];
    const int* found = pool.get(handle);
    const auto expected = model.find(key(handle));
    REQUIRE((found != nullptr) == (expected != model.end()));
    if (found != nullptr) CHECK(*found == expected->second);
    CHECK(pool.size() == model.size());
  }
}

}  // namespace
}  // namespace marrow

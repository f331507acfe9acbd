#include "marrow/core/handle.h"

#include <doctest/doctest.h>

#include <type_traits>

namespace marrow {
namespace {

struct Thing {};
struct OtherThing {};

static_assert(sizeof(Handle<Thing>) == 8 && std::is_trivially_copyable_v<Handle<Thing>>);
static_assert(!std::is_convertible_v<Handle<Thing>, Handle<OtherThing>>, "handles to different things are kept apart");

TEST_CASE("a zero handle is null, and handles are equal if slot and generation are") {
  const Handle<Thing> null;
  CHECK(null.is_null());
  CHECK(null == Handle<Thing>{0, 0});
  CHECK_FALSE(Handle<Thing>{1, 1}.is_null());
  CHECK(Handle<Thing>{1, 1} != Handle<Thing>{1, 2});
  CHECK(Handle<Thing>{1, 1} != Handle<Thing>{2, 1});
}

}  // namespace
}  // namespace marrow

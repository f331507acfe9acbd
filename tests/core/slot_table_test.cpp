#include "src/core/slot_table.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>
#include <vector>

#include "fixtures/random.h"
#include "support/asserts.h"

namespace marrow {
namespace {

SlotRef take(SlotTable<int>& table) {
  const std::uint32_t slot = table.take();
  return {slot, table.generation(slot)};
}

TEST_CASE("a stale reference never matches, though its slot is used again a thousand times") {
  SlotTable<int> table;
  table.grow(1);
  std::vector<SlotRef> stale;
  for (int i = 0; i < 1000; ++i) {
    const SlotRef ref = take(table);
    REQUIRE(ref.slot == 0);
    REQUIRE(table.is_alive(ref));
    for (const SlotRef& old : stale) REQUIRE(!table.is_alive(old));
    stale.push_back(ref);
    table.free(ref.slot);
    REQUIRE(!table.is_alive(ref));
  }
}

TEST_CASE("null, a slot out of range and a generation out of range match nothing") {
  SlotTable<int> table;
  CHECK(!table.is_alive({}));
  table.grow(2);
  CHECK(!table.is_alive({}));
  CHECK(!table.is_alive({0, 1}));  // free
  const SlotRef ref = take(table);
  CHECK(table.is_alive({0, 1}));
  CHECK(!table.is_alive({0, 0}));
  CHECK(!table.is_alive({0, 2}));
  CHECK(!table.is_alive({0, 0x80000001u}));  // the same bits but for the highest
  CHECK(!table.is_alive({0xffffffffu, 1}));
  CHECK(!table.is_alive({2, 1}));
  CHECK(static_cast<bool>(ref));
  CHECK(!static_cast<bool>(SlotRef()));
}

TEST_CASE("a state says of each generation whether it is alive, dead or still to come") {
  const SlotState free, used = free.taken(), freed = used.freed();
  CHECK(!free.in_use());
  CHECK(free.generation() == 1);
  CHECK(!free.is_alive(1));
  CHECK(!free.is_dead(1));
  CHECK(used.is_alive(1));
  CHECK(!used.is_dead(1));
  CHECK(freed.generation() == 2);
  CHECK(!freed.is_alive(1));
  CHECK(!freed.is_alive(2));
  CHECK(freed.is_dead(1));
  CHECK(!freed.is_dead(2));
  CHECK(!freed.is_dead(0));
}

TEST_CASE("the lowest free slot is used next, in whatever order slots were freed") {
  SlotTable<int> table;
  table.grow(50);
  test::Random random(3);
  std::set<std::uint32_t> used;
  for (int round = 0; round < 5000; ++round) {
    if (used.size() < 50 && random.below(2) == 0) {
      std::uint32_t lowest = 0;
      while (used.contains(lowest)) ++lowest;
      REQUIRE(table.next_free() == lowest);
      REQUIRE(table.take() == lowest);
      used.insert(lowest);
    } else if (!used.empty()) {
      const auto at = std::next(used.begin(), random.below(static_cast<std::uint32_t>(used.size())));
      table.free(*at);
      used.erase(at);
    }
    REQUIRE(table.live_count() == used.size());
    REQUIRE(table.live_end() == (used.empty() ? 0 : *used.rbegin() + 1));
  }
}

TEST_CASE("a slot whose generations are used up is retired, and no reference is given out twice") {
  SlotTable<int> table;
  table.set_generation_end(4);
  table.grow(8);
  std::set<std::pair<std::uint32_t, std::uint32_t>> given;
  for (int i = 0; i < 3 * 8; ++i) {
    REQUIRE(table.next_free().has_value());
    const SlotRef ref = take(table);
    REQUIRE(given.insert({ref.slot, ref.generation}).second);
    REQUIRE(table.can_be_reused(ref.slot) == (ref.generation < 3));
    table.free(ref.slot);
  }
  CHECK(!table.next_free().has_value());
  CHECK(table.live_count() == 0);
  for (const auto& [slot, generation] : given) CHECK(!table.is_alive({slot, generation}));
  CHECK(test::assert_message([&] { table.take(); }) == "a slot is taken from a table without a free one");
  table.grow(9);
  CHECK(table.take() == 8);
}

TEST_CASE("the last generation of a slot is not followed by an old one") {
  SlotTable<int> table;
  table.grow(1);
  const SlotState last(SlotState::kGenerationEnd - 1);
  table.restore({&last, 1});
  const SlotRef ref = take(table);
  CHECK(ref.generation == SlotState::kGenerationEnd - 1);
  CHECK(table.is_alive(ref));
  CHECK(!table.can_be_reused(0));
  table.free(0);
  CHECK(!table.is_alive(ref));
  CHECK(!table.next_free().has_value());
  CHECK(table.generation(0) == SlotState::kGenerationEnd);
  CHECK(SlotState(0xffffffffu).generation() == SlotState::kGenerationEnd);
}

TEST_CASE("a lower limit for generations retires the slots that have reached it") {
  SlotTable<int> table;
  table.grow(3);
  for (int i = 0; i < 4; ++i) table.free(table.take());
  const SlotRef held = take(table);
  CHECK(held.generation == 5);
  for (int i = 0; i < 4; ++i) table.free(table.take());
  CHECK(table.next_free() == 1u);
  table.set_generation_end(5);
  CHECK(table.is_alive(held));
  CHECK(table.next_free() == 2u);
  table.free(held.slot);
  CHECK(table.next_free() == 2u);
}

TEST_CASE("restoring states brings references back and makes later ones stale") {
  SlotTable<int> table;
  table.grow(4);
  const SlotRef a = take(table), b = take(table);
  table.free(a.slot);
  const SlotRef c = take(table);
  std::vector<SlotState> states;
  for (std::uint32_t s = 0; s < 4; ++s) states.emplace_back(table.generation(s), table.is_live(s));
  const auto check_state = [&] {
    CHECK(table.live_count() == 2);
    CHECK(table.live_end() == 2);
    CHECK(!table.is_alive(a));
    CHECK(table.is_alive(b));
    CHECK(table.is_alive(c));
    CHECK(table.next_free() == 2u);
  };
  check_state();
  const SlotRef later = take(table);
  table.free(b.slot);
  table.free(c.slot);
  table.restore(states);
  check_state();
  CHECK(!table.is_alive(later));
  // The same commands give the same references again.
  const SlotRef again = take(table);
  CHECK(again.slot == later.slot);
  CHECK(again.generation == later.generation);
}

TEST_CASE("a restored generation that no slot can have retires the slot") {
  SlotTable<int> table;
  table.set_generation_end(10);
  table.grow(4);
  const SlotState states[] = {SlotState(0), SlotState(10), SlotState(0xffffffffu), SlotState(9)};
  table.restore(states);
  CHECK(table.take() == 3);
  CHECK(!table.next_free().has_value());
}

}  // namespace
}  // namespace marrow

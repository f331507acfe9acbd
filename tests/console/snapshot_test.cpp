// Snapshots: a guest that was saved and restored is as it was, to the bit.
#include "snapshot.h"

#include <doctest/doctest.h>

#include <cstring>

#include "console/fixture.h"
#include "guest.h"

namespace marrow::console {
namespace {

using test::Lines;

TEST_CASE("Globals of every type come back, exported or not") {
  // Each frame changes them all; the f32 and f64 are NaNs with bits of their own.
  Guest guest = test::load(R"((module
    (memory (export "memory") 1)
    (global $n (mut i32) (i32.const 7))
    (global $constant i32 (i32.const 3))
    (global $l (export "l") (mut i64) (i64.const -2))
    (global $f (mut f32) (f32.const nan:0x201))
    (global $d (mut f64) (f64.const nan:0x4000000000001))
    (global $v (mut v128) (v128.const i64x2 0x1122334455667788 -5))
    (func (export "update")
      (global.set $n (i32.add (global.get $n) (global.get $constant)))
      (global.set $l (i64.mul (global.get $l) (i64.const 3)))
      (global.set $f (f32.reinterpret_i32 (i32.add (i32.reinterpret_f32 (global.get $f)) (i32.const 1))))
      (global.set $d (f64.reinterpret_i64 (i64.add (i64.reinterpret_f64 (global.get $d)) (i64.const 1))))
      (global.set $v (i64x2.add (global.get $v) (global.get $v))))))");
  GuestSnapshot first, second, again;
  guest.save(first);
  REQUIRE(first.globals.size() == 5);
  CHECK(first.globals[0] == GlobalBits{7, 0});
  CHECK(first.globals[1] == GlobalBits{0xfffffffffffffffe, 0});
  CHECK(first.globals[2] == GlobalBits{0x7f800201, 0});
  CHECK(first.globals[3] == GlobalBits{0x7ff4000000000001, 0});
  CHECK(first.globals[4] == GlobalBits{0x1122334455667788, 0xfffffffffffffffb});
  REQUIRE(guest.frame({}).ok());
  guest.save(second);
  for (std::size_t i = 0; i < 5; ++i) CHECK(first.globals[i] != second.globals[i]);
  CHECK(hash_of(first) != hash_of(second));
  guest.restore(first);
  guest.save(again);
  CHECK(difference(first, again) == "");
  REQUIRE(guest.frame({}).ok());
  guest.save(again);
  CHECK(difference(second, again) == "");
  CHECK(hash_of(second) == hash_of(again));
}

// Remembers how large its memory was seen, and grows when left is pressed.
const char* const kGrows = R"((module
  (import "env" "buttons" (func $buttons (param i32) (result i32)))
  (import "env" "draw_mesh" (func $draw (param i32)))
  (memory (export "memory") 2 6)
  (data (i32.const 4) "data")
  (global $sum (mut i32) (i32.const 0))
  (func $start (call $draw (i32.const 99)))
  (start $start)
  (func (export "init") (i32.store (i32.const 4) (i32.const 1)))
  (func (export "update")
    (global.set $sum (i32.add (i32.mul (global.get $sum) (i32.const 10)) (memory.size)))
    (if (call $buttons (i32.const 0)) (then
      (drop (memory.grow (i32.const 1)))
      (i32.store (i32.sub (i32.mul (memory.size) (i32.const 65536)) (i32.const 4)) (i32.const -1))))))
)";

TEST_CASE("A memory that has grown since a snapshot is as small again, and one that was larger as large") {
  Lines log;
  Guest guest = test::load(kGrows, log.setup());
  GuestSnapshot small, large, now;
  guest.save(small);
  CHECK(small.memory.size() == 2 * 65536);
  for (int i = 0; i < 3; ++i) REQUIRE(guest.frame({kLeft, 0}).ok());
  guest.save(large);
  CHECK(large.memory.size() == 5 * 65536);
  CHECK(large.globals[0][0] == 234);

  guest.restore(small);
  guest.save(now);
  CHECK(difference(now, small) == "");
  REQUIRE(guest.frame({}).ok());
  guest.save(now);
  CHECK(now.globals[0][0] == 2);  // the guest saw two pages

  guest.restore(large);
  guest.save(now);
  CHECK(difference(now, large) == "");
  REQUIRE(guest.frame({kLeft, 0}).ok());
  REQUIRE(guest.frame({kLeft, 0}).ok());
  guest.save(now);
  CHECK(now.globals[0][0] == 23456);
  CHECK(now.memory.size() == 6 * 65536);  // as many as the module allows

  // A page that comes again is empty again.
  guest.restore(small);
  for (int i = 0; i < 3; ++i) REQUIRE(guest.frame({kLeft, 0}).ok());
  guest.save(now);
  CHECK(difference(now, large) == "");

  // The start function ran once.
  CHECK(log.lines == std::vector<std::string>{"draw_mesh: there is no mesh 99"});
}

TEST_CASE("A snapshot goes into another guest of the same module") {
  Guest a = test::load(kGrows), b = test::load(kGrows);
  for (int i = 0; i < 2; ++i) REQUIRE(a.frame({kLeft, 0}).ok());
  REQUIRE(b.frame({}).ok());
  GuestSnapshot of_a, of_b;
  a.save(of_a);
  b.save(of_b);
  CHECK(difference(of_a, of_b) == "the size of the memory");
  b.restore(of_a);
  REQUIRE(a.frame({}).ok());
  REQUIRE(b.frame({}).ok());
  a.save(of_a);
  b.save(of_b);
  CHECK(difference(of_a, of_b) == "");
}

TEST_CASE("The memory of a guest is never larger than the console allows") {
  GuestSetup setup;
  setup.max_pages = 3;
  Guest guest = test::load(kGrows, setup);
  for (int i = 0; i < 4; ++i) REQUIRE(guest.frame({kLeft, 0}).ok());
  CHECK(guest.memory().size() == 3 * 65536);
}

TEST_CASE("Handles, binding, bones and transform of the host come back") {
  // Each frame loads a skeleton, binds it, and sets one more bone and another transform.
  Guest guest = test::load(R"((module
    (import "env" "load_skeleton" (func $load (param i32 i32) (result i32)))
    (import "env" "skeleton_bind" (func $bind (param i32)))
    (import "env" "set_bones" (func $bones (param i32 i32)))
    (import "env" "transform_set_position" (func $place (param f32 f32 f32)))
    (memory (export "memory") 1)
    (global $n (mut i32) (i32.const 0))
    (func (export "update")
      (global.set $n (i32.add (global.get $n) (i32.const 1)))
      (call $bind (call $load (i32.const 64) (global.get $n)))
      (call $bones (i32.const 65) (global.get $n))
      (call $place (f32.convert_i32_u (global.get $n)) (f32.const 0) (f32.const 0)))))");
  GuestSnapshot states[4], now;
  for (GuestSnapshot& state : states) {
    REQUIRE(guest.frame({}).ok());
    guest.save(state);
  }
  CHECK(states[3].host.skeletons.size() == 4);
  CHECK(states[3].host.bound_skeleton == 4);
  CHECK(states[3].host.bone_count == 4);
  CHECK(states[3].host.transform.m[0][3] == 4);
  guest.restore(states[1]);
  CHECK(guest.host().state().skeletons.size() == 2);
  for (int i = 2; i < 4; ++i) {
    REQUIRE(guest.frame({}).ok());
    guest.save(now);
    CHECK(difference(now, states[i]) == "");
    CHECK(hash_of(now) == hash_of(states[i]));
  }
}

TEST_CASE("A difference is named, and changes the hash") {
  Guest guest = test::load(test::kGame);
  GuestSnapshot a, b;
  guest.save(a);
  const auto differs = [&](const std::string& name, auto change) {
    b = a;
    change();
    CHECK(difference(a, b) == name);
    CHECK(hash_of(a) != hash_of(b));
  };
  differs("byte 700 of the memory", [&] { b.memory[700] ^= std::byte{1}; });
  differs("the size of the memory", [&] { b.memory.resize(2 * 65536); });
  differs("global 1", [&] { b.globals[1][0] ^= 1; });
  differs("the loaded meshes", [&] { b.host.meshes.clear(); });
  differs("the bound skeleton", [&] { b.host.bound_skeleton = 1; });
  differs("the number of bones", [&] { b.host.bone_count = 1; });
  differs("bone 255 of the host", [&] { b.host.bones[255].m[2][3] = 1; });
  differs("the transform", [&] { b.host.transform.m[0][0] = -1; });
}

}  // namespace
}  // namespace marrow::console

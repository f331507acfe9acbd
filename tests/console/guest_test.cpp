// Guests: what is wrong with a module is named, and a guest that goes wrong is an error and not the end.
#include "guest.h"

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>
#include <string>

#include "console/fixture.h"

namespace marrow::console {
namespace {

using test::kGame;
using test::Lines;
using test::wasm_of;

// What is said of a module.
std::string refusal(const std::string& text) {
  const Result<Guest> guest = Guest::load(wasm_of(text));
  return guest ? "it loads" : to_string(guest.error());
}

// A module that lacks nothing but what is added to it.
std::string module_with(const std::string& what) {
  return "(module " + what + " (memory (export \"memory\") 1) (func (export \"update\")))";
}

TEST_CASE("A file that is no WASM file is said to be none") {
  for (const std::string text : {"",
                                 "\x7f"
                                 "ELF",
                                 "asm"}) {
    const Result<Guest> guest = Guest::load(std::as_bytes(std::span(text)));
    REQUIRE_FALSE(guest);
    CHECK(to_string(guest.error()) == "this is not a WASM file");
  }
}

TEST_CASE("A module of another version is refused with the place") {
  std::vector<std::byte> module = wasm_of(kGame);
  module[4] = std::byte{2};
  const Result<Guest> guest = Guest::load(module);
  REQUIRE_FALSE(guest);
  CHECK(to_string(guest.error()) == "byte 8: the module is not valid: bad wasm file version: 0x2 (expected 0x1)");
}

TEST_CASE("A module that is cut off anywhere is refused") {
  // Not in a module with data, which comes last and may be missing.
  const std::vector<std::byte> module =
      wasm_of(module_with("(import \"env\" \"draw_mesh\" (func (param i32)))"
                          "(global (mut f32) (f32.const 1)) (table 3 funcref)"));
  REQUIRE(Guest::load(module).ok());
  for (std::size_t size = 0; size < module.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(Guest::load(std::span(module).first(size)).ok());
  }
}

TEST_CASE("An import that does not exist is named") {
  CHECK(refusal(module_with("(import \"env\" \"save_game\" (func (param i32)))")) ==
        "env.save_game: the guest imports a function that does not exist");
  CHECK(refusal(module_with("(import \"game\" \"draw_mesh\" (func (param i32)))")) ==
        "game.draw_mesh: the guest imports a function that does not exist");
  CHECK(refusal(module_with("(import \"env\" \"level\" (global i32))")) ==
        "env.level: the guest imports a global, and there are only functions");
  CHECK(refusal("(module (import \"env\" \"memory\" (memory 1)) (func (export \"update\")))") ==
        "env.memory: the guest imports a memory, and there are only functions");
}

TEST_CASE("An import of the wrong type is named with both types") {
  CHECK(refusal(module_with("(import \"env\" \"set_bones\" (func (param i32) (result i32)))")) ==
        "env.set_bones: the guest imports it as (i32) -> i32, and it is (i32, i32)");
  CHECK(refusal(module_with("(import \"env\" \"transform_set_position\" (func (param f64 f64 f64)))")) ==
        "env.transform_set_position: the guest imports it as (f64, f64, f64), and it is (f32, f32, f32)");
  CHECK(refusal(module_with("(import \"env\" \"load_mesh\" (func (param i32 i32 i32)))")) ==
        "env.load_mesh: the guest imports it as (i32, i32, i32), and it is (i32, i32, i32) -> i32");
}

TEST_CASE("What a guest has to export is asked for") {
  CHECK(refusal("(module (func (export \"update\")))") == "the guest exports no memory");
  CHECK(refusal("(module (memory 1) (func (export \"memory\")) (func (export \"update\")))") ==
        "the guest exports no memory");
  CHECK(refusal("(module (memory (export \"memory\") 1) (func (export \"init\")))") ==
        "the guest exports neither update nor render");
  CHECK(refusal("(module (memory (export \"memory\") 1) (func (export \"render\") (param f32)))") ==
        "render: it is exported as (f32), and must take and return nothing");
  CHECK(refusal("(module (memory (export \"memory\") 1) (global (export \"update\") i32 (i32.const 1)))") ==
        "update: it is exported, and is no function");
  CHECK(refusal("(module (memory (export \"memory\") 1) (func (export \"render\")))") == "it loads");
}

TEST_CASE("A module that is larger than a console is refused") {
  CHECK(refusal("(module (memory (export \"memory\") 1025) (func (export \"update\")))") ==
        "the pages of the memory are 1025, and 1024 is the most");
  CHECK(refusal(module_with("(table 1048577 funcref)")) ==
        "the elements of the tables are 1048577, and 1048576 is the most");
  CHECK(refusal(module_with("(table 1000000 funcref) (table 1000000 funcref)")) ==
        "the elements of the tables are 2000000, and 1048576 is the most");
  std::string results, values;
  for (int i = 0; i < 17; ++i) {
    results += " i32";
    values += " (i32.const 0)";
  }
  CHECK(refusal(module_with("(func (result" + results + ")" + values + ")")) ==
        "the results of a function are 17, and 16 is the most");
  std::string locals = "(func (local";
  for (int i = 0; i < 10'001; ++i) locals += " i32";
  CHECK(refusal("(module (memory (export \"memory\") 1) (func (export \"update\")) " + locals + ")))") ==
        "the locals of a function are 10001, and 10000 is the most");
}

TEST_CASE("A module that keeps state where a snapshot does not look is refused") {
  const std::string table = "(table 2 funcref) (elem $e funcref (ref.func $f)) (func $f)";
  const std::string three = "(i32.const 0) (i32.const 0) (i32.const 0)";
  const auto with = [](const std::string& fields, const std::string& body) {
    return refusal("(module " + fields + " (memory (export \"memory\") 1) (func (export \"update\") " + body + "))");
  };
  CHECK(with(table, "(table.set 0 (i32.const 0) (ref.func $f))") ==
        "the guest uses table.set, which could not be undone");
  CHECK(with(table, "(table.init 0 $e " + three + ")") == "the guest uses table.init, which could not be undone");
  CHECK(with(table, "(table.copy 0 0 " + three + ")") == "the guest uses table.copy, which could not be undone");
  CHECK(with(table, "(table.fill 0 (i32.const 0) (ref.func $f) (i32.const 1))") ==
        "the guest uses table.fill, which could not be undone");
  CHECK(with(table, "(drop (table.grow 0 (ref.func $f) (i32.const 1)))") ==
        "the guest uses table.grow, which could not be undone");
  CHECK(with(table, "(elem.drop $e)") == "the guest uses elem.drop, which could not be undone");
  CHECK(with("(data $d \"abc\")", "(data.drop $d)") == "the guest uses data.drop, which could not be undone");
  CHECK(with("(global (mut funcref) (ref.null func))", "") ==
        "the guest keeps a reference in a global, which could not be undone");
  // What is not changed may be there.
  CHECK(with(table + "(type $t (func)) (elem (i32.const 0) $f)", "(call_indirect (type $t) (i32.const 0))") ==
        "it loads");
  CHECK(with("(data $d \"abc\")", "(memory.init $d " + three + ")") == "it loads");
}

TEST_CASE("Data that does not fit into the memory is an error") {
  CHECK(refusal(module_with("(data (i32.const 65535) \"abc\")")).find("the guest cannot be loaded: ") == 0);
}

TEST_CASE("A trap in start and init is an error with the interpreter's words") {
  CHECK(
      refusal("(module (memory (export \"memory\") 1) (func $f unreachable) (start $f) (func (export \"update\")))") ==
      "start: unreachable executed");
  CHECK(refusal("(module (memory (export \"memory\") 1) (func (export \"update\"))"
                " (func (export \"init\") (drop (i32.div_u (i32.const 1) (i32.const 0)))))") ==
        "init: integer divide by zero");
}

TEST_CASE("A guest that traps in a frame can be brought back and goes on") {
  Guest guest = test::load(R"((module
    (import "env" "buttons" (func $buttons (param i32) (result i32)))
    (memory (export "memory") 1)
    (func $deep (call $deep))
    (func (export "update") (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
      (if (i32.eq (call $buttons (i32.const 0)) (i32.const 1)) (then (drop (i32.load (i32.const 65533)))))
      (if (i32.eq (call $buttons (i32.const 0)) (i32.const 2)) (then (call $deep))))
    (func (export "render") (if (i32.eq (call $buttons (i32.const 0)) (i32.const 4)) (then unreachable)))))");
  GuestSnapshot before, after;
  REQUIRE(guest.frame({0, 0}).ok());
  guest.save(before);
  const char* const messages[] = {"update: out of bounds memory access: access at 65533+4 >= max value 65536",
                                  "update: call stack exhausted", "render: unreachable executed"};
  for (std::uint32_t i = 0; i < 3; ++i) {
    const Result<void> done = guest.frame({1u << i, 0});
    REQUIRE_FALSE(done);
    CHECK(to_string(done.error()) == messages[i]);
    CHECK(guest.memory()[0] == std::byte{2});  // it was on its way
    guest.restore(before);
    guest.save(after);
    CHECK(difference(before, after) == "");
  }
  REQUIRE(guest.frame({0, 0}).ok());
  CHECK(guest.memory()[0] == std::byte{2});
}

TEST_CASE("An exception in a call of the guest's is a trap, and passes through nothing") {
  GuestSetup setup;
  setup.host.log = [](LogLevel, std::string_view, void*) { throw std::runtime_error("the disk is full"); };
  Guest guest = test::load(
      "(module (import \"env\" \"draw_mesh\" (func $draw (param i32))) (memory (export \"memory\") 1)"
      " (func (export \"render\") (call $draw (i32.const 5))))",
      setup);
  const Result<void> done = guest.frame({});
  REQUIRE_FALSE(done);
  CHECK(to_string(done.error()) == "render: draw_mesh: the disk is full");
}

TEST_CASE("Each player's buttons reach the guest, and there are no more players") {
  Guest guest = test::load(R"((module
    (import "env" "buttons" (func $buttons (param i32) (result i32)))
    (memory (export "memory") 1)
    (func (export "update")
      (i32.store8 (i32.const 0) (call $buttons (i32.const 0)))
      (i32.store8 (i32.const 1) (call $buttons (i32.const 1)))
      (i32.store8 (i32.const 2) (call $buttons (i32.const 2)))
      (i32.store8 (i32.const 3) (call $buttons (i32.const -1))))))");
  REQUIRE(guest.frame({kLeft | kB, kDown | kA}).ok());
  const std::array<std::uint8_t, 4> expected = {33, 24, 0, 0};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::to_integer<std::uint8_t>(guest.memory()[i]) == expected[i]);
}

}  // namespace
}  // namespace marrow::console

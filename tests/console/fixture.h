// What the tests of the console share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "console/wat.h"
#include "guest.h"

namespace marrow::test {

// A log that remembers.
struct Lines {
  std::vector<std::string> lines;

  static void handle(LogLevel, std::string_view message, void* user) {
    static_cast<Lines*>(user)->lines.emplace_back(message);
  }
  console::GuestSetup setup() {
    console::GuestSetup setup;
    setup.host.log = handle;
    setup.host.log_user = this;
    return setup;
  }
};

// A game whose state is made of all buttons that were ever pressed, in a global and all over its memory; it grows when
// both players press the same. It draws a triangle somewhere that depends on it.
inline const char* const kGame = R"((module
  (import "env" "buttons" (func $buttons (param i32) (result i32)))
  (import "env" "load_mesh" (func $load_mesh (param i32 i32 i32) (result i32)))
  (import "env" "transform_set_position" (func $place (param f32 f32 f32)))
  (import "env" "draw_mesh" (func $draw (param i32)))
  (memory (export "memory") 1 5)
  (data (i32.const 16) "\00\00\00\00\00\00\00\00\00\00\00\00\00\00\80\3f\00\00\00\00\00\00\00\00\00\00\00\00\00\00\80\3f\00\00\00\00")
  (global $state (mut i32) (i32.const 1))
  (global $mesh (mut i32) (i32.const 0))
  (func (export "init") (global.set $mesh (call $load_mesh (i32.const 16) (i32.const 3) (i32.const 0))))
  (func (export "update") (local $at i32)
    (global.set $state (i32.mul (i32.add (i32.xor (global.get $state) (call $buttons (i32.const 0)))
                                         (i32.mul (call $buttons (i32.const 1)) (i32.const 4099)))
                                (i32.const 1664525)))
    (local.set $at (i32.and (i32.shr_u (global.get $state) (i32.const 8)) (i32.const 0xfffc)))
    (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (global.get $state)))
    (if (i32.eq (call $buttons (i32.const 0)) (call $buttons (i32.const 1)))
      (then (drop (memory.grow (i32.const 1))))))
  (func (export "render")
    (call $place (f32.convert_i32_s (global.get $state)) (f32.convert_i32_s (memory.size)) (f32.const 0))
    (call $draw (global.get $mesh))))
)";

// A guest that must load.
inline console::Guest load(const std::string& text, const console::GuestSetup& setup = {}) {
  Result<console::Guest> guest = console::Guest::load(wasm_of(text), setup);
  if (!guest) MARROW_ASSERT(false, guest.error().message.c_str());
  return std::move(*guest);
}

}  // namespace marrow::test

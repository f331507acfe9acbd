// Every function with every argument spoiled: a status and a sentence, nothing changed, never a crash.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "ffi/world.h"

namespace marrow {
namespace {

using namespace test;

void check_refused(const Call& call, const std::vector<Argument>& arguments, const std::vector<int>& expected,
                   const char* how, std::size_t which) {
  CAPTURE(call.name);
  CAPTURE(how);
  CAPTURE(which);
  const marrow_status status = call.run(arguments);
  CAPTURE(status);
  REQUIRE(status != MARROW_OK);
  CHECK(marrow_last_error()->status == status);
  CHECK(std::strlen(marrow_last_error()->message) > 5);
  CHECK(std::find(expected.begin(), expected.end(), status) != expected.end());
}

// Spoils one argument in every way that its role has.
void spoil(World& w, const Call& call, std::size_t which) {
  const Argument& good = call.arguments[which];
  const auto with = [&](const std::function<void(Argument&)>& change) {
    std::vector<Argument> arguments = call.arguments;
    change(arguments[which]);
    return arguments;
  };
  const auto with_value = [&](std::uint64_t value) { return with([&](Argument& a) { a.value = value; }); };
  switch (good.role) {
    case Role::handle:
      check_refused(call, with_value(0), {MARROW_ERROR_BAD_HANDLE}, "a handle of 0", which);
      [[fallthrough]];
    case Role::optional_handle: {
      const std::uint64_t sample = good.value != 0 ? good.value : w.node;
      const std::vector<int> bad = {MARROW_ERROR_BAD_HANDLE, MARROW_ERROR_DEAD_HANDLE};
      for (const std::uint64_t value : w.living()) {
        if (value >> 60 != sample >> 60) check_refused(call, with_value(value), bad, "another kind", which);
      }
      for (const std::uint64_t value : w.dead) {
        const bool same_kind = value >> 60 == sample >> 60;
        check_refused(call, with_value(value), {same_kind ? MARROW_ERROR_DEAD_HANDLE : MARROW_ERROR_BAD_HANDLE},
                      "a dead handle", which);
      }
      for (const std::uint64_t value :
           {~std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xdeadbeef}, sample ^ 1u << 19,
            sample ^ std::uint64_t{1} << 39, sample ^ std::uint64_t{1} << 59, sample ^ std::uint64_t{1} << 62}) {
        check_refused(call, with_value(value), bad, "a made up handle", which);
      }
      for (const std::uint64_t value : good.foreign) {
        check_refused(call, with_value(value), {MARROW_ERROR_FOREIGN_HANDLE}, "a foreign handle", which);
      }
      break;
    }
    case Role::pointer:
      check_refused(call, with([](Argument& a) { a.pointer = nullptr; }), {MARROW_ERROR_NULL_POINTER}, "null", which);
      break;
    case Role::info:
      check_refused(call, with([](Argument& a) { a.pointer = nullptr; }), {MARROW_ERROR_NULL_POINTER}, "null", which);
      [[fallthrough]];
    case Role::options:
      for (const std::uint32_t size : {0u, 3u, static_cast<std::uint32_t>(good.size - 1), 5000u, 0xffffffffu}) {
        std::vector<std::byte> changed(good.size);
        std::memcpy(changed.data(), good.pointer, good.size);
        std::memcpy(changed.data(), &size, sizeof size);
        check_refused(call, with([&](Argument& a) { a.pointer = changed.data(); }), {MARROW_ERROR_INVALID_ARGUMENT},
                      "a wrong struct_size", which);
      }
      break;
    case Role::out:
      check_refused(call, with([](Argument& a) { a.pointer = nullptr; }), {MARROW_ERROR_NULL_POINTER}, "null", which);
      break;
    case Role::capacity:
    case Role::length:
      REQUIRE(good.value > 0);
      check_refused(call, with_value(good.value - 1), {MARROW_ERROR_SHORT_BUFFER}, "short by one", which);
      check_refused(call, with_value(0), {MARROW_ERROR_SHORT_BUFFER}, "capacity 0", which);
      break;
    case Role::index:
      for (const std::uint32_t value : {0xffffffffu, 0x80000000u, 100000u}) {
        check_refused(call, with_value(value), {MARROW_ERROR_OUT_OF_RANGE, MARROW_ERROR_INVALID_ARGUMENT},
                      "an index past the end", which);
      }
      break;
    case Role::choice:
      check_refused(call, with_value(9), {MARROW_ERROR_INVALID_ARGUMENT}, "no choice", which);
      check_refused(call, with_value(0xffffffffu), {MARROW_ERROR_INVALID_ARGUMENT}, "no choice", which);
      break;
    case Role::number:
      for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        check_refused(call, with([&](Argument& a) { a.number = value; }), {MARROW_ERROR_NOT_FINITE}, "no number",
                      which);
      }
      break;
    case Role::edit:
      check_refused(call, with([](Argument& a) { a.pointer = nullptr; }), {MARROW_ERROR_NULL_POINTER}, "null", which);
      check_refused(call, with([&](Argument& a) { a.pointer = w.block.data(); }), {MARROW_ERROR_DEAD_HANDLE},
                    "a pointer to something else", which);
      break;
    case Role::plain:
    case Role::optional_pointer: break;
  }
}

// Without a buffer a function tells how much it needs.
void ask(const Call& call, std::size_t which) {
  std::vector<Argument> arguments = call.arguments;
  arguments[which].pointer = nullptr;
  arguments[which + 1].value = 0;
  std::uint64_t count = 12345;
  arguments[which + 2].pointer = &count;
  CAPTURE(call.name);
  MARROW_REQUIRE_OK(call.run(arguments));
  CHECK(count == call.arguments[which + 1].value);
  arguments[which + 2].pointer = nullptr;
  check_refused(call, arguments, {MARROW_ERROR_NULL_POINTER}, "nothing to write to", which);
}

TEST_CASE("whatever argument is spoiled, every function answers with a status, changes nothing, and works after") {
  std::size_t refusals = 0;
  const std::size_t count = all_calls(*std::make_unique<World>()).size();
  for (std::size_t i = 0; i < count; ++i) {
    World w;
    const Call call = all_calls(w)[i];
    CAPTURE(call.name);
    const std::uint64_t before = w.digest();
    for (std::size_t a = 0; a < call.arguments.size(); ++a) {
      spoil(w, call, a);
      if (call.arguments[a].role == Role::out) ask(call, a);
      if (call.arguments[a].role == Role::optional_pointer || call.arguments[a].role == Role::options) ++refusals;
    }
    CHECK(w.digest() == before);
    MARROW_REQUIRE_OK(call.run(call.arguments));
  }
  CHECK(refusals > 0);
}

TEST_CASE("in a stage every call with a handle of its scene is busy, and changes nothing") {
  World w;
  const std::uint64_t before = w.digest();
  const std::uint64_t scene_kind = w.life.scene >> 60, last_kind = w.action >> 60;
  std::size_t busy = 0;
  for (Call& call : all_calls(w)) {
    bool in_scene = call.name == "marrow_update_instances";
    for (Argument& argument : call.arguments) {
      const std::uint64_t kind = argument.value >> 60;
      if (argument.role != Role::handle || kind < scene_kind || kind > last_kind) continue;
      if (kind == scene_kind) argument.value = w.life.scene;
      in_scene = true;
    }
    if (!in_scene) continue;
    CAPTURE(call.name);
    CHECK(w.in_stage([&](marrow_pose_edit*) { return call.run(call.arguments); }) == MARROW_ERROR_BUSY);
    ++busy;
  }
  CHECK(busy > 90);
  CHECK(w.digest() == before);
  MARROW_REQUIRE_OK(marrow_scene_update(w.life.scene, 0.1, nullptr));
}

TEST_CASE("there is a call of every function that the headers for C declare") {
  std::stringstream content;
  for (const char* name : {"marrow.h", "marrow_host.h"}) {
    std::ifstream file(std::string(MARROW_HEADERS) + name);
    REQUIRE(file.good());
    content << file.rdbuf();
  }
  const std::string header = content.str();
  const std::regex declaration("MARROW_API marrow_status (marrow_[a-z_]+)\\(");
  std::set<std::string> declared, called;
  for (std::sregex_iterator at(header.begin(), header.end(), declaration), end; at != end; ++at) {
    declared.insert((*at)[1]);
  }
  World w;
  for (const Call& call : all_calls(w)) called.insert(call.name);
  declared.erase("marrow_check_abi");  // has nothing to spoil but its number
  CHECK(declared.size() > 160);
  for (const std::string& name : declared) CHECK_MESSAGE(called.count(name) == 1, name);
  CHECK(marrow_check_abi(MARROW_ABI_VERSION) == MARROW_OK);
  CHECK(marrow_check_abi(MARROW_ABI_VERSION + 1) == MARROW_ERROR_ABI_MISMATCH);
}

}  // namespace
}  // namespace marrow

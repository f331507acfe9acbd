// Rollback: what was predicted wrong is played again, up to eight frames back, and no further ahead.
#include "rollback.h"

#include <doctest/doctest.h>

#include <vector>

#include "console/fixture.h"
#include "rollback_trial.h"
#include "support/asserts.h"

namespace marrow::console {
namespace {

using test::kGame;
using test::wasm_of;
using Step = Rollback::Step;

// What the state is after these inputs.
GuestSnapshot plain(const std::vector<Inputs>& inputs) {
  Guest guest = test::load(kGame);
  for (const Inputs& of_frame : inputs) REQUIRE(guest.frame(of_frame).ok());
  GuestSnapshot state;
  guest.save(state);
  return state;
}

Step advance(Rollback& rollback) {
  const Result<Step> step = rollback.advance();
  REQUIRE(step.ok());
  return *step;
}

TEST_CASE("A player is taken to press on what was pressed last") {
  Guest guest = test::load(kGame);
  Rollback rollback(guest);
  CHECK(rollback.add_input(0, 0, kLeft));
  CHECK(rollback.add_input(1, 0, kA));
  CHECK(advance(rollback) == Step::advanced);
  CHECK(advance(rollback) == Step::advanced);
  CHECK(difference(rollback.state_after(1), plain({{kLeft, kA}, {kLeft, kA}})) == "");
  CHECK(rollback.confirmed() == 1);

  // As predicted: nothing is played again.
  CHECK(rollback.add_input(0, 1, kLeft));
  CHECK(rollback.add_input(1, 1, kA));
  CHECK(rollback.confirmed() == 2);
  REQUIRE(rollback.correct().ok());
  CHECK(rollback.counts().rollbacks == 0);
}

TEST_CASE("Before anything is known nothing is pressed") {
  Guest guest = test::load(kGame);
  Rollback rollback(guest);
  CHECK(advance(rollback) == Step::advanced);
  CHECK(difference(rollback.state_after(0), plain({{0, 0}})) == "");
  CHECK(rollback.confirmed() == 0);
}

TEST_CASE("A wrong prediction is played again from its frame, and predicts anew") {
  Guest guest = test::load(kGame);
  Rollback rollback(guest);
  for (std::uint32_t frame = 0; frame < 5; ++frame) {
    CHECK(rollback.add_input(0, frame, kUp));
    CHECK(advance(rollback) == Step::advanced);
  }
  CHECK(rollback.add_input(1, 0, 0));
  CHECK(rollback.add_input(1, 1, 0));
  CHECK(rollback.add_input(1, 2, kB));  // three of the five frames are wrong
  REQUIRE(rollback.correct().ok());
  CHECK(rollback.counts().rollbacks == 1);
  CHECK(rollback.counts().frames_again == 3);
  CHECK(rollback.counts().deepest == 3);
  CHECK(rollback.confirmed() == 3);
  const std::vector<Inputs> inputs = {{kUp, 0}, {kUp, 0}, {kUp, kB}, {kUp, kB}, {kUp, kB}};
  CHECK(difference(rollback.state_after(4), plain(inputs)) == "");
  REQUIRE(rollback.correct().ok());
  CHECK(rollback.counts().rollbacks == 1);
}

TEST_CASE("It waits rather than be more than eight frames ahead") {
  Guest guest = test::load(kGame);
  Rollback rollback(guest);
  for (std::uint32_t frame = 0; frame < 8; ++frame) {
    CHECK(rollback.add_input(0, frame, kLeft));
    CHECK(advance(rollback) == Step::advanced);
  }
  CHECK(rollback.add_input(0, 8, kLeft));
  for (int i = 0; i < 3; ++i) CHECK(advance(rollback) == Step::waiting);
  CHECK(rollback.frames() == 8);
  CHECK(rollback.counts().waits == 3);

  // The deepest rollback there is, and one frame more.
  CHECK(rollback.add_input(1, 0, kRight));
  CHECK(advance(rollback) == Step::advanced);
  CHECK(rollback.counts().deepest == 8);
  CHECK(advance(rollback) == Step::waiting);
  CHECK(difference(rollback.state_after(8), plain(std::vector<Inputs>(9, {kLeft, kRight}))) == "");
}

TEST_CASE("Inputs are taken in order, once, and not too far ahead") {
  Guest guest = test::load(kGame);
  Rollback rollback(guest);
  CHECK_FALSE(rollback.add_input(0, 1, kLeft));
  CHECK(rollback.add_input(0, 0, kLeft));
  CHECK(rollback.add_input(0, 0, kRight));  // was known, and stays
  CHECK(advance(rollback) == Step::advanced);
  CHECK(difference(rollback.state_after(0), plain({{kLeft, 0}})) == "");
  std::uint32_t ahead = 0;
  while (rollback.add_input(1, ahead, kDown)) ++ahead;
  CHECK(ahead == 1 + 16);
}

TEST_CASE("Frames that are taken back and played again come out the same") {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Result<TrialReport> report = run_rollback_trial(wasm_of(kGame), {}, 600, seed);
    REQUIRE(report.ok());
    CHECK(report->frames == 600);
    CHECK(report->counts.rollbacks >= 60);
    CHECK(report->counts.deepest == 8);
    CHECK(report->draws == 600);
    CHECK(report->globals == 1200);
    CHECK(report->bytes > 600ull * 3 * 65536);  // it grew
    CHECK(report->counts.waits == 0);
  }
  CHECK(run_rollback_trial(wasm_of(kGame), {}, 600, 1)->hash != run_rollback_trial(wasm_of(kGame), {}, 600, 2)->hash);
}

// Fails if player 1 presses on for longer than some frames.
const char* const kImpatient = R"((module
  (import "env" "buttons" (func $buttons (param i32) (result i32)))
  (memory (export "memory") 1)
  (global $held (mut i32) (i32.const 0))
  (global $frames (mut i32) (i32.const 0))
  (func (export "update")
    (global.set $frames (i32.add (global.get $frames) (i32.const 1)))
    (global.set $held (select (i32.add (global.get $held) (i32.const 1)) (i32.const 0) (call $buttons (i32.const 1))))
    (if (i32.gt_u (global.get $held) (i32.const 3)) (then unreachable)))))";

TEST_CASE("A guest that fails with what was pressed is an error") {
  Guest guest = test::load(kImpatient);
  Rollback rollback(guest);
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    CHECK(rollback.add_input(0, frame, 0));
    CHECK(advance(rollback) == Step::advanced);
  }
  for (std::uint32_t frame = 0; frame < 4; ++frame) CHECK(rollback.add_input(1, frame, kA));
  const Result<Step> step = rollback.advance();
  REQUIRE_FALSE(step);
  CHECK(to_string(step.error()) == "frame 3: update: unreachable executed");
}

TEST_CASE("A guest that fails with what was only guessed waits for what was pressed, in the frame before") {
  Guest guest = test::load(kImpatient);
  Rollback rollback(guest);
  const auto own = [&](std::uint32_t frame) { CHECK(rollback.add_input(0, frame, 0)); };
  for (std::uint32_t frame = 0; frame < 5; ++frame) {
    own(frame);
    CHECK(advance(rollback) == Step::advanced);  // taken to press nothing
  }
  // It was pressed in the first frame, so guessed on in all others; they are too many.
  CHECK(rollback.add_input(1, 0, kA));
  REQUIRE(rollback.correct().ok());
  CHECK(rollback.frames() == 3);
  CHECK(rollback.counts().frames_again == 4);
  for (int i = 0; i < 3; ++i) CHECK(advance(rollback) == Step::waiting);
  CHECK(rollback.counts().waits == 3);
  CHECK(rollback.counts().frames_again == 4);  // it is not tried again meanwhile

  // Nobody pressed on, and all goes on.
  CHECK(rollback.add_input(1, 1, 0));
  CHECK(rollback.add_input(1, 2, 0));
  CHECK(rollback.add_input(1, 3, 0));
  for (std::uint32_t frame = 3; frame < 9; ++frame) {
    own(frame);
    CHECK(advance(rollback) == Step::advanced);
  }
  CHECK(rollback.frames() == 9);
  CHECK(rollback.confirmed() == 4);
  const GuestSnapshot& state = rollback.state_after(8);
  REQUIRE(state.globals.size() == 2);
  Guest plain_guest = test::load(kImpatient);
  for (std::uint32_t frame = 0; frame < 9; ++frame) REQUIRE(plain_guest.frame({0, frame == 0 ? kA : 0u}).ok());
  GuestSnapshot expected;
  plain_guest.save(expected);
  CHECK(difference(state, expected) == "");
}

TEST_CASE("What is kept of frames that were taken back does not pass for older ones") {
  Guest guest = test::load(kImpatient);
  Rollback rollback(guest);
  std::vector<GuestSnapshot> after;
  for (std::uint32_t frame = 0; frame < 28; ++frame) {
    CHECK(rollback.add_input(0, frame, 0));
    if (frame < 20) CHECK(rollback.add_input(1, frame, 0));
    CHECK(advance(rollback) == Step::advanced);
    after.push_back(rollback.state_after(frame));
  }
  CHECK(rollback.add_input(1, 20, kA));
  REQUIRE(rollback.correct().ok());
  CHECK(rollback.frames() == 23);
  CHECK(difference(rollback.state_after(19), after[19]) == "");
  for (const std::uint32_t frame : {14u, 18u, 23u}) {
    CHECK(test::assert_message([&] { (void)rollback.state_after(frame); }) == "this frame is not kept");
    CHECK(test::assert_message([&] { (void)rollback.drawing(frame); }) == "this frame is not kept");
  }
}

}  // namespace
}  // namespace marrow::console

// The match: two consoles over a bad link come to the same frames.
#include "match.h"

#include <doctest/doctest.h>

#include "console/fixture.h"
#include "match_side.h"

namespace marrow::console {
namespace {

using test::kGame;
using test::wasm_of;

TEST_CASE("Both sides of a match, and one that knew everything, come to the same states") {
  const Result<MatchReport> report = play_match(wasm_of(kGame), {});
  REQUIRE(report.ok());
  CHECK(report->frames == 600);
  CHECK(report->compared == 3 * 600);
  CHECK(report->lost * 100 > report->packets * 7);
  CHECK(report->lost * 100 < report->packets * 13);
  CHECK(report->late > 0);
  for (const RollbackCounts& counts : report->counts) {
    CHECK(counts.rollbacks > 20);
    CHECK(counts.deepest > 6);
    CHECK(counts.deepest <= kRollbackFrames);
  }
}

TEST_CASE("A match is the same every time, and another with another seed") {
  const auto text = [](std::uint64_t seed) {
    const Result<MatchReport> report = play_match(wasm_of(kGame), {}, {.frames = 120, .seed = seed, .link = {}});
    return report ? to_text(*report) : to_string(report.error());
  };
  CHECK(text(7) == text(7));
  CHECK(text(7) != text(8));
}

TEST_CASE("A link without delay needs no rollbacks of more than a frame") {
  MatchOptions options;
  options.link = {.latency_us = 0, .jitter_us = 0, .loss_percent = 0};
  const Result<MatchReport> report = play_match(wasm_of(kGame), {}, options);
  REQUIRE(report.ok());
  CHECK(report->counts[0].deepest == 1);  // the other side's clock ticks later
  CHECK(report->counts[1].deepest == 0);
  CHECK(report->lost == 0);
}

TEST_CASE("A worse link makes a match slower and not wrong") {
  MatchOptions options{.frames = 200, .seed = 3, .link = {}};
  options.link = {.latency_us = 250'000, .jitter_us = 200'000, .loss_percent = 60};
  const Result<MatchReport> report = play_match(wasm_of(kGame), {}, options);
  REQUIRE(report.ok());
  CHECK(report->compared == 600);
  CHECK(report->counts[0].waits > 100);
  CHECK(report->counts[0].deepest == kRollbackFrames);
  const Result<MatchReport> same = play_match(wasm_of(kGame), {}, {.frames = 200, .seed = 3, .link = {}});
  REQUIRE(same.ok());
  CHECK(same->hash == report->hash);
}

TEST_CASE("A side notices a frame that is not the same on the other") {
  Guest guests[] = {test::load(kGame), test::load(kGame)};
  MatchSide a(guests[0], 0, {1, 2, 3, 4, 5, 6}), b(guests[1], 1, {1, 1, 1, 1, 1, 1});
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    REQUIRE(a.step().ok());
    b.take(a.packet());
    REQUIRE(b.step().ok());
    Packet packet = b.packet();
    if (frame == 3) packet.hashes[3] ^= 1;
    a.take(packet);
  }
  CHECK(a.compared() == 3);
  const Result<void> step = a.step();
  REQUIRE_FALSE(step);
  CHECK(to_string(step.error()) == "frame 3: the state is not that of the other side");
}

TEST_CASE("A packet brings all that its receiver may have missed, in any order, once or more") {
  Guest guests[] = {test::load(kGame), test::load(kGame)};
  std::vector<std::uint32_t> buttons;
  for (std::uint32_t i = 0; i < 40; ++i) buttons.push_back(i * 7 % 64);
  MatchSide a(guests[0], 0, buttons), b(guests[1], 1, buttons);
  std::vector<Packet> old;
  for (int round = 0; round < 20 && (!a.done() || !b.done()); ++round) {
    // Only the last of many packets arrives, and then some that came long before.
    Packet last;
    for (int i = 0; i < 20; ++i) {
      REQUIRE(a.step().ok());
      old.push_back(last = a.packet());
    }
    b.take(last);
    for (const Packet& packet : old) b.take(packet);
    for (int i = 0; i < 20; ++i) {
      REQUIRE(b.step().ok());
      last = b.packet();
    }
    a.take(last);
    a.take(last);
  }
  CHECK(a.done());
  CHECK(b.done());
  CHECK(a.hashes() == b.hashes());
  CHECK(b.late() > 0);
}

TEST_CASE("A guest that cannot stand what was only guessed plays the match to its end") {
  // With this seed nobody presses the same for more than 16 frames, but 16 and what is guessed after them are more.
  const std::string player = R"((global.set $held(N) (select (i32.add (global.get $held(N)) (i32.const 1)) (i32.const 0)
      (i32.eq (global.get $last(N)) (call $buttons (i32.const (N))))))
    (global.set $last(N) (call $buttons (i32.const (N))))
    (if (i32.gt_u (global.get $held(N)) (i32.const 15)) (then unreachable)))";
  const auto of = [&](char number) {
    std::string text = player;
    for (std::size_t at; (at = text.find("(N)")) != std::string::npos;) text.replace(at, 3, 1, number);
    return text;
  };
  const std::string game = R"((module
    (import "env" "buttons" (func $buttons (param i32) (result i32)))
    (memory (export "memory") 1)
    (global $held0 (mut i32) (i32.const 0))
    (global $held1 (mut i32) (i32.const 0))
    (global $last0 (mut i32) (i32.const 0))
    (global $last1 (mut i32) (i32.const 0))
    (func (export "update") )" +
                           of('0') + of('1') + "))";
  const Result<MatchReport> report = play_match(wasm_of(game), {}, {.frames = 300, .seed = 2, .link = {}});
  REQUIRE_MESSAGE(report.ok(), (report ? "" : to_string(report.error())));
  CHECK(report->compared == 900);
  CHECK(report->counts[0].waits + report->counts[1].waits > 0);
}

TEST_CASE("A link that lets nothing through ends a match with a sentence") {
  MatchOptions options{.frames = 10, .seed = 1, .link = {}};
  options.link.loss_percent = 100;
  const Result<MatchReport> report = play_match(wasm_of(kGame), {}, options);
  REQUIRE_FALSE(report);
  CHECK(to_string(report.error()) == "the match does not come to an end");
}

}  // namespace
}  // namespace marrow::console

// Events on random ways: against a reference that walks the clip tick by tick, and with steps that do not come out
// even.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "fixtures/random.h"
#include "mixer/scene.h"

namespace marrow {
namespace {

using test::Dial;
using test::Random;

// All times of the walks are whole numbers of ticks, so that the arithmetic is exact, and ways often end right on a
// mark or on an end of the clip.
constexpr double kTick = 1.0 / 128;                     // of the clips
constexpr double kStep = 1.0 / 64;                      // of the updates: a speed in halves goes as many ticks a step
constexpr int kOffsetsPerStep = 60;                     // a step divides evenly by every speed used
constexpr int kSpeeds[] = {0, 1, 2, 2, 2, 3, 4, 5, 6};  // in halves

struct RefEvent {
  int offset;  // in 60ths of a step, without sign
  std::uint32_t slot;
  EventKind kind;
  std::uint32_t mark;
  std::uint64_t count;
};

std::string text_of(const RefEvent& e) {
  std::string text = std::to_string(e.slot).append(": ").append(to_string(e.kind));
  if (e.kind == EventKind::mark) text.append(" ").append(std::to_string(e.mark));
  if (e.kind == EventKind::looped) text.append(" x").append(std::to_string(e.count));
  return text.append(" at ").append(std::to_string(e.offset)).append("; ");
}

// An action that stands at a tick of its clip.
struct Walker {
  std::uint32_t slot = 0;
  int length = 0;          // of the clip
  std::vector<int> marks;  // their ticks
  Loop loop = Loop::repeat;
  std::uint64_t repetitions = 0;
  int speed = 2;  // in halves
  bool paused = false;

  int tick = 0;
  int heading = 1;    // of a way forward: -1 on the way back of a ping-pong
  bool told = false;  // stands on an end that it has told of
  bool finished = false;
  std::uint64_t passes = 0;

  void restart() {
    tick = speed < 0 ? length : 0;
    heading = 1;
    told = finished = false;
    passes = 0;
  }

  void walk(int steps, std::vector<RefEvent>& events) {
    const int ticks = std::abs(steps * speed), direction = steps * speed < 0 ? -1 : 1;
    RefEvent loops{0, slot, EventKind::looped, 0, 0};
    const auto offset = [&](int walked) { return walked * kOffsetsPerStep / std::abs(speed); };
    const auto tell_marks = [&](int walked) {
      for (std::uint32_t m = 0; m < marks.size(); ++m) {
        if (marks[m] == tick) events.push_back({offset(walked), slot, EventKind::mark, m, 1});
      }
    };
    const auto reach_end = [&](int walked) {
      tell_marks(walked);
      told = true;
      ++passes;
      const bool finite = loop == Loop::once || repetitions > 0;
      if (length == 0 ? finite : finite && passes >= (loop == Loop::once ? 1 : repetitions)) {
        finished = true;
        events.push_back({offset(walked), slot, EventKind::finished, 0, 1});
        return;
      }
      if (length > 0 && loops.count++ == 0) loops.offset = offset(walked);
      if (loop == Loop::ping_pong) heading = -heading;
    };
    const auto faces_end = [&] { return tick == (direction * heading > 0 ? length : 0); };

    for (int i = 0; i < ticks && !finished && !paused; ++i) {
      if (length == 0) {
        if (!told) reach_end(i);
        break;
      }
      if (faces_end() && !told) reach_end(i);
      if (finished) break;
      if (!told) tell_marks(i);
      if (faces_end() && loop == Loop::ping_pong) {
        heading = -heading;  // comes back to the turn that it has just told of, and goes on the way it came
      } else if (faces_end()) {
        tick = length - tick;
        tell_marks(i);
      }
      told = false;
      tick += direction * heading;
      if (faces_end()) reach_end(i + 1);
    }
    if (loops.count > 0) events.push_back(loops);
  }

  [[nodiscard]] double time() const {
    const bool wraps = told && !finished && loop == Loop::repeat;
    return wraps && tick == length ? 0 : tick * kTick;
  }
};

// Two or three walkers and the actions that should do the same.
struct Pair {
  Dial dial;
  test::PosedMixer mixer;
  std::vector<Walker> walkers;
  std::vector<Action> actions;

  explicit Pair(Random& random) : mixer(dial.skeleton, {.actions = 3, .layers = 1, .events = capacity(random)}) {
    const std::uint32_t count = 1 + random.below(3);
    for (std::uint32_t slot = 0; slot < count; ++slot) {
      Walker w;
      w.slot = slot;
      w.length = random.below(16) == 0 ? 0 : 1 + static_cast<int>(random.below(24));
      w.loop = static_cast<Loop>(random.below(3));
      w.repetitions = random.below(3) == 0 ? 1 + random.below(5) : 0;
      std::vector<Mark> marks;
      for (std::uint32_t left = random.below(9); left > 0; --left) {
        const int ticks[] = {0, w.length, static_cast<int>(random.below(static_cast<std::uint32_t>(w.length) + 1)),
                             w.marks.empty() ? 0 : w.marks.back()};
        w.marks.push_back(ticks[random.below(4)]);
        marks.push_back({w.marks.back() * kTick, "mark"});
      }
      const Clip clip = dial.still(0, w.length * kTick);
      REQUIRE(mixer.set_marks(Marks::create(clip, marks).value()).ok());
      const Action action = mixer.new_action(clip).value();
      REQUIRE(action.handle().index == slot + 1);
      action.set_loop(w.loop, static_cast<std::uint32_t>(w.repetitions));
      walkers.push_back(std::move(w));
      actions.push_back(action);
      change_speed(random, slot);
      restart(slot);
    }
  }

  static std::uint32_t capacity(Random& random) { return random.below(2) == 0 ? random.below(7) : 64; }

  void change_speed(Random& random, std::uint32_t slot) {
    const int size = kSpeeds[random.below(std::size(kSpeeds))];
    walkers[slot].speed = random.below(3) == 0 ? -size : size;
    actions[slot].set_speed(walkers[slot].speed * 0.5);
  }

  void restart(std::uint32_t slot) {
    walkers[slot].restart();
    walkers[slot].paused = false;
    actions[slot].stop().play();
  }

  void disturb(Random& random, std::uint32_t slot) {
    Walker& w = walkers[slot];
    switch (random.below(12)) {
      case 0:
      case 1: change_speed(random, slot); break;
      case 2: restart(slot); break;
      case 3:
        if (random.below(3) != 0 || w.paused) {
          w.paused = false;
          actions[slot].resume();
        } else {
          w.paused = true;
          actions[slot].pause();
        }
        break;
      case 4:
        if (w.told || w.length == 0) break;
        w.tick = static_cast<int>(random.below(static_cast<std::uint32_t>(w.length) + 1));
        actions[slot].seek(w.tick * kTick);
        break;
      default: break;
    }
  }

  // Moves both and returns what happened to each, as text.
  std::pair<std::string, std::string> update(int steps) {
    std::vector<RefEvent> expected;
    for (Walker& w : walkers) w.walk(steps, expected);
    std::stable_sort(expected.begin(), expected.end(), [](const RefEvent& a, const RefEvent& b) {
      return std::tuple(a.offset, a.slot, a.kind, a.mark) < std::tuple(b.offset, b.slot, b.kind, b.mark);
    });
    const std::size_t kept = std::min<std::size_t>(expected.size(), mixer.capacity().events);
    const std::size_t dropped = expected.size() - kept;
    expected.resize(kept);

    mixer.advance(steps * kStep);
    std::pair<std::string, std::string> texts;
    for (const Event& e : mixer.events()) {
      const double offset = e.offset_s / kStep * kOffsetsPerStep, rounded = std::round(offset);
      CHECK(std::abs(offset - rounded) < 1e-9);
      CHECK((offset == 0 || (offset < 0) == (steps < 0)));
      texts.first += text_of({static_cast<int>(std::abs(rounded)), e.action.index - 1, e.kind, e.mark, e.count});
    }
    for (const RefEvent& e : expected) texts.second += text_of(e);
    texts.first += "dropped " + std::to_string(mixer.dropped_events());
    texts.second += "dropped " + std::to_string(dropped);
    for (std::size_t i = 0; i < walkers.size(); ++i) {
      texts.first += ", time " + std::to_string(actions[i].time() / kTick) + (actions[i].finished() ? " finished" : "");
      texts.second += ", time " + std::to_string(walkers[i].time() / kTick) + (walkers[i].finished ? " finished" : "");
      if (walkers[i].length == 0) continue;
      texts.first += ", passes " + std::to_string(actions[i].passes());
      texts.second += ", passes " + std::to_string(walkers[i].passes);
    }
    return texts;
  }
};

TEST_CASE("events are those of a walk through the clips, tick by tick") {
  std::uint64_t events = 0, dropped = 0, finished = 0;
  for (std::uint64_t seed = 1; seed <= 12000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Pair pair(random);
    for (int i = 0; i < 16; ++i) {
      CAPTURE(i);
      for (std::uint32_t slot = 0; slot < pair.actions.size(); ++slot) pair.disturb(random, slot);
      const int size = static_cast<int>(random.below(random.below(4) == 0 ? 60 : 8));
      const auto [actual, expected] = pair.update(random.below(5) == 0 ? -size : size);
      REQUIRE(actual == expected);
      events += pair.mixer.events().size();
      dropped += pair.mixer.dropped_events();
      for (const Event& e : pair.mixer.events()) finished += e.kind == EventKind::finished ? 1 : 0;
    }
  }
  // What was compared was not nothing.
  CHECK(events > 100000);
  CHECK(dropped > 10000);
  CHECK(finished > 1000);
}

TEST_CASE("rounding neither loses nor doubles the mark at a turn") {
  Dial dial;
  const Clip clip = dial.clip(1);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    test::PosedMixer mixer(dial.skeleton);
    const Mark marks[] = {{0, "start"}, {1, "end"}};
    REQUIRE(mixer.set_marks(Marks::create(clip, marks).value()).ok());
    const Action action = mixer.play(clip, {.loop = Loop::ping_pong}).seek(0.3);
    std::uint64_t turns = 0, fired = 0;
    for (int i = 0; i < 200; ++i) {
      // Sums of tenths come back to the ends, or miss them by a hair.
      mixer.advance((static_cast<double>(random.below(11)) - 5) * 0.1);
      for (const Event& e : mixer.events()) (e.kind == EventKind::mark ? fired : turns) += e.count;
      REQUIRE(fired == turns);
      REQUIRE(action.passes() == turns);
    }
    CHECK(turns > 0);
  }
}

TEST_CASE("steps that do not divide the clip fire each mark once a pass, in order") {
  Dial dial;
  const Clip clip = dial.clip(4.0 / 3);
  for (const double speed : {1.0, -1.0, 0.7, -3.3}) {
    CAPTURE(speed);
    test::PosedMixer mixer(dial.skeleton);
    const Mark marks[] = {{0, ""}, {0.1, ""}, {2.0 / 3, ""}, {1.3, ""}};
    REQUIRE(mixer.set_marks(Marks::create(clip, marks).value()).ok());
    mixer.play(clip, {.speed = speed});
    std::vector<std::uint32_t> fired;
    for (int i = 0; i < 20000; ++i) {
      mixer.advance(1.0 / 60);
      for (const Event& e : mixer.events()) {
        if (e.kind == EventKind::mark) fired.push_back(e.mark);
      }
    }
    CHECK(fired.size() >= 4 * static_cast<std::size_t>(20000 / 60.0 * std::abs(speed) / clip.duration()));
    const std::uint32_t first = speed > 0 ? 0 : 3, step = speed > 0 ? 1 : 3;
    for (std::size_t i = 0; i < fired.size(); ++i) REQUIRE(fired[i] == (first + i * step) % 4);
  }
}

TEST_CASE("the end of a pass and the start of the next are one moment, to the bit") {
  Dial dial;
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const Clip clip = dial.still(0, random.range(0.1, 3));
    test::PosedMixer mixer(dial.skeleton);
    const Mark marks[] = {{0, "start"}, {clip.duration(), "end"}};
    REQUIRE(mixer.set_marks(Marks::create(clip, marks).value()).ok());
    mixer.play(clip, {.speed = random.range(-2, 2)}).seek(random.range(0.01, 0.99) * clip.duration());
    mixer.advance(random.range(0, 3));
    const std::span<const Event> events = mixer.events();
    if (events.empty()) continue;
    REQUIRE(events.size() >= 3);
    CHECK(events[0].mark == 0);
    CHECK(events[1].mark == 1);
    CHECK(events[2].kind == EventKind::looped);
    CHECK(events[0].offset_s == events[1].offset_s);
    CHECK(events[0].offset_s == events[2].offset_s);
  }
}

}  // namespace
}  // namespace marrow

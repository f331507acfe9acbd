// Any number of clips: mixers grow up to their limit, and reuse actions there that nobody holds.
#include <doctest/doctest.h>

#include <vector>

#include "fixtures/random.h"
#include "mixer/scene.h"

namespace marrow {
namespace {

using test::Dial;
using test::x_of;

std::vector<Clip> clips_of(const Dial& dial, int count) {
  std::vector<Clip> clips;
  for (int i = 0; i < count; ++i) clips.push_back(dial.clip(0.5 + i * 0.125));
  return clips;
}

std::vector<std::byte> block_of_mixer(const Mixer& mixer) {
  std::vector<std::byte> block(mixer.snapshot_size());
  block.resize(mixer.save(block).value());
  return block;
}

TEST_CASE("two hundred clips are played one after another by a mixer of sixteen actions, and keep their options") {
  const Dial dial;
  const std::vector<Clip> clips = clips_of(dial, 200);
  test::PosedMixer mixer(dial.skeleton, {.max_actions = 16});
  for (const Clip& clip : clips) {
    const Action action = mixer.play(clip, {.loop = Loop::once});
    REQUIRE(action);
    mixer.update(clip.duration() + 1);
    REQUIRE(action.finished());
    REQUIRE(x_of(mixer) == doctest::Approx(clip.duration()));
    action.stop();
  }
  CHECK(mixer.capacity().actions == 16);
  const Action again = mixer.play(clips[0]);
  CHECK(again.loop() == Loop::once);
  mixer.update(1);
  CHECK(again.finished());
}

TEST_CASE("a mixer crossfades through any number of clips, and grows for as many as play at once") {
  const Dial dial;
  const std::vector<Clip> clips = clips_of(dial, 76);
  test::PosedMixer mixer(dial.skeleton);
  for (const Clip& clip : clips) {
    REQUIRE(mixer.cross_fade_to(clip, 0.1));
    mixer.update(1.0 / 60);
  }
  CHECK(mixer.last_error() == nullptr);
  CHECK(mixer.current().clip().id() == clips.back().id());
  for (const Clip& clip : clips) REQUIRE(mixer.play(clip));
  mixer.update(1.0 / 60);
  CHECK(mixer.scratch_size().poses >= 76);
  CHECK(mixer.capacity().actions <= 128);
}

TEST_CASE("the action that was stopped longest ago is reused, but none that is held, followed, paused or finished") {
  const Dial dial;
  const std::vector<Clip> clips = clips_of(dial, 12);
  test::PosedMixer mixer(dial.skeleton, {.actions = 6, .max_actions = 6});
  const Action held = mixer.clip_action(clips[0]).value();
  const Action paused = mixer.play(clips[1]).pause(), finished = mixer.play(clips[2], {.loop = Loop::once});
  const Action first = mixer.play(clips[3]), led = mixer.play(clips[4]);
  const Action second = mixer.play(clips[5]).sync_with(led);
  mixer.update(10);
  led.stop();
  first.stop();
  CHECK(mixer.play(clips[6]));
  CHECK(!first);
  CHECK(second);
  CHECK(led);
  second.sync_with({});
  second.stop();
  CHECK(mixer.play(clips[7]));  // in place of `led`, which was stopped before `second`
  CHECK(!led);
  CHECK(second);
  CHECK(mixer.play(clips[8]));
  CHECK(!second);
  CHECK(finished.finished());
  // All are held now: nothing changes, and the error says why.
  const std::vector<std::byte> before = block_of_mixer(mixer);
  const Action none = mixer.play(clips[9]);
  CHECK(!none);
  CHECK(mixer.last_error()->code == ErrorCode::limit_exceeded);
  CHECK(block_of_mixer(mixer) == before);
  none.set_speed(2).fade_in(1).stop();  // does nothing
  CHECK(mixer.last_error()->code == ErrorCode::limit_exceeded);
  CHECK(block_of_mixer(mixer) == before);
  // A released one makes way.
  mixer.release(held);
  CHECK(mixer.play(clips[9]));
  CHECK(paused);
}

TEST_CASE("a clip that is finished in a full mixer is refused as a whole, with its options") {
  const Dial dial;
  const std::vector<Clip> clips = clips_of(dial, 3);
  test::PosedMixer mixer(dial.skeleton, {.actions = 2, .max_actions = 2});
  const Action finished = mixer.play(clips[0], {.loop = Loop::once});
  mixer.play(clips[1]);
  mixer.update(1);
  REQUIRE(finished.finished());
  const std::vector<std::byte> before = block_of_mixer(mixer);
  CHECK(!mixer.play(clips[0], {.speed = 3, .fade_in = 0.5}));
  CHECK(!mixer.cross_fade_to(clips[0], 0.5));
  CHECK(mixer.last_error()->code == ErrorCode::limit_exceeded);
  mixer.cross_fade_to(finished, 0.5);
  CHECK(block_of_mixer(mixer) == before);
  // Following nothing because a command failed is no wish to follow nothing.
  finished.sync_with(mixer.current());
  finished.sync_with(mixer.play(clips[2]));
  CHECK(finished.leader() == mixer.current());
}

TEST_CASE("a mixer may grow while its actions are listed, and their clips stay where they are") {
  const Dial dial;
  const std::vector<Clip> clips = clips_of(dial, 100);
  test::PosedMixer mixer(dial.skeleton, {.actions = 4});
  for (int i = 0; i < 4; ++i) mixer.play(clips[static_cast<std::size_t>(i)]);
  const Clip& first = (*mixer.actions().begin()).clip();
  std::size_t next = 4, listed = 0;
  for (const Action action : mixer.actions()) {
    REQUIRE(action);
    ++listed;
    if (next >= 40) continue;
    mixer.release(mixer.play(clips[next++]));  // grows, and leaves the slot empty again
    mixer.play(clips[next++]);
  }
  CHECK(listed >= 4);
  CHECK(listed == mixer.actions().size());
  CHECK(first.id() == clips[0].id());
}

TEST_CASE("clips of equal contents are told apart by a snapshot, whatever was played first") {
  const Dial dial;
  const std::vector<Clip> library = {dial.clip(1, "a"), dial.clip(1, "b"), dial.clip(2, "c")};
  for (std::size_t played = 0; played < 2; ++played) {
    test::PosedMixer mixer(dial.skeleton), other(dial.skeleton);
    mixer.set_library(library);
    other.set_library(library);
    const Action action = mixer.play(library[played]);
    const std::vector<std::byte> block = block_of_mixer(mixer);
    other.play(library[1 - played]).stop();
    REQUIRE(other.restore(block).ok());
    CHECK(other.action(action.handle()).clip().name() == library[played].name());
    CHECK(block_of_mixer(other) == block);
  }
}

TEST_CASE("going back over growth and reuse gives the same bits again") {
  const Dial dial;
  const std::vector<Clip> clips = clips_of(dial, 40);
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const std::uint32_t limit = 4 + seed % 30;
    test::PosedMixer mixer(dial.skeleton, {.actions = 1 + seed % 4, .max_actions = limit});
    const auto run = [&](std::uint32_t from, std::uint32_t to) {
      std::vector<std::byte> trace;
      for (std::uint32_t frame = from; frame < to; ++frame) {
        test::Random random(seed * 1000 + frame);
        const Clip& clip = clips[random.below(40)];
        switch (random.below(5)) {
          case 0: mixer.play(clip, {.speed = random.range(-2, 2), .loop = static_cast<Loop>(random.below(3))}); break;
          case 1: mixer.cross_fade_to(clip, random.range(0, 0.3)); break;
          case 2: mixer.switch_to(clip); break;
          case 3:
            if (const Action current = mixer.current()) current.stop();
            break;
          default: break;
        }
        mixer.update(random.range(0, 0.1));
        const std::vector<std::byte> block = block_of_mixer(mixer);
        trace.insert(trace.end(), block.begin(), block.end());
        const auto pose = std::as_bytes(mixer.pose().floats());
        trace.insert(trace.end(), pose.begin(), pose.end());
      }
      return trace;
    };
    (void)run(0, 40);
    const std::vector<std::byte> block = block_of_mixer(mixer);
    const std::vector<std::byte> first = run(40, 120);
    REQUIRE(mixer.restore(block).ok());
    CHECK(block_of_mixer(mixer) == block);
    CHECK(run(40, 120) == first);
    // A mixer that has grown less restores it too, if it knows the clips.
    test::PosedMixer other(dial.skeleton, {.actions = 1, .max_actions = limit});
    other.set_library(clips);
    REQUIRE(other.restore(block).ok());
    CHECK(block_of_mixer(other) == block);
  }
}

}  // namespace
}  // namespace marrow

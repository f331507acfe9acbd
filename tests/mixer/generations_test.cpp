// Generations of actions: stale handles, slots that are used up, and what a snapshot brings back.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "mixer/scene.h"

namespace marrow {
namespace {

using test::Dial;

std::vector<std::byte> block_of(const Mixer& mixer) {
  std::vector<std::byte> block(mixer.snapshot_size());
  const Result<std::size_t> bytes = mixer.save(block);
  REQUIRE(bytes.ok());
  block.resize(*bytes);
  return block;
}

TEST_CASE("a handle of a released action stays stale, whatever takes its slot") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton, {.actions = 1});
  std::vector<ActionHandle> stale;
  for (int i = 0; i < 100; ++i) {
    const Action action = mixer.play(dial.clip(1 + i));
    REQUIRE(action);
    REQUIRE(mixer.action(action.handle()) == action);
    for (const ActionHandle& old : stale) REQUIRE(!mixer.action(old));
    stale.push_back(action.handle());
    mixer.release(action);
    REQUIRE(!action);
  }
  CHECK(!mixer.action({}));
  CHECK(!mixer.action({1, 0}));
  CHECK(!mixer.action({0, 1}));
  CHECK(!mixer.action({2, 1}));
}

TEST_CASE("actions take the lowest free slot") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  std::vector<Action> actions;
  for (int i = 0; i < 6; ++i) actions.push_back(mixer.play(dial.clip(1 + i)));
  for (const std::uint32_t i : {4u, 1u, 3u}) mixer.release(actions[i]);
  for (const std::uint32_t index : {2u, 4u, 5u, 7u}) CHECK(mixer.play(dial.clip(10 + index)).handle().index == index);
}

TEST_CASE("a slot whose generations are used up is retired, and a mixer without others is full") {
  const Dial dial;
  const Clip clip = dial.clip(1);
  test::PosedMixer mixer(dial.skeleton, {.actions = 2, .max_actions = 2});
  limit_action_generations(mixer, 3);
  for (const auto& [index, generation] : {std::pair(1u, 1u), {1u, 2u}, {2u, 1u}, {2u, 2u}}) {
    const Action action = mixer.play(clip);
    REQUIRE(action.handle() == ActionHandle{index, generation});
    mixer.release(action);
  }
  const Result<Action> further = mixer.clip_action(clip);
  REQUIRE(!further.ok());
  CHECK(further.error().code == ErrorCode::limit_exceeded);
  CHECK(further.error().message ==
        "mixer is full: 2 actions, 0 playing or held and 2 retired after all their generations; raise "
        "MixerOptions::max_actions");
  CHECK(mixer.actions().size() == 0);
  mixer.reserve({.actions = 3});
  CHECK(mixer.play(clip).handle() == ActionHandle{3, 1});
}

TEST_CASE("a stopped action is not reused if its slot could not be used again") {
  const Dial dial;
  for (const std::uint32_t end : {2u, 3u}) {
    CAPTURE(end);
    test::PosedMixer mixer(dial.skeleton, {.actions = 1, .max_actions = 1});
    limit_action_generations(mixer, end);
    mixer.play(dial.clip(1)).stop();
    CHECK(static_cast<bool>(mixer.play(dial.clip(2))) == (end == 3));
  }
}

TEST_CASE("after restoring, the same commands give the same handles again") {
  const Dial dial;
  const Clip a = dial.clip(1), b = dial.clip(2), c = dial.clip(3);
  test::PosedMixer mixer(dial.skeleton);
  for (int i = 0; i < 5; ++i) mixer.release(mixer.play(a));
  mixer.play(b);
  const std::vector<std::byte> block = block_of(mixer);
  const auto run = [&] {
    std::vector<ActionHandle> handles = {mixer.play(c).handle(), mixer.play(a).handle()};
    mixer.release(mixer.action(handles[0]));
    handles.push_back(mixer.play(c).handle());
    return handles;
  };
  const std::vector<ActionHandle> first = run();
  REQUIRE(first[0] == ActionHandle{2, 1});
  REQUIRE(first[2] == ActionHandle{2, 2});
  REQUIRE(mixer.restore(block).ok());
  for (const ActionHandle& later : first) CHECK(!mixer.action(later));
  CHECK(mixer.clip_action(b).value().handle() == ActionHandle{1, 6});
  CHECK(run() == first);
}

TEST_CASE("a retired slot is retired in the mixer that its snapshot is restored to") {
  const Dial dial;
  const Clip clip = dial.clip(1);
  test::PosedMixer mixer(dial.skeleton, {.actions = 1, .max_actions = 1}),
      other(dial.skeleton, {.actions = 1, .max_actions = 1});
  limit_action_generations(mixer, 2);
  limit_action_generations(other, 2);
  mixer.release(mixer.play(clip));
  CHECK(!mixer.clip_action(clip).ok());
  const Action before = other.play(clip);
  REQUIRE(other.restore(block_of(mixer)).ok());
  CHECK(!before);
  CHECK(!other.clip_action(clip).ok());
}

TEST_CASE("a snapshot with an action of a generation that the mixer cannot have is refused") {
  const Dial dial;
  const Clip clip = dial.clip(1);
  test::PosedMixer mixer(dial.skeleton), limited(dial.skeleton);
  limit_action_generations(limited, 4);
  for (int i = 0; i < 3; ++i) mixer.release(mixer.play(clip));
  mixer.play(clip);
  const Action kept = limited.play(clip);
  const Result<void> restored = limited.restore(block_of(mixer));
  REQUIRE(!restored.ok());
  CHECK(restored.error().message == "an action is in a slot that it cannot be in");
  CHECK(kept);
}

}  // namespace
}  // namespace marrow

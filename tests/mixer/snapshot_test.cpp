// Snapshots: a mixer that was saved and restored goes on bit for bit, and nothing but a whole good block gets in.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "anim/pose_difference.h"
#include "fixtures/random.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/core/hash.h"
#include "mixer/scene.h"
#include "support/rounds.h"

namespace marrow {
namespace {

using test::Character;
using test::Dial;

// A mixer with everything in it: layers, masks, marks, root motion, sparse clips.
struct SnapshotStage {
  Character c;
  std::vector<Clip> clips = {c.idle,
                             c.walk,
                             c.run,
                             c.wave,
                             c.attack,
                             humanoid::make_clip(c.skeleton, {"sparse", 1.0, 0.6, humanoid::Keys::own}),
                             c.gait("walk", 4.0 / 3, 0.5, 1)};  // alike, and not the same
  JointMask upper = JointMask::from_branch(c.skeleton, 1, 1), lower = JointMask::from_branch(c.skeleton, 2, 0);
  test::PosedMixer mixer{c.skeleton, {.actions = 12, .layers = 3, .events = 32}};
  std::vector<Affine> model{c.skeleton.joint_count()}, matrices{c.skin.size()};

  SnapshotStage() {
    REQUIRE(mixer.add_layer({.mask = &upper}).ok());
    REQUIRE(mixer.add_layer({.mode = LayerMode::add, .weight = 0.3f}).ok());
    const Mark marks[] = {{0.1, "left"}, {0.6, "right"}};
    REQUIRE(mixer.set_marks(Marks::create(c.walk, marks).value()));
    REQUIRE(mixer.set_root_motion({}));
    mixer.layer(1).set_mask(&lower);
    mixer.layer(1).set_mask(&upper);  // both are known now
  }

  void command(test::Random& random) {
    const Layer layer = mixer.layer(random.below(mixer.layer_count()));
    const Clip& clip = clips[random.below(static_cast<std::uint32_t>(clips.size()))];
    std::vector<Action> all;
    for (const Action action : mixer.actions()) all.push_back(action);
    if (all.size() >= 11) return mixer.release(all[random.below(11)]);
    const Action action = layer.clip_action(clip).value();
    const Action other = all.empty() ? action : all[random.below(static_cast<std::uint32_t>(all.size()))];
    const double seconds = random.range(0, 0.5);
    switch (random.below(20)) {
      case 0:
      case 1:
      case 2: layer.play(clip, {.speed = random.range(-1, 2), .fade_in = seconds}); break;
      case 3:
      case 4:
      case 5: mixer.cross_fade_to(action, seconds, {.easing = Easing::smooth, .warp = random.below(2) == 0}); break;
      case 6: mixer.cross_fade(other, action, seconds); break;
      case 7: action.fade_out(seconds); break;
      case 8: action.stop(); break;
      case 9: action.pause(); break;
      case 10: other.resume(); break;
      case 11: action.seek(random.range(0, 1)); break;
      case 12: action.set_loop(static_cast<Loop>(random.below(3)), random.below(4)); break;
      case 13: other.set_speed(random.range(-2, 2)).set_weight(random.rangef(0, 2)); break;
      case 14: action.sync_with(other); break;
      case 15: layer.fade_to(random.rangef(0, 1), seconds); break;
      case 16: mixer.set_time_scale(random.range(-0.5, 2)); break;
      case 17: mixer.release(other); break;
      case 18: layer.new_action(clip).value().play(); break;
      case 19: mixer.layer(1).set_mask(random.below(2) == 0 ? &upper : &lower); break;
    }
  }

  // Runs frames of random commands; returns a hash of every palette, event and root motion.
  std::uint64_t run(std::uint64_t seed, int frames) {
    test::Random random(seed);
    Hasher hash;
    for (int frame = 0; frame < frames; ++frame) {
      for (std::uint32_t n = random.below(3); n > 0; --n) command(random);
      mixer.update(random.below(20) == 0 ? random.range(-3, 3) : 1.0 / 60);
      local_to_model(mixer.pose(), model);
      palette(c.skin, model, matrices);
      hash.add(std::span<const float>(&matrices[0].m[0][0], matrices.size() * 12));
      for (const Event& e : mixer.events()) {
        hash.add(std::uint64_t{e.action.index} << 32 | e.action.generation);
        hash.add(std::uint64_t{e.mark} << 8 | static_cast<std::uint64_t>(e.kind));
        hash.add(e.count);
        hash.add(__builtin_bit_cast(std::uint64_t, e.offset_s));
        hash.add({&e.weight, 1});
      }
      hash.add({&mixer.root_motion().translation.x, 3});
      hash.add({&mixer.root_motion().rotation.x, 4});
      hash.add(mixer.dropped_events());
    }
    return hash.finish();
  }
};

std::vector<std::byte> saved(const test::PosedMixer& mixer) {
  std::vector<std::byte> block(mixer.snapshot_size());
  const Result<std::size_t> bytes = mixer.save(block);
  REQUIRE(bytes.ok());
  block.resize(*bytes);
  return block;
}

TEST_CASE("a thousand times saved, run, restored and run again: the same bits in every palette, the same events") {
  SnapshotStage stage;
  std::vector<std::byte> block(stage.mixer.snapshot_size());
  for (std::uint64_t seed = 1; seed <= test::rounds(std::uint64_t{1000}); ++seed) {
    CAPTURE(seed);
    stage.run(seed * 7919, static_cast<int>(seed % 5));  // to some other state
    REQUIRE(stage.mixer.save(block).ok());
    const std::uint64_t first = stage.run(seed, 120);
    const Result<void> restored = stage.mixer.restore(block);
    if (!restored) FAIL(restored.error().message);
    REQUIRE(stage.run(seed, 120) == first);
  }
}

TEST_CASE("saving changes nothing, and a state saved again after restoring is the same block") {
  SnapshotStage stage;
  stage.run(3, 200);
  const std::vector<std::byte> a = saved(stage.mixer);
  const std::uint64_t first = stage.run(9, 50);
  REQUIRE(stage.mixer.restore(a).ok());
  CHECK(saved(stage.mixer) == a);
  CHECK(stage.run(9, 50) == first);
}

TEST_CASE("an update of no time after restoring gives the pose back") {
  SnapshotStage stage;
  stage.run(5, 100);
  Pose before(stage.c.skeleton);
  stage.mixer.evaluate();
  before.copy_from(stage.mixer.pose());
  const std::vector<std::byte> block = saved(stage.mixer);
  stage.run(6, 100);
  REQUIRE(stage.mixer.restore(block).ok());
  CHECK(stage.mixer.events().empty());
  CHECK(stage.mixer.root_motion().translation.x == 0.0f);
  stage.mixer.update(0);
  CHECK(test::difference(stage.mixer.pose(), before) == "");
}

TEST_CASE("an end that was told of before saving is not told again after restoring") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Clip clip = dial.clip(1);
  const Mark mark = {1, "end"};
  REQUIRE(mixer.set_marks(Marks::create(clip, {&mark, 1}).value()));
  mixer.play(clip, {.loop = Loop::ping_pong});
  mixer.update(1);
  REQUIRE(mixer.events().size() == 2);
  const std::vector<std::byte> block = saved(mixer);
  for (int i = 0; i < 2; ++i) {
    mixer.update(0.5);
    CHECK(mixer.events().empty());
    REQUIRE(mixer.restore(block).ok());
  }
}

TEST_CASE("handles are good again as they were when saved") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Clip a = dial.clip(1), b = dial.clip(2);
  const Action kept = mixer.play(a), released = mixer.play(b);
  const std::vector<std::byte> block = saved(mixer);
  mixer.release(released);
  const Action later = mixer.play(dial.clip(3));
  CHECK(later.handle().index == released.handle().index);
  REQUIRE(mixer.restore(block).ok());
  CHECK(kept);
  CHECK(released);
  CHECK(released.playing());
  CHECK(released.clip().duration() == 2);
  CHECK(!later);
  CHECK(mixer.current() == released);
}

TEST_CASE("a state goes over to another mixer that was given the same clips, in any order") {
  const Dial dial;
  const Clip a = dial.clip(1), b = dial.clip(2);
  test::PosedMixer first(dial.skeleton), second(dial.skeleton);
  first.play(a);
  first.cross_fade_to(b, 0.5);
  first.update(0.25);
  (void)second.clip_action(b).value();
  (void)second.clip_action(a).value();
  REQUIRE(second.restore(saved(first)).ok());
  second.update(0);
  CHECK(test::difference(second.pose(), first.pose()) == "");
  first.update(0.125);
  second.update(0.125);
  CHECK(test::difference(second.pose(), first.pose()) == "");
}

// Puts the right checksum under a block that was changed.
void sign(std::vector<std::byte>& block) {
  const std::uint64_t sum = hash_bytes(std::span(block).first(block.size() - 8), 3);
  std::memcpy(block.data() + block.size() - 8, &sum, 8);
}

struct Refusals {
  SnapshotStage stage;
  std::vector<std::byte> good;
  Refusals() {
    stage.run(4, 150);
    good = saved(stage.mixer);
  }

  // Tries a block that must be refused; returns the message.
  std::string refused(std::span<const std::byte> block) {
    const std::vector<std::byte> before = saved(stage.mixer);
    const Result<void> result = stage.mixer.restore(block);
    CHECK(!result.ok());
    CHECK(saved(stage.mixer) == before);
    return result.ok() ? "" : result.error().message;
  }
};

TEST_CASE("a block that is cut off, changed or foreign is refused, and changes nothing") {
  Refusals r;
  for (std::size_t n = 0; n < r.good.size(); ++n) (void)r.refused(std::span(r.good).first(n));
  CHECK(r.refused({}) == "it is too short to be a snapshot");
  CHECK(r.refused(std::span(r.good).first(r.good.size() - 1)).starts_with("it is cut off: "));
  for (std::size_t i = 0; i < r.good.size(); ++i) {
    std::vector<std::byte> changed = r.good;
    changed[i] ^= std::byte{0x10};
    (void)r.refused(changed);
  }
  std::vector<std::byte> other = r.good;
  other[4] = std::byte{9};
  CHECK(r.refused(other) == "it is of version 9, this library reads 3");
  other = r.good;
  other[0] = std::byte{0};
  CHECK(r.refused(other) == "it is not a snapshot of a mixer");
  other = r.good;
  other.back() ^= std::byte{1};
  CHECK(r.refused(other) == "its checksum is wrong");

  const Dial dial;
  test::PosedMixer foreign(dial.skeleton);
  CHECK(r.refused(saved(foreign)) == "it is of another skeleton");
  test::PosedMixer large(r.stage.c.skeleton, {.max_actions = 200});
  for (int i = 0; i < 150; ++i) (void)large.new_action(r.stage.c.walk).value();
  CHECK(r.refused(saved(large)) == "it needs MixerOptions::max_actions 150 and layers 1; this mixer has 128 and 3");
  test::PosedMixer small(r.stage.c.skeleton, {.actions = 2});
  small.play(r.stage.c.gait("strange", 1.0, 0.2, 77));
  CHECK(r.refused(saved(small)) == "it has a clip that this mixer does not have");
  const JointMask mask = JointMask::from_branch(r.stage.c.skeleton, 5, 0);
  test::PosedMixer masked(r.stage.c.skeleton, {.actions = 2});
  masked.base().set_mask(&mask);
  CHECK(r.refused(saved(masked)) == "a layer has a mask that this mixer has not got");
  // More bytes than the block has do no harm: buffers are as large as they need to be at most.
  std::vector<std::byte> longer = r.good;
  longer.resize(longer.size() + 100);
  CHECK(r.stage.mixer.restore(longer).ok());
}

TEST_CASE("a block with a right checksum and wrong contents is refused or harmless") {
  Refusals r;
  test::Random random(11);
  int refused = 0, taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    CAPTURE(i);
    std::vector<std::byte> block = r.good;
    for (std::uint32_t n = 1 + random.below(3); n > 0; --n) {
      const std::size_t at = 12 + random.below(static_cast<std::uint32_t>(block.size() - 20));
      switch (random.below(3)) {
        case 0: block[at] = static_cast<std::byte>(random.bits()); break;
        case 1: block[at] = std::byte{0xff}; break;
        case 2: {
          const double values[] = {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -1, 1e300, 1e-320};
          const std::size_t place = std::min(at, block.size() - 16);
          std::memcpy(block.data() + place, &values[random.below(5)], 8);
          break;
        }
      }
    }
    sign(block);
    if (!r.stage.mixer.restore(block)) {
      ++refused;
      continue;
    }
    ++taken;
    for (const double dt : {0.0, 1.0 / 60, 1e9, -0.5}) r.stage.mixer.update(dt);
    for (const float x : r.stage.mixer.pose().floats()) REQUIRE(std::isfinite(x));
  }
  CHECK(refused > 5'000);
  CHECK(taken > 1'000);
}

TEST_CASE("a block in which actions follow each other in a circle is refused") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.clip(1)), b = mixer.play(dial.clip(2));
  a.sync_with(b);
  std::vector<std::byte> block = saved(mixer);
  // Whom an action follows comes last in it, and the last action last but for the checksum.
  for (const ActionHandle leader : {a.handle(), b.handle()}) {
    std::memcpy(block.data() + block.size() - 16, &leader, 8);
    sign(block);
    const Result<void> result = mixer.restore(block);
    REQUIRE(!result.ok());
    CHECK(result.error().message == "actions follow each other in a circle");
  }
}

TEST_CASE("a buffer that is too small is an error, and snapshot_size is enough for whatever plays") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton, {.actions = 5, .layers = 2});
  const std::size_t size = mixer.snapshot_size();
  std::vector<std::byte> block(size);
  CHECK(mixer.save(block).ok());
  const Layer layer = mixer.add_layer({}).value();
  for (int i = 0; i < 5; ++i) layer.new_action(dial.clip(1 + i)).value().play();
  CHECK(mixer.snapshot_size() == size);
  const Result<std::size_t> bytes = mixer.save(block);
  REQUIRE(bytes.ok());
  CHECK(*bytes == size);
  const Result<std::size_t> small = mixer.save(std::span(block).first(size - 1));
  REQUIRE(!small.ok());
  CHECK(small.error().code == ErrorCode::size_mismatch);
}

}  // namespace
}  // namespace marrow

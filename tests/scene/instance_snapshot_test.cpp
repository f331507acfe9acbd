// Saving and restoring an instance with all that drives it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

#include "fixtures/random.h"
#include "marrow/core/hash.h"
#include "scene/affine_difference.h"
#include "scene/character.h"
#include "scene/stages.h"

namespace marrow {
namespace {

using test::difference;
using test::LookAt;
using test::Pendulum;
using test::Spring;

struct SavedScene {
  static const Model& shared_model() {
    static const Model model = test::make_character();
    return model;
  }
  const Model& model = shared_model();
  Scene scene;
  Instance hero = scene.instantiate(model);
  LookAt look{*model.skeleton().joint("head"), {3, 2, 1}};
  Spring spring{*model.skeleton().joint("hand_R")};

  explicit SavedScene(bool mixer = true) {
    if (mixer) {
      hero.mixer().play(model.clips()[1]);
    } else {
      hero.set_animator(Pendulum::create(*model.skeleton().joint("spine_1")));
    }
    REQUIRE(hero.add_stage(look.stage()));
    REQUIRE(hero.add_stage(spring.stage()));
  }

  void frame(int i) {
    if (hero.has_mixer() && i % 40 == 10) {
      hero.mixer().cross_fade_to(model.clips()[static_cast<std::size_t>(i / 40 % 3)], 0.4);
    }
    if (i % 30 == 5)
      hero.set_override(hero.bone("chest"), {{}, from_axis_angle({0, 0, 1}, 0.01f * static_cast<float>(i)), {1, 1, 1}},
                        0.5f);
    if (i % 70 == 60) hero.clear_overrides();
    hero.update(i % 50 == 0 ? 0.1 : 1.0 / 60);
  }

  [[nodiscard]] std::vector<Affine> run(int from, int to) {
    std::vector<Affine> all;
    for (int i = from; i < to; ++i) {
      frame(i);
      all.insert(all.end(), hero.palettes().begin(), hero.palettes().end());
    }
    return all;
  }

  [[nodiscard]] std::vector<std::byte> save() const {
    std::vector<std::byte> block(hero.snapshot_size());
    const Result<std::size_t> bytes = hero.save(block);
    REQUIRE(bytes);
    block.resize(*bytes);
    return block;
  }
};

TEST_CASE("saved, played for 200 frames, restored and played again: the same bits, with stages and overrides") {
  for (const bool mixer : {true, false}) {
    CAPTURE(mixer);
    SavedScene s(mixer);
    (void)s.run(0, 37);
    const std::vector<std::byte> block = s.save();
    const std::vector<Affine> first = s.run(37, 237);
    REQUIRE(s.hero.restore(block));
    CHECK(difference(s.run(37, 237), first) == "");
    // Into another instance, which knows the clips but was never where this one is.
    SavedScene other(mixer);
    if (mixer) {
      for (const Clip& clip : s.model.clips()) other.hero.mixer().release(other.hero.mixer().clip_action(clip).value());
    }
    REQUIRE(other.hero.restore(block));
    CHECK(difference(other.run(37, 237), first) == "");
  }
}

TEST_CASE("time that waits for the stages is saved") {
  SavedScene s;
  s.hero.update(0.1);
  s.hero.advance(0.3);
  const std::vector<std::byte> block = s.save();
  s.hero.update(0);
  const std::vector<Affine> first(s.hero.palettes().begin(), s.hero.palettes().end());
  s.hero.update(0.7);
  REQUIRE(s.hero.restore(block));
  s.hero.update(0);
  CHECK(difference(s.hero.palettes(), first) == "");
}

TEST_CASE("a damaged block, and one of another instance, is an error and changes nothing") {
  SavedScene s;
  (void)s.run(0, 50);
  const std::vector<std::byte> good = s.save();
  const auto refused = [&](std::vector<std::byte> block) {
    const Result<void> restored = s.hero.restore(block);
    REQUIRE_FALSE(restored.ok());
    CHECK(s.save() == good);
    return restored.error().message;
  };
  for (std::size_t size = 0; size < good.size(); size += 3) {
    (void)refused(std::vector<std::byte>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::vector<std::byte> changed = good;
    changed[i] ^= std::byte{0x40};
    (void)refused(changed);
  }
  SavedScene pendulum(false);
  CHECK(refused(pendulum.save()) == "the snapshot has the state of another animator, or of another version of it");
  const StageId more = s.hero.add_stage(s.look.stage()).value();
  const std::vector<std::byte> with_more = s.save();
  CHECK(s.hero.restore(good).error().message == "the snapshot has other stages than the instance");
  s.hero.remove_stage(more);
  CHECK(s.hero.restore(with_more).error().message == "the snapshot has other stages than the instance");
  CHECK(s.hero.restore(good));
}

TEST_CASE("blocks with a right checksum and wrong contents are refused or harmless") {
  constexpr std::uint32_t kWords[] = {0, 1, 2, 7, 0x7f800000u, 0x7fc00000u, 0x7fffffffu, 0xffffffffu, 0x80000000u};
  for (const bool mixer : {true, false}) {
    CAPTURE(mixer);
    SavedScene s(mixer);
    (void)s.run(0, 50);
    s.hero.advance(0.1);  // so that time waits
    const std::vector<std::byte> good = s.save();
    test::Random random(3);
    int restored = 0, refused = 0;
    for (int round = 0; round < 4000; ++round) {
      std::vector<std::byte> block = good;
      if (random.below(8) == 0) block.resize(random.below(static_cast<std::uint32_t>(good.size() + 64)));
      if (block.size() < 16) block.resize(16);
      const auto checked = static_cast<std::uint32_t>(block.size() - 8);
      for (std::uint32_t k = 0; k <= random.below(3); ++k) {
        if (random.below(2) == 0) {
          block[random.below(checked)] = static_cast<std::byte>(random.below(256));
        } else {
          std::memcpy(&block[random.below(checked / 4) * std::size_t{4}], &kWords[random.below(std::size(kWords))], 4);
        }
      }
      // The size in the header, so that what lies behind it is looked at.
      const auto size = static_cast<std::uint32_t>(block.size());
      if (random.below(4) != 0) std::memcpy(&block[8], &size, sizeof size);
      const std::uint64_t checksum = hash_bytes(std::span(block).first(checked), 2);  // seed: the version
      std::memcpy(&block[checked], &checksum, sizeof checksum);
      if (!s.hero.restore(block)) {
        ++refused;
        continue;
      }
      ++restored;
      s.hero.update(0.1);
      for (const Affine& m : s.hero.model_from_joint()) REQUIRE(std::isfinite(m.m[0][0]));
      REQUIRE(s.hero.restore(good));
    }
    CHECK(restored > 50);
    CHECK(refused > 500);
  }
}

TEST_CASE("an instance whose animator cannot be saved is not saved without it") {
  AnimatorFunctions functions = Pendulum::kFunctions;
  SUBCASE("save") { functions.save = nullptr; }
  SUBCASE("restore") { functions.restore = nullptr; }
  SUBCASE("state_size") { functions.state_size = nullptr; }
  SavedScene s, other(false);
  const Animator pendulum = Pendulum::create(0);
  s.hero.set_animator({&functions, pendulum.self});
  std::vector<std::byte> block(s.hero.snapshot_size());
  CHECK(to_string(s.hero.save(block).error()) ==
        "animator: the animator \"pendulum\" lacks one of save, restore and state_size");
  CHECK(s.hero.restore(other.save()).error().code == ErrorCode::unsupported);
}

TEST_CASE("an instance restores clips of its model that it has never played, and more of them at once") {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model), other = scene.instantiate(model, {"", {}, {}, {.actions = 1}});
  for (int i = 0; i < 20; ++i) {
    (void)hero.mixer().new_action(model.clips()[static_cast<std::size_t>(i) % 3]).value().play().seek(0.01 * i);
  }
  hero.update(0.1);
  std::vector<std::byte> block(hero.snapshot_size());
  block.resize(hero.save(block).value());
  (void)other.mixer();
  REQUIRE(other.restore(block).ok());
  other.update(0);
  CHECK(std::equal(hero.palettes().begin(), hero.palettes().end(), other.palettes().begin(), other.palettes().end(),
                   [](const Affine& a, const Affine& b) { return std::memcmp(&a, &b, sizeof a) == 0; }));
  std::vector<std::byte> again(other.snapshot_size());
  again.resize(other.save(again).value());
  CHECK(again == block);
}

TEST_CASE("a buffer that is too small is an error with both sizes") {
  SavedScene s;
  std::vector<std::byte> block(s.save().size() - 1);
  const Result<std::size_t> saved = s.hero.save(block);
  REQUIRE_FALSE(saved.ok());
  CHECK(saved.error().code == ErrorCode::size_mismatch);
}

}  // namespace
}  // namespace marrow

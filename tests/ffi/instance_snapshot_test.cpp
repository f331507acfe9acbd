// Snapshots of instances through C: rollbacks with a stage and overrides, the blocks of C++, and blocks that do not
// fit.
#include <doctest/doctest.h>

#include <cstring>

#include "ffi/sway.h"
#include "marrow/gltf/reader.h"
#include "marrow/scene/scene.h"

namespace marrow {
namespace {

using namespace test;

// The character in C with a stage, an override and crossfades.
struct Played {
  Life life;
  Sway own = sway(0);
  std::uint32_t stage = add_sway(life.hero, own);

  std::vector<float> run(int from, int to) const {
    marrow_node chest = 0;
    MARROW_REQUIRE_OK(marrow_instance_find_bone(life.hero, "chest", &chest));
    std::vector<float> out;
    for (int i = from; i < to; ++i) {
      const char* const names[] = {"walk", "run", "idle"};
      if (i % 40 == 10) {
        MARROW_REQUIRE_OK(marrow_mixer_cross_fade_to(life.mixer, 0, clip(names[i / 40 % 3]), 0.4, nullptr, nullptr));
      }
      const marrow_transform turn = {{0, 0, 0}, {0, 0, 0.01f * static_cast<float>(i), 1}, {1, 1, 1}};
      if (i % 30 == 5) MARROW_REQUIRE_OK(marrow_instance_set_override(life.hero, chest, &turn, 0.5f));
      if (i % 70 == 60) MARROW_REQUIRE_OK(marrow_instance_clear_overrides(life.hero));
      MARROW_REQUIRE_OK(marrow_instance_update(life.hero, i % 50 == 0 ? 0.1 : 1.0 / 60));
      const std::vector<float> frame = results(life.hero);
      out.insert(out.end(), frame.begin(), frame.end());
    }
    return out;
  }
  [[nodiscard]] std::vector<std::byte> save() const { return saved_instance(life.hero); }
  [[nodiscard]] marrow_status restore(const std::vector<std::byte>& block) const {
    return marrow_instance_restore(life.hero, block.data(), block.size());
  }
};

TEST_CASE("an instance saved, played for 200 frames, restored and played again has the same bits") {
  Played played;
  (void)played.run(0, 37);
  const std::vector<std::byte> block = played.save();
  const std::vector<float> first = played.run(37, 237);
  MARROW_REQUIRE_OK(played.restore(block));
  CHECK(played.save() == block);
  CHECK(same(played.run(37, 237), first));
  // Into another instance, which knows the clips but was never where this one is.
  Played other;
  for (const char* name : {"walk", "run", "idle"}) {
    marrow_action action = 0;
    MARROW_REQUIRE_OK(marrow_mixer_clip_action(other.life.mixer, 0, clip(name), &action));
    MARROW_REQUIRE_OK(marrow_action_release(action));
  }
  MARROW_REQUIRE_OK(other.restore(block));
  CHECK(same(other.run(37, 237), first));
}

TEST_CASE("a block through C is that of C++, and the name of a stage is copied") {
  Life life;
  Sway own = sway(0);
  char name[] = "sway";
  const marrow_pose_stage stage = {sizeof stage, 3, kSwayBytes, name, sway_in_c, &own};
  std::uint32_t number = 0;
  MARROW_REQUIRE_OK(marrow_instance_add_stage(life.hero, &stage, &number));
  std::memset(name, 'x', 4);
  const Model model = load_model(asset("character.glb"))->model;
  Scene scene;
  const Instance hero = scene.instantiate(model);
  hero.mixer().play(model.clips()[clip("walk")]);
  REQUIRE(hero.add_stage({"sway", 3, kSwayBytes, sway_in_cpp, &own}));
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, clip("walk"), nullptr, nullptr));
  for (int i = 0; i < 5; ++i) {
    hero.update(0.1);
    MARROW_REQUIRE_OK(marrow_instance_update(life.hero, 0.1));
  }
  std::vector<std::byte> block(hero.snapshot_size());
  block.resize(hero.save(block).value());
  CHECK(saved_instance(life.hero) == block);
  std::uint64_t size = 0;
  MARROW_REQUIRE_OK(marrow_instance_snapshot_size(life.hero, &size));
  CHECK(size == hero.snapshot_size());
}

TEST_CASE("a block that is cut off at any length or damaged is rejected, and changes nothing") {
  Played played;
  (void)played.run(0, 50);
  const std::vector<std::byte> good = played.save();
  for (std::size_t size = 0; size < good.size(); ++size) {
    CAPTURE(size);
    // Of exactly that size, so that a sanitizer sees what is read beyond.
    const std::vector<std::byte> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    const std::byte none{};
    CHECK(marrow_instance_restore(played.life.hero, size == 0 ? &none : cut.data(), size) ==
          MARROW_ERROR_INVALID_ARGUMENT);
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::vector<std::byte> changed = good;
    changed[i] ^= std::byte{0x40};
    CAPTURE(i);
    CHECK(played.restore(changed) != MARROW_OK);
  }
  CHECK(played.save() == good);
  MARROW_REQUIRE_OK(played.restore(good));
}

TEST_CASE("a block of an instance with other stages is rejected, and changes nothing") {
  Played played;
  const marrow_instance hero = played.life.hero;
  (void)played.run(0, 50);
  const std::vector<std::byte> good = played.save();
  const auto check_rejected = [&](const std::vector<std::byte>& block) {
    const std::vector<std::byte> before = played.save();
    CHECK(played.restore(block) == MARROW_ERROR_INVALID_ARGUMENT);
    CHECK(std::string(marrow_last_error()->message) == "the snapshot has other stages than the instance");
    CHECK(played.save() == before);
  };
  MARROW_REQUIRE_OK(marrow_instance_remove_stage(hero, played.stage));
  check_rejected(good);
  const marrow_pose_stage others[] = {{sizeof(marrow_pose_stage), 3, kSwayBytes, "swey", sway_in_c, &played.own},
                                      {sizeof(marrow_pose_stage), 4, kSwayBytes, "sway", sway_in_c, &played.own},
                                      {sizeof(marrow_pose_stage), 3, 32, "sway", sway_in_c, &played.own}};
  for (const marrow_pose_stage& other : others) {
    std::uint32_t number = 0;
    MARROW_REQUIRE_OK(marrow_instance_add_stage(hero, &other, &number));
    check_rejected(good);
    MARROW_REQUIRE_OK(marrow_instance_remove_stage(hero, number));
  }
  (void)add_sway(hero, played.own);
  MARROW_REQUIRE_OK(played.restore(good));
  const std::uint32_t second = add_sway(hero, played.own);
  check_rejected(good);
  const std::vector<std::byte> with_two = played.save();
  MARROW_REQUIRE_OK(marrow_instance_remove_stage(hero, second));
  check_rejected(with_two);
}

TEST_CASE("a buffer that is too short for an instance is reported with the size, and nothing is written") {
  Played played;
  (void)played.run(0, 12);
  const std::size_t needed = played.save().size();
  std::uint64_t size = 0;
  MARROW_REQUIRE_OK(marrow_instance_snapshot_size(played.life.hero, &size));
  REQUIRE(size >= needed);
  for (std::size_t capacity = 0; capacity < needed; ++capacity) {
    std::vector<unsigned char> buffer(capacity + 1, 0xab);
    std::uint64_t count = 0;
    CAPTURE(capacity);
    CHECK(marrow_instance_save(played.life.hero, buffer.data(), capacity, &count) == MARROW_ERROR_SHORT_BUFFER);
    CHECK(count == size);
    CHECK(buffer == std::vector<unsigned char>(capacity + 1, 0xab));
  }
}

}  // namespace
}  // namespace marrow

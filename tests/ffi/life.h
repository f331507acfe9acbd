// What the tests of the C ABI live with: the character, in a scene.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "marrow/marrow.h"

// Fails the test with what the library has to say, unless a call succeeds.
#define MARROW_REQUIRE_OK(call) REQUIRE_MESSAGE((call) == MARROW_OK, std::string(marrow_last_error()->message))

namespace marrow::test {

inline constexpr std::uint32_t kJoints = 66;  // of the character

inline std::string asset(const char* name) { return std::string(MARROW_ASSETS "/") + name; }

inline marrow_model load(const char* name) {
  marrow_model model = 0;
  MARROW_REQUIRE_OK(marrow_model_load(asset(name).c_str(), nullptr, &model));
  return model;
}

// The models, loaded once: they never change.
inline marrow_model character() {
  static const marrow_model model = load("character.glb");
  return model;
}
inline marrow_model sword() {
  static const marrow_model model = load("sword.glb");
  return model;
}

inline std::uint32_t clip(const char* name) {
  std::uint32_t clip = 0;
  MARROW_REQUIRE_OK(marrow_model_find_clip(character(), name, &clip));
  return clip;
}

inline std::uint32_t joint_of(const char* name) {
  std::uint32_t joint = 0;
  MARROW_REQUIRE_OK(marrow_model_find_joint(character(), name, &joint));
  return joint;
}

// The first joint with morph targets; and how many it has.
inline std::uint32_t face_joint(std::uint32_t* morphs = nullptr) {
  std::uint32_t joint = 0, count = 0;
  while (true) {
    MARROW_REQUIRE_OK(marrow_model_joint_morphs(character(), joint, nullptr, &count));
    if (count > 0) break;
    ++joint;
  }
  if (morphs != nullptr) *morphs = count;
  return joint;
}

// A scene with the character in it.
struct Life {
  marrow_scene scene = 0;
  marrow_instance hero = 0;
  marrow_mixer mixer = 0;

  explicit Life(const marrow_instance_options* options = nullptr) {
    MARROW_REQUIRE_OK(marrow_scene_create(&scene));
    MARROW_REQUIRE_OK(marrow_instance_create(scene, character(), options, &hero));
    MARROW_REQUIRE_OK(marrow_instance_mixer(hero, &mixer));
  }
  ~Life() { marrow_scene_destroy(scene); }
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;
};

// All elements of what a function copies out.
template <typename T, typename Copy>
std::vector<T> all(const Copy& copy) {
  std::uint64_t count = 0;
  MARROW_REQUIRE_OK(copy(static_cast<T*>(nullptr), std::uint64_t{0}, &count));
  std::vector<T> out(count);
  MARROW_REQUIRE_OK(copy(out.data(), count, &count));
  REQUIRE(count == out.size());
  return out;
}

inline std::vector<marrow_affine> palette(marrow_instance instance, std::uint32_t skin = 0) {
  return all<marrow_affine>([&](marrow_affine* out, std::uint64_t capacity, std::uint64_t* count) {
    return marrow_instance_palette(instance, skin, out, capacity, count);
  });
}

// The block that marrow_mixer_save or marrow_instance_save writes.
template <typename Save>
std::vector<std::byte> saved_by(const Save& save, std::uint64_t handle) {
  std::uint64_t size = 0;
  MARROW_REQUIRE_OK(save(handle, nullptr, 0, &size));
  std::vector<std::byte> block(size);
  MARROW_REQUIRE_OK(save(handle, block.data(), size, &size));
  block.resize(size);
  return block;
}
inline std::vector<std::byte> saved(marrow_mixer mixer) { return saved_by(marrow_mixer_save, mixer); }
inline std::vector<std::byte> saved_instance(marrow_instance instance) {
  return saved_by(marrow_instance_save, instance);
}

inline std::uint32_t stage_count(marrow_instance instance) {
  std::uint32_t count = 0;
  MARROW_REQUIRE_OK(marrow_instance_stage_count(instance, &count));
  return count;
}

template <typename Copy>
std::string text(const Copy& copy) {
  const std::vector<char> chars = all<char>(copy);
  REQUIRE(!chars.empty());
  REQUIRE(chars.back() == 0);
  return {chars.data()};
}

}  // namespace marrow::test

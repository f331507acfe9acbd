// The work whose results must have the same bits everywhere: step, linear, cubic, constant, sparse, dense and mixed
// clips with morph weights, played forward, backward and beyond their ends, to finished palettes; blended in layers;
// played, faded, looped and saved by a mixer; taken through every tool for clips; and what skins, bounds and scenes
// make of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/anim/skeleton.h"
#include "marrow/anim/skin.h"
#include "marrow/core/hash.h"

namespace marrow::golden {

// The hash of all parts together, in the order of computation, and with the slot numbers of the events' actions.
inline constexpr std::uint64_t kExpectedWhole = 0x1c193439af4dfe85u;

// The hasher of one part. It passes every value on to the hasher of the whole.
class Tee {
 public:
  explicit Tee(Hasher& whole) : whole_(whole) {}

  void add(std::span<const std::byte> bytes) { add_to_both(bytes); }
  void add(std::span<const float> values) { add_to_both(values); }
  void add(std::uint64_t value) { add_to_both(value); }
  void add(double) = delete;
  void add(std::uint64_t value, std::uint64_t value_of_whole) {
    part_.add(value);
    whole_.add(value_of_whole);
  }
  [[nodiscard]] std::uint64_t finish() const { return part_.finish(); }

 private:
  void add_to_both(auto value) {
    part_.add(value);
    whole_.add(value);
  }

  Hasher part_;
  Hasher& whole_;
};

// One hasher per part, so that a change of results shows in its own part only.
struct Hashers {
  Hasher whole;
  Tee poses{whole};        // skeletons, clips, sampling, local to model, palettes, blends, the mixer's poses
  Tee events{whole};       // the mixer's events, without the slot numbers of their actions
  Tee root_motion{whole};  // the mixer's root motion
  Tee snapshots{whole};    // the mixer's snapshots
  Tee clip_tools{whole};   // the results of every tool for clips
  Tee scene{whole};        // hash_scene
};

struct Part {
  const char* name;
  Tee Hashers::*hasher;
  std::uint64_t expected;
};

// The parts and their expected hashes. An intended change of results updates them, and CHANGELOG.md reports it.
inline constexpr Part kParts[] = {
    {"poses", &Hashers::poses, 0x3a3ad3ae531f1821u},
    {"events", &Hashers::events, 0x79c09adb3584f6e5u},
    {"root_motion", &Hashers::root_motion, 0x61ea40537bbb23e6u},
    {"snapshots", &Hashers::snapshots, 0x4dadc3c6d5fa2245u},
    {"clip_tools", &Hashers::clip_tools, 0x712b0327cfc2e9dau},
    {"scene", &Hashers::scene, 0x65a9e00cd2db0687u},
};

struct Scene {
  Skeleton skeleton;
  Skin skin;
  std::vector<Clip> clips;
};

// Makes the inputs. Compiled with exact arithmetic, unlike what plays them: a consumer's flags must change nothing.
[[nodiscard]] Scene make_scene();

// Adds skinned vertices, bounds, packed vertices, and the results of a scene (scene_frames.cpp).
void hash_scene(const Scene& scene, Tee& hasher);

// Adds 600 frames of sampling, local to model and palettes of every clip, 600 blended frames, 1,200 frames of a mixer,
// the results of the clip tools (frames.cpp), and hash_scene.
void hash_frames(const Scene& scene, Hashers& hashers);

}  // namespace marrow::golden

// The work whose results must have the same bits everywhere: step, linear, cubic, constant, sparse, dense and mixed
// clips with morph weights, played forward, backward and beyond their ends, to finished palettes; blended in layers;
// played, faded, looped and saved by a mixer; taken through every tool for clips; and what skins, bounds and scenes
// make of them.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/anim/skeleton.h"
#include "marrow/anim/skin.h"
#include "marrow/core/hash.h"

namespace marrow::golden {

// What the frames must hash to. When the library's results change on purpose, this changes with them, and CHANGELOG.md
// says so.
inline constexpr std::uint64_t kExpected = 0x1c193439af4dfe85u;

struct Scene {
  Skeleton skeleton;
  Skin skin;
  std::vector<Clip> clips;
};

// Makes the inputs. Compiled with exact arithmetic, unlike what plays them: a consumer's flags must change nothing.
[[nodiscard]] Scene make_scene();

// Adds what is above the mixer: skinned vertices, bounds, packed vertices, and a scene (scene_frames.cpp).
void hash_scene(const Scene& scene, Hasher& hasher);

// Returns the hash of 600 frames of sampling, local to model and palettes of every clip, of 600 blended ones, of
// 1,200 of a mixer with its events and snapshots, of what the tools make of the clips (frames.cpp), and of hash_scene.
[[nodiscard]] std::uint64_t hash_frames(const Scene& scene);

}  // namespace marrow::golden

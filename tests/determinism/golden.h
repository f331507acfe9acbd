// The work whose results must have the same bits everywhere: step, linear, cubic, constant, sparse, dense and mixed
// clips with morph weights, played forward, backward and beyond their ends, to finished palettes; blended in layers;
// played, faded, looped and saved by a mixer, and played without one; taken through every tool for clips; and the
// results of skins, bounds and scenes.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/anim/skeleton.h"
#include "marrow/anim/skin.h"
#include "marrow/core/hash.h"

namespace marrow::golden {

// One hasher per part, so that a change of results shows in its own part only.
struct Hashers {
  Hasher poses;        // skeletons, clips, sampling, local to model, palettes, blends, the mixer's poses
  Hasher events;       // the mixer's events, without the slot numbers of their actions
  Hasher root_motion;  // the mixer's root motion
  Hasher snapshots;    // the mixer's snapshots
  Hasher clip_tools;   // the results of every tool for clips
  Hasher scene;        // hash_scene
  Hasher play;         // hash_play
};

struct Part {
  const char* name;
  Hasher Hashers::*hasher;
  std::uint64_t expected;
};

// The parts and their expected hashes. An intended change of results updates them, and CHANGELOG.md reports it.
inline constexpr Part kParts[] = {
    {"poses", &Hashers::poses, 0x3a3ad3ae531f1821u},
    {"events", &Hashers::events, 0x79c09adb3584f6e5u},
    {"root_motion", &Hashers::root_motion, 0x61ea40537bbb23e6u},
    {"snapshots", &Hashers::snapshots, 0x70f5c8799bb0ad48u},
    {"clip_tools", &Hashers::clip_tools, 0x712b0327cfc2e9dau},
    {"scene", &Hashers::scene, 0x65a9e00cd2db0687u},
    {"play", &Hashers::play, 0xe796ff03d9766391u},
};

struct Scene {
  Skeleton skeleton;
  Skin skin;
  std::vector<Clip> clips;
};

// Makes the inputs. Compiled with exact arithmetic, unlike what plays them: a consumer's flags must change nothing.
[[nodiscard]] Scene make_scene();

// Adds skinned vertices, bounds, packed vertices, and the results of a scene (scene_frames.cpp).
void hash_scene(const Scene& scene, Hasher& hasher);

// Adds 1,800 steps of playheads and ramps, their events and root motion (play_frames.cpp).
void hash_play(const Scene& scene, Hasher& hasher);

// Hashes 600 frames of sampling, local to model and palettes of every clip, 600 blended frames, 1,200 frames of a
// mixer, the results of the clip tools (frames.cpp), hash_scene and hash_play.
[[nodiscard]] Hashers hash_frames(const Scene& scene);

}  // namespace marrow::golden

#include <cstdlib>
#include <span>

#include "golden.h"
#include "marrow/anim/blend.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/clip/clip_tools.h"
#include "marrow/clip/key_reduction.h"
#include "marrow/clip/loop_seam.h"
#include "marrow/clip/mirror.h"
#include "marrow/core/hash.h"
#include "marrow/mixer/player.h"

namespace marrow::golden {
namespace {

// What must be done for the hash to mean anything.
void must(bool done) {
  if (!done) std::abort();
}

// 600 frames of all clips in three layers: a mean of three, one behind a feathered mask, and one added.
void hash_blends(const Scene& scene, Hasher& hasher) {
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < scene.clips.size(); ++i) poses.emplace_back(scene.skeleton);
  Pose out(scene.skeleton);
  std::vector<Affine> model(scene.skeleton.joint_count());
  const JointMask arm = JointMask::from_branch(scene.skeleton, *scene.skeleton.joint("clavicle_R"), 2);
  for (int frame = 0; frame < 600; ++frame) {
    for (std::size_t i = 0; i < poses.size(); ++i) sample(scene.clips[i], frame / 256.0, poses[i]);
    const auto input = [&](int i, float weight, float fade) {
      return BlendInput(poses[static_cast<std::size_t>(i) % poses.size()], weight, fade);
    };
    // Powers of two again; now and then a weight, a fade or a layer is 0 or 1.
    const float part = static_cast<float>(frame % 33) / 32.0f;
    const BlendInput base[] = {input(frame, 1.0f, 1.0f - part), input(frame + 1, 0.5f, part),
                               input(frame / 2, part, 1)};
    const BlendInput masked[] = {input(frame + 3, 1.0f, 1.0f), input(frame + 4, 0.25f, part)};
    const BlendInput added[] = {input(frame + 5, part, 0.5f), input(frame + 6, 0.125f, 1.0f)};
    const BlendLayer layers[] = {{base},
                                 {masked, LayerMode::replace, 1.0f - part, &arm},
                                 {added, LayerMode::add, part, frame % 2 == 0 ? &arm : nullptr}};
    blend(layers, out);
    local_to_model(out, model);
    hasher.add(out.floats());
    hasher.add({&model[0].m[0][0], model.size() * 12});
  }
}

// 1,200 frames of a mixer that is given a command of every kind in turn: poses, events, root motion, and the state.
void hash_mixer(const Scene& scene, Hashers& hashers) {
  const JointMask arm = JointMask::from_branch(scene.skeleton, *scene.skeleton.joint("clavicle_R"), 2);
  Player player(scene.skeleton);
  Mixer& mixer = player.mixer();
  const Layer above = mixer.add_layer({LayerMode::replace, 1, &arm, Fill::fade}).value();
  const Layer added = mixer.add_layer({LayerMode::add, 0.25f, nullptr, Fill::fade}).value();
  RootMotionOptions root;
  root.vertical = false;
  must(mixer.set_root_motion(root).ok());
  const Mark marks[] = {{0.0, "start"}, {0.125, "left"}, {0.625, "right"}};
  for (std::size_t i = 0; i < 4; ++i) must(mixer.set_marks(*Marks::create(scene.clips[i], marks)).ok());
  std::vector<std::byte> block(mixer.snapshot_size());
  for (int frame = 0; frame < 1200; ++frame) {
    const auto clip = [&](int i) -> const Clip& {
      return scene.clips[static_cast<std::size_t>(i) % scene.clips.size()];
    };
    // Times and speeds in few bits again: what the mixer is given does not depend on flags.
    const double seconds = (1 + frame % 7) / 8.0;
    FadeOptions options;
    options.easing = static_cast<Easing>(frame % 4);
    options.warp = frame % 3 == 0;
    if (frame % 24 == 0) mixer.cross_fade_to(clip(frame / 24), seconds, options);
    if (frame % 40 == 0) above.cross_fade_to(clip(frame / 40 + 1), seconds);
    if (frame % 64 == 0) added.play(clip(frame / 64 + 3)).fade_out(seconds);
    if (frame % 56 == 0) mixer.clip_action(clip(frame / 56)).value().set_loop(static_cast<Loop>(frame / 56 % 3), 2);
    if (frame % 72 == 0 && mixer.current()) mixer.current().set_speed((frame % 11 - 4) / 4.0).set_weight(0.75f);
    if (frame % 100 == 0) above.clip_action(clip(1)).value().sync_with(mixer.clip_action(clip(0)).value());
    if (frame % 128 == 0) above.fade_to(static_cast<float>(frame / 128 % 3) / 2.0f, seconds);
    if (frame % 150 == 0) mixer.set_time_scale((3 + frame / 150 % 4) / 4.0);
    for (const Action action : mixer.actions()) {
      if (mixer.actions().size() > 12 && !action.active()) mixer.release(action);
    }
    player.update(frame % 90 == 89 ? 13.25 : frame % 91 == 90 ? -0.75 : 1.0 / 64);
    hashers.poses.add(player.pose().floats());
    hashers.root_motion.add({&mixer.root_motion().translation.x, 3});
    hashers.root_motion.add({&mixer.root_motion().rotation.x, 4});
    for (const Event& event : mixer.events()) {
      hashers.events.add(static_cast<std::uint64_t>(event.kind));
      hashers.events.add(event.count << 8 | event.mark);
      hashers.events.add(std::as_bytes(std::span(&event.offset_s, 1)));
      hashers.events.add({&event.weight, 1});
    }
    if (frame % 50 == 0) {
      const Result<std::size_t> bytes = mixer.save(block);
      must(bytes.ok() && mixer.restore(block).ok());
      hashers.snapshots.add(std::span<const std::byte>(block).first(*bytes));
    }
  }
}

// What every tool makes of a quarter of a second of every clip.
void hash_tools(const Scene& scene, Hasher& hasher) {
  const Skeleton& skeleton = scene.skeleton;
  const JointMask arm = JointMask::from_branch(skeleton, *skeleton.joint("clavicle_R"));
  for (const Clip& clip : scene.clips) {
    const Clip part = *trim(skeleton, clip, 0.125, 0.375), back = *reverse_clip(skeleton, part);
    hasher.add(part.hash());
    hasher.add(back.hash());
    hasher.add(concatenate(skeleton, part, clip)->hash());
    hasher.add(resample(skeleton, part, 48)->hash());
    hasher.add(to_additive(skeleton, part, 0.0625)->hash());
    hasher.add(keep_joints(skeleton, part, arm)->hash());
    hasher.add(mirror(skeleton, part)->clip.hash());
    const ReducedClip reduced = *reduce_keys(skeleton, *keep_joints(skeleton, part, arm));
    hasher.add(reduced.clip.hash());
    hasher.add(std::as_bytes(std::span(&reduced.error.distance, 1)));
  }
  SeamOptions options;
  options.to_s = 0.5;
  const LoopSeam seam = *find_loop_seam(skeleton, scene.clips[0], options);
  for (const double* number : {&seam.from_s, &seam.to_s, &seam.jump, &seam.kink}) {
    hasher.add(std::as_bytes(std::span(number, 1)));
  }
}

}  // namespace

Hashers hash_frames(const Scene& scene) {
  Hashers hashers;
  Pose pose(scene.skeleton);
  std::vector<Affine> model(scene.skeleton.joint_count()), matrices(scene.skin.size());
  hashers.poses.add(scene.skeleton.hash());
  for (const Clip& clip : scene.clips) {
    hashers.poses.add(clip.hash());
    Cursor cursor(clip);
    // Steps of a power of two, so that the times are exact under any flags and any rounding: forward past the end, then
    // backward past the start.
    const double step = clip.duration() > 10 ? 1.0 : 1.0 / 256;
    for (int frame = 0; frame < 600; ++frame) {
      const double time = (frame < 400 ? frame : 3 * (590 - frame)) * step;
      sample(clip, time, cursor, pose);
      local_to_model(pose, model);
      palette(scene.skin, model, matrices);
      hashers.poses.add(pose.floats());
      hashers.poses.add({&model[0].m[0][0], model.size() * 12});
      hashers.poses.add({&matrices[0].m[0][0], matrices.size() * 12});
    }
  }
  hash_blends(scene, hashers.poses);
  hash_mixer(scene, hashers);
  hash_tools(scene, hashers.clip_tools);
  hash_scene(scene, hashers.scene);
  hash_play(scene, hashers.play);
  return hashers;
}

}  // namespace marrow::golden

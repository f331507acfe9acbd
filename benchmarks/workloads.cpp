#include "workloads.h"

#include <memory>

#include "humanoid.h"
#include "marrow/anim/blend.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/mixer/mixer.h"

namespace marrow::bench {
namespace {

constexpr double kFrame = 1.0 / 60.0;

struct Scene {
  Skeleton skeleton = humanoid::make_skeleton();
  Skin skin = humanoid::make_skin(skeleton);
  Clip walk = humanoid::make_clip(skeleton, {"walk", 40.0 / 30.0, 0.5});
  Clip jog = humanoid::make_clip(skeleton, {"jog", 24.0 / 30.0, 0.8, humanoid::Keys::dense, Interpolation::linear, 2});
  Clip sparse = humanoid::make_clip(skeleton, {"sparse", 40.0 / 30.0, 0.5, humanoid::Keys::own});
  Clip run = humanoid::make_clip(skeleton, {"run", 20.0 / 30.0, 1.0, humanoid::Keys::dense, Interpolation::linear, 3});
  Pose pose{skeleton}, second{skeleton}, third{skeleton}, blended{skeleton};
  std::vector<Affine> model{skeleton.joint_count()};
  std::vector<Affine> palette{skin.size()};
  std::vector<double> random_times;

  Scene() {
    std::uint32_t state = 1234;
    for (int i = 0; i < 4096; ++i) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      random_times.push_back(static_cast<double>(state >> 8) / 16777216.0 * walk.duration());
    }
    sample(walk, 0.4, pose);
    sample(jog, 0.3, second);
    sample(run, 0.2, third);
    local_to_model(pose, model);
  }
};

// Plays a clip forward, round and round.
struct Player {
  double time = 0;
  double next(double duration) {
    time += kFrame;
    if (time >= duration) time -= duration;
    return time;
  }
};

Workload playing(const char* name, const std::shared_ptr<Scene>& scene, const Clip& clip) {
  auto player = std::make_shared<Player>();
  auto cursor = std::make_shared<Cursor>(clip);
  return {name, scene->skeleton.joint_count(), 1, [scene, clip, player, cursor](std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) {
              sample(clip, player->next(clip.duration()), *cursor, scene->pose);
              consume(scene->pose.floats().data());
            }
          }};
}

// One character through its mixer to a finished palette. `prepare` starts what it plays; what is halfway through a
// fade stays there, since the fade takes years.
Workload character(const char* name, const std::shared_ptr<Scene>& scene, void (*prepare)(Mixer&, const Scene&)) {
  auto mixer = std::make_shared<Mixer>(scene->skeleton);
  prepare(*mixer, *scene);
  return {name, scene->skeleton.joint_count(), 1, [scene, mixer](std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) {
              mixer->update(kFrame);
              local_to_model(mixer->pose(), scene->model);
              palette(scene->skin, scene->model, scene->palette);
              consume(scene->palette.data());
            }
          }};
}

void start_walk(Mixer& mixer, const Scene& scene) { mixer.play(scene.walk); }

void start_crossfade(Mixer& mixer, const Scene& scene) {
  constexpr double kYears = 1e9;
  mixer.play(scene.walk);
  mixer.cross_fade_to(scene.jog, kYears);
  mixer.advance(kYears / 2);
}

// Save and restore of a mixer with four actions that play.
Workload snapshot(const std::shared_ptr<Scene>& scene) {
  auto mixer = std::make_shared<Mixer>(scene->skeleton);
  for (const Clip* clip : {&scene->walk, &scene->jog, &scene->run, &scene->sparse}) mixer->play(*clip);
  mixer->update(kFrame);
  std::vector<std::byte> block(mixer->snapshot_size());
  return {"snapshot", scene->skeleton.joint_count(), 1, [mixer, block](std::uint32_t count) mutable {
            for (std::uint32_t i = 0; i < count; ++i) {
              if (!mixer->save(block) || !mixer->restore(block)) return;
              consume(block.data());
            }
          }};
}

}  // namespace

std::vector<Workload> make_workloads() {
  const auto scene = std::make_shared<Scene>();
  const std::uint32_t joints = scene->skeleton.joint_count();
  std::vector<Workload> all;
  all.push_back(playing("sample", scene, scene->walk));
  all.push_back(playing("sample_sparse", scene, scene->sparse));
  all.push_back({"seek", joints, 1, [scene, next = 0u](std::uint32_t count) mutable {
                   for (std::uint32_t i = 0; i < count; ++i) {
                     sample(scene->walk, scene->random_times[next++ % 4096], scene->pose);
                     consume(scene->pose.floats().data());
                   }
                 }});
  all.push_back({"blend2", joints, 1, [scene](std::uint32_t count) {
                   const BlendInput inputs[] = {{scene->pose, 0.5f}, {scene->second, 0.5f}};
                   for (std::uint32_t i = 0; i < count; ++i) {
                     blend(inputs, scene->blended);
                     consume(scene->blended.floats().data());
                   }
                 }});
  all.push_back({"blend3", joints, 1, [scene](std::uint32_t count) {
                   const BlendInput inputs[] = {{scene->pose, 0.3f}, {scene->second, 0.4f}, {scene->third, 0.3f}};
                   for (std::uint32_t i = 0; i < count; ++i) {
                     blend(inputs, scene->blended);
                     consume(scene->blended.floats().data());
                   }
                 }});
  all.push_back({"model", joints, 1, [scene](std::uint32_t count) {
                   for (std::uint32_t i = 0; i < count; ++i) {
                     local_to_model(scene->pose, scene->model);
                     consume(scene->model.data());
                   }
                 }});
  all.push_back({"palette", joints, 1, [scene](std::uint32_t count) {
                   for (std::uint32_t i = 0; i < count; ++i) {
                     palette(scene->skin, scene->model, scene->palette);
                     consume(scene->palette.data());
                   }
                 }});
  all.push_back(character("character", scene, start_walk));
  all.push_back(character("crossfade", scene, start_crossfade));
  all.push_back(snapshot(scene));
  return all;
}

}  // namespace marrow::bench

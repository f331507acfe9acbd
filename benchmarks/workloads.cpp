#include "workloads.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "humanoid.h"
#include "large_file.h"
#include "marrow/anim/blend.h"
#include "marrow/anim/clip_tools.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/key_reduction.h"
#include "marrow/anim/sampling.h"
#include "marrow/mixer/mixer.h"

namespace marrow::bench {
namespace {

constexpr double kFrame = 1.0 / 60.0;

struct Scene : Subject {
  Pose pose, second, third;  // stay as they are, so that what is measured does not depend on what was before
  Pose written;
  std::vector<Affine> model;
  std::vector<std::vector<Affine>> palettes;
  std::vector<double> random_times;

  explicit Scene(Subject subject)
      : Subject(std::move(subject)),
        pose(skeleton),
        second(skeleton),
        third(skeleton),
        written(skeleton),
        model(skeleton.joint_count()) {
    for (const Skin& skin : skins) palettes.emplace_back(skin.size());
    if (!clips.empty()) {
      std::uint32_t state = 1234;
      for (int i = 0; i < 4096; ++i) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        random_times.push_back(static_cast<double>(state >> 8) / 16777216.0 * clip(0).duration());
      }
      sample(clip(0), 0.3 * clip(0).duration(), pose);
      sample(clip(1), 0.4 * clip(1).duration(), second);
      sample(clip(2), 0.5 * clip(2).duration(), third);
    }
    local_to_model(pose, model);
  }

  [[nodiscard]] const Clip& clip(std::size_t index) const { return clips[index % clips.size()]; }

  void finish(const Pose& local) {
    local_to_model(local, model);
    make_palettes();
  }
  void make_palettes() {
    for (std::size_t i = 0; i < skins.size(); ++i) palette(skins[i], model, palettes[i]);
    consume(palettes.front().data());
  }
};

// Plays a clip forward, round and round.
struct Player {
  Clip clip;
  Cursor cursor{clip};
  double time = 0;
  double next() {
    time += kFrame;
    if (time >= clip.duration()) time -= clip.duration();
    return time;
  }
};

Workload playing(const char* name, const std::shared_ptr<Scene>& scene, const std::function<Clip()>& make_clip) {
  auto player = std::make_shared<std::optional<Player>>();
  return {name, scene->skeleton.joint_count(), 1, [scene, make_clip, player](std::uint32_t count) {
            if (!*player) player->emplace(Player{make_clip()});
            Player& playing = **player;
            for (std::uint32_t i = 0; i < count; ++i) {
              sample(playing.clip, playing.next(), playing.cursor, scene->written);
              consume(scene->written.floats().data());
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
              scene->finish(mixer->pose());
            }
          }};
}

void start_one(Mixer& mixer, const Scene& scene) { mixer.play(scene.clip(0)); }

void start_crossfade(Mixer& mixer, const Scene& scene) {
  constexpr double kYears = 1e9;
  mixer.play(scene.clip(0));
  mixer.cross_fade_to(mixer.new_action(scene.clip(1)), kYears);
  mixer.advance(kYears / 2);
}

// Save and restore of a mixer with four actions that play.
Workload snapshot(const std::shared_ptr<Scene>& scene) {
  auto mixer = std::make_shared<Mixer>(scene->skeleton);
  for (std::size_t i = 0; i < 4; ++i) mixer->new_action(scene->clip(i)).play();
  mixer->update(kFrame);
  std::vector<std::byte> block(mixer->snapshot_size());
  return {"snapshot", scene->skeleton.joint_count(), 1, [mixer, block](std::uint32_t count) mutable {
            for (std::uint32_t i = 0; i < count; ++i) {
              if (!mixer->save(block) || !mixer->restore(block)) return;
              consume(block.data());
            }
          }};
}

void add_sampling(const std::shared_ptr<Scene>& scene, std::vector<Workload>& all) {
  all.push_back(playing("sample", scene, [clip = scene->clip(0)] { return clip; }));
  all.push_back(playing("sample_sparse", scene, scene->make_sparse));
  all.push_back({"seek", scene->skeleton.joint_count(), 1,
                 [scene, clip = scene->clip(0), next = 0u](std::uint32_t count) mutable {
                   for (std::uint32_t i = 0; i < count; ++i) {
                     sample(clip, scene->random_times[next++ % 4096], scene->written);
                     consume(scene->written.floats().data());
                   }
                 }});
}

void add_blending(const std::shared_ptr<Scene>& scene, std::vector<Workload>& all) {
  const std::uint32_t joints = scene->skeleton.joint_count();
  all.push_back({"blend2", joints, 1, [scene](std::uint32_t count) {
                   const BlendInput inputs[] = {{scene->pose, 0.5f}, {scene->second, 0.5f}};
                   for (std::uint32_t i = 0; i < count; ++i) {
                     blend(inputs, scene->written);
                     consume(scene->written.floats().data());
                   }
                 }});
  all.push_back({"blend3", joints, 1, [scene](std::uint32_t count) {
                   const BlendInput inputs[] = {{scene->pose, 0.3f}, {scene->second, 0.4f}, {scene->third, 0.3f}};
                   for (std::uint32_t i = 0; i < count; ++i) {
                     blend(inputs, scene->written);
                     consume(scene->written.floats().data());
                   }
                 }});
}

Workload local_to_model_of(const std::shared_ptr<Scene>& scene) {
  return {"model", scene->skeleton.joint_count(), 1, [scene](std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) {
              local_to_model(scene->pose, scene->model);
              consume(scene->model.data());
            }
          }};
}

Workload palettes_of(const std::shared_ptr<Scene>& scene) {
  return {"palette", scene->skeleton.joint_count(), 1, [scene](std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) scene->make_palettes();
          }};
}

// Reading the file to a model, which then goes again.
Workload loading(const std::shared_ptr<Scene>& scene) {
  return {"load", scene->skeleton.joint_count(), 1, [scene](std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) {
              const Result<LoadedModel> loaded = scene->load();
              consume(&loaded);
            }
          }};
}

}  // namespace

Subject humanoid_subject() {
  using humanoid::Keys, humanoid::make_clip;
  const Skeleton skeleton = humanoid::make_skeleton();
  const Clip walk = make_clip(skeleton, {"walk", 40.0 / 30.0, 0.5});
  const Clip jog = make_clip(skeleton, {"jog", 24.0 / 30.0, 0.8, Keys::dense, Interpolation::linear, 2});
  const Clip run = make_clip(skeleton, {"run", 20.0 / 30.0, 1.0, Keys::dense, Interpolation::linear, 3});
  const Clip sparse = make_clip(skeleton, {"sparse", 40.0 / 30.0, 0.5, Keys::own});
  const auto file = std::make_shared<std::vector<std::byte>>();
  return {skeleton,
          {humanoid::make_skin(skeleton)},
          {walk, jog, run, sparse},
          [sparse] { return sparse; },
          [file] {
            if (file->empty()) *file = make_large_file();
            return read_gltf(*file);
          }};
}

Subject model_subject(const Model& model, std::function<Result<LoadedModel>()> load) {
  const auto make_sparse = [model] {
    constexpr double kLongest = 4;  // longer ones take the reduction minutes
    const Skeleton& skeleton = model.skeleton();
    const Clip& clip = model.clips().front();
    const Result<Clip> part = trim(skeleton, clip, 0, std::min(clip.duration(), kLongest));
    const Result<ReducedClip> reduced = reduce_keys(skeleton, part ? *part : clip);
    return reduced ? reduced->clip : clip;
  };
  return {model.skeleton(),
          {model.skins().begin(), model.skins().end()},
          {model.clips().begin(), model.clips().end()},
          make_sparse,
          std::move(load)};
}

std::vector<Workload> make_workloads(Subject subject) {
  const auto scene = std::make_shared<Scene>(std::move(subject));
  const bool clips = !scene->clips.empty(), skins = !scene->skins.empty();
  std::vector<Workload> all;
  if (clips) add_sampling(scene, all);
  if (clips) add_blending(scene, all);
  if (scene->skeleton.joint_count() > 0) all.push_back(local_to_model_of(scene));
  if (skins) all.push_back(palettes_of(scene));
  if (clips && skins) all.push_back(character("character", scene, start_one));
  if (clips && skins) all.push_back(character("crossfade", scene, start_crossfade));
  all.push_back(loading(scene));
  if (clips) all.push_back(snapshot(scene));
  return all;
}

}  // namespace marrow::bench

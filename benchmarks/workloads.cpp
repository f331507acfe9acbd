#include "workloads.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "fixtures/humanoid.h"
#include "fixtures/random.h"
#include "large_file.h"
#include "marrow/anim/blend.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/clip/clip_tools.h"
#include "marrow/clip/key_reduction.h"
#include "marrow/mixer/mixer.h"
#include "marrow/scene/scene.h"
#include "marrow/skin/influences.h"

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
      test::Xorshift32 random(1234);
      for (int i = 0; i < 4096; ++i) random_times.push_back(random.unit() * clip(0).duration());
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

// Points in a cube, each with four joints that follow each other, and weights of no order.
Vertices make_vertices(std::uint32_t count, std::uint32_t joints) {
  Vertices v;
  v.influences = 4;
  test::Xorshift32 random(1234);
  for (std::uint32_t i = 0; i < count; ++i) {
    v.positions.push_back({random.unit(), random.unit(), random.unit()});
    v.normals.push_back({random.unit(), random.unit(), random.unit() + 0.1f});
    for (std::uint32_t k = 0; k < 4; ++k) {
      v.joints.push_back(static_cast<std::uint16_t>((static_cast<std::uint64_t>(i) * joints / count + k) % joints));
      v.weights.push_back(random.unit() + 0.01f);
    }
  }
  normalize_weights(v.weights, 4);
  return v;
}

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
  struct Playing {
    explicit Playing(const Skeleton& skeleton) : mixer(skeleton), scratch(skeleton), pose(skeleton) {}
    Mixer mixer;
    MixScratch scratch;
    Pose pose;
  };
  auto playing = std::make_shared<Playing>(scene->skeleton);
  prepare(playing->mixer, *scene);
  return {name, scene->skeleton.joint_count(), 1, [scene, playing](std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) {
              playing->mixer.update(kFrame, playing->scratch, playing->pose);
              scene->finish(playing->pose);
            }
          }};
}

// Half through a fade that takes years, and so stays there.
void fade_halfway(Mixer& mixer, const Clip& from, double from_s, const Clip& to, double to_s) {
  constexpr double kYears = 1e9;
  mixer.play(from);
  mixer.cross_fade_to(mixer.new_action(to).value(), kYears);
  mixer.advance(kYears / 2);
  double time = from_s;
  for (Action action : mixer.actions()) {
    action.seek(time);
    time = to_s;
  }
}

void start_one(Mixer& mixer, const Scene& scene) { mixer.play(scene.clip(0)); }

void start_crossfade(Mixer& mixer, const Scene& scene) { fade_halfway(mixer, scene.clip(0), 0, scene.clip(1), 0); }

// Characters that are all halfway through a fade, each at a place of its own in two of three clips.
Workload crowd(const char* name, const std::shared_ptr<Subject>& subject, std::uint32_t count) {
  struct Crowd {
    marrow::Scene scene;
    std::vector<Instance> instances;
  };
  auto living = std::make_shared<std::optional<Crowd>>();
  return {name, subject->skeleton.joint_count(), count, [subject, living, count](std::uint32_t frames) {
            if (!*living) {
              living->emplace();
              ModelParts parts;
              parts.skeleton = subject->skeleton;
              parts.skins = subject->skins;
              const Model model = *Model::create(std::move(parts));
              InstanceOptions options;
              options.mixer = {2, 1, 0, 2};
              for (std::uint32_t i = 0; i < count; ++i) {
                const std::size_t clips = std::min<std::size_t>(subject->clips.size(), 3);
                const Clip &a = subject->clips[i % clips], &b = subject->clips[(i + 1) % clips];
                const double turns = i * 0.6180339887, phase = turns - std::floor(turns);
                const Instance instance = (*living)->scene.instantiate(model, options);
                fade_halfway(instance.mixer(), a, phase * a.duration(), b, phase * b.duration());
                (*living)->instances.push_back(instance);
              }
            }
            for (std::uint32_t i = 0; i < frames; ++i) {
              update_instances((*living)->instances, kFrame);
              consume((*living)->instances.back().palettes().data());
            }
          }};
}

// Vertices, four influences each of neighbouring joints, positions and normals; a character is a vertex.
Workload skinning(const char* name, const std::shared_ptr<Scene>& scene, NormalRule rule, Skinning kind) {
  constexpr std::uint32_t kVertices = 10000;
  struct Skinned {
    Vertices vertices;
    InfluenceGroups groups;
    std::vector<Vec3> positions, normals;
    std::vector<DualJoint> dual;
  };
  auto mesh = std::make_shared<Skinned>();
  const Skin& skin = scene->skins.front();
  return {name, skin.size(), kVertices, [scene, mesh, rule, kind](std::uint32_t count) {
            std::vector<Affine>& palette = scene->palettes.front();
            if (mesh->positions.empty()) {
              scene->make_palettes();
              mesh->vertices = make_vertices(kVertices, static_cast<std::uint32_t>(palette.size()));
              mesh->groups = InfluenceGroups(mesh->vertices);
              mesh->positions.resize(kVertices);
              mesh->normals.resize(kVertices);
              mesh->dual.resize(palette.size());
            }
            SkinJob job;
            job.count = kVertices;
            job.positions.data = mesh->vertices.positions.data();
            job.normals.data = mesh->vertices.normals.data();
            job.groups = &mesh->groups;
            job.normal_rule = rule;
            job.out_positions.data = mesh->positions.data();
            job.out_normals.data = mesh->normals.data();
            for (std::uint32_t i = 0; i < count; ++i) {
              if (kind == Skinning::linear) {
                job.palette = palette;
              } else {
                job.stretches = dual_palette(palette, mesh->dual);
                job.dual_palette = mesh->dual;
              }
              marrow::skin(job);
              consume(mesh->positions.data());
            }
          }};
}

// Save and restore of a mixer with four actions that play.
Workload snapshot(const std::shared_ptr<Scene>& scene) {
  auto mixer = std::make_shared<Mixer>(scene->skeleton);
  for (std::size_t i = 0; i < 4; ++i) mixer->new_action(scene->clip(i)).value().play();
  mixer->advance(kFrame);
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
  if (clips && skins) {
    all.push_back(crowd("crowd1000", scene, 1000));
    all.push_back(crowd("crowd10000", scene, 10000));
  }
  if (skins && scene->skins.front().size() > 0) {
    all.push_back(skinning("skin", scene, NormalRule::cofactor, Skinning::linear));
    all.push_back(skinning("skin_3x3", scene, NormalRule::matrix, Skinning::linear));
    all.push_back(skinning("skin_dual", scene, NormalRule::cofactor, Skinning::dual_quaternion));
  }
  all.push_back(loading(scene));
  if (clips) all.push_back(snapshot(scene));
  return all;
}

}  // namespace marrow::bench

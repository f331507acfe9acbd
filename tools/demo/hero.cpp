#include "demo/hero.h"

#include "built_in_file.h"
#include "marrow/core/assert.h"
#include "marrow/gltf/reader.h"
#include "marrow/math/quat.h"

namespace marrow::tool {
namespace {

bool is_gait(std::string_view clip) { return clip == "walk" || clip == "run"; }
bool is_done_once(std::string_view clip) { return clip == "jump" || clip == "turn"; }

std::uint32_t joint(const Model& model, std::string_view name) { return model.skeleton().joint(name).value(); }

}  // namespace

Result<HeroModels> HeroModels::load() {
  HeroModels models;
  const auto read = [](std::string_view name, Model& out) -> Result<void> {
    const Result<LoadedModel> loaded = read_gltf(built_in_file(name));
    if (!loaded) return loaded.error();
    out = loaded->model;
    return {};
  };
  if (const Result<void> done = read("character.glb", models.character); !done) return done.error();
  if (const Result<void> done = read("sword.glb", models.sword); !done) return done.error();
  if (const Result<void> done = read("axe.glb", models.axe); !done) return done.error();
  return models;
}

Hero::Hero(Scene& scene, const HeroModels& models, const Transform& place) : scene_(scene), models_(models) {
  InstanceOptions options;
  options.name = "hero";
  options.local = place;
  instance_ = scene.instantiate(models.character, options);
  Mixer& mixer = instance_.mixer();
  RootMotionOptions root;
  root.joint = joint(models.character, "root");
  const Result<void> set = mixer.set_root_motion(root);
  MARROW_ASSERT(set, "the root is a joint");
  const JointMask upper_body =
      JointMask::from_branch(models.character.skeleton(), joint(models.character, "spine_2"), 1);
  arm_ = mixer.add_layer({.mask = &upper_body}).value();
  grip_ = mixer.add_layer({}).value();
  play("idle", 0);
  hold(Held::sword);
  update(0);
}

const Clip& Hero::clip(std::string_view name) const {
  const Clip* const found = models_.character.find_clip(name);
  MARROW_ASSERT(found != nullptr, "the built-in character has the clip");
  return *found;
}

void Hero::play(std::string_view name, double fade_s) {
  Mixer& mixer = instance_.mixer();
  if (name == "wave") {
    waves_ = !waves_;
    if (waves_) {
      arm_.play(clip("wave"), {.fade_in = 0.35});
    } else {
      arm_.clip_action(clip("wave")).value().fade_out(0.4);
    }
    return;
  }
  FadeOptions fade;
  fade.easing = Easing::smooth;
  fade.warp = is_gait(name) && is_gait(playing_);
  mixer.cross_fade_to(clip(name), fade_s, fade).set_loop(is_done_once(name) ? Loop::once : Loop::repeat);
  playing_ = clip(name).name();
}

void Hero::hold(Held held) {
  if (held == held_) return;
  if (thing_) scene_.destroy(thing_);
  if (held == Held::nothing) {
    grip_.clip_action(clip("grip")).value().fade_out(0.2);
  } else {
    if (held_ == Held::nothing) grip_.play(clip("grip"), {.fade_in = 0.2});
    thing_ = scene_.instantiate(held == Held::sword ? models_.sword : models_.axe);
    instance_.bone("grip_R").add(thing_);
  }
  held_ = held;
}

void Hero::update(double dt_s) {
  instance_.update(dt_s);
  bool done = false;
  const Mixer& mixer = instance_.mixer();
  for (const Event& event : mixer.events()) {
    done = done || (event.kind == EventKind::finished && mixer.action(event.action).clip().name() == playing_);
  }
  const RootMotion& way = instance_.mixer().root_motion();
  Transform place = instance_.node().local();
  const Vec3 step = rotate(place.rotation, way.translation);
  place.translation = {place.translation.x + step.x, place.translation.y + step.y, place.translation.z + step.z};
  place.rotation = multiply(place.rotation, way.rotation);
  instance_.node().set_local(place);
  scene_.refresh();
  if (done) play("idle", 0.25);
}

void Hero::pose(std::string_view name, double time_s) {
  const Transform place = instance_.node().local();
  if (name == "wave") {
    play("wave");
    instance_.update(1);
    arm_.clip_action(clip("wave")).value().seek(time_s);
  } else {
    play(name, 0);
    instance_.mixer().clip_action(clip(name)).value().seek(time_s);
  }
  instance_.update(0);
  instance_.node().set_local(place);
  scene_.refresh();
}

}  // namespace marrow::tool

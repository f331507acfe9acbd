#include "demo/demo_film.h"

#include <deque>

#include "marrow/math/functions.h"
#include "marrow/math/quat.h"
#include "render/film.h"

namespace marrow::tool {
namespace {

// What the hero is told, and when. The camera stays in front of it and to its left, and goes round a little.
struct Cue {
  double time_s;
  void (*tell)(Hero& hero);
};
constexpr Cue kCues[] = {
    {0.7, [](Hero& hero) { hero.play("wave"); }},       {2.2, [](Hero& hero) { hero.play("walk", 0.5); }},
    {3.6, [](Hero& hero) { hero.play("wave"); }},       {4.6, [](Hero& hero) { hero.play("run", 0.5); }},
    {6.3, [](Hero& hero) { hero.hold(Held::axe); }},    {7.4, [](Hero& hero) { hero.play("walk", 0.5); }},
    {8.8, [](Hero& hero) { hero.play("idle", 0.45); }},
};

}  // namespace

Camera hero_camera(Vec3 place, float azimuth, float elevation, float distance) {
  Camera camera;
  camera.target = {place.x, place.y, place.z + 0.97f};
  const float across = distance * det::cos(elevation);
  camera.eye = {camera.target.x + across * det::sin(azimuth), camera.target.y - across * det::cos(azimuth),
                camera.target.z + distance * det::sin(elevation)};
  return camera;
}

Environment hero_environment(Vec3 place) {
  Environment environment;
  environment.middle = {place.x, place.y, place.z + 0.95f};
  environment.radius = 1.4f;
  return environment;
}

Result<void> draw_group(Studio& studio, const HeroModels& models, Picture& out) {
  struct Member {
    const char* clip;
    double time_s;
    float x, y, turn;  // metres and radians
    Held held;
  };
  constexpr Member kMembers[] = {
      {"run", 0.10, -2.55f, 0.30f, 0.35f, Held::axe},       {"walk", 0.02, -1.45f, -0.10f, 0.45f, Held::nothing},
      {"wave", 0.55, -0.30f, -0.35f, -0.55f, Held::sword},  {"idle", 1.0, 0.75f, 0.05f, -0.75f, Held::axe},
      {"jump", 0.86, 1.70f, -0.15f, -0.35f, Held::nothing}, {"run", 0.45, 2.65f, 0.25f, -0.60f, Held::sword},
  };
  Scene scene;
  std::deque<Hero> heroes;
  for (const Member& member : kMembers) {
    Transform place;
    place.translation = {member.x, member.y, 0};
    place.rotation = from_axis_angle({0, 0, 1}, member.turn);
    Hero& hero = heroes.emplace_back(scene, models, place);
    hero.hold(member.held);
    hero.update(0.5);
    hero.pose(member.clip, member.time_s);
    hero.set_place(place);
  }
  scene.refresh();
  std::vector<Box> boxes;
  boxes.reserve(heroes.size());
  for (const Hero& hero : heroes) boxes.push_back(hero.instance().world_bounds());
  DrawOptions options;
  ViewAngle angle;
  angle.azimuth = 0.12f;
  angle.elevation = 0.16f;
  angle.margin = 0.04f;
  options.camera = camera_around(boxes, angle, studio.aspect());
  options.environment = environment_of(boxes);
  options.light = lighting_for(options.camera);
  return studio.shoot(scene, options, out);
}

Result<void> draw_film(Studio& studio, const HeroModels& models, double frames_per_second,
                       const std::function<Result<void>(const Picture&, std::uint32_t number)>& frame) {
  Scene scene;
  Hero hero(scene, models);
  Picture picture;
  const std::uint32_t frames = frame_count(kFilmSeconds, frames_per_second);
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < frames; ++i) {
    const double time = i / frames_per_second;
    for (; next < std::size(kCues) && kCues[next].time_s <= time; ++next) kCues[next].tell(hero);
    if (i > 0) hero.update(1 / frames_per_second);
    const auto part = static_cast<float>(time / kFilmSeconds);
    DrawOptions options;
    options.camera = hero_camera(hero.place(), 0.45f + 0.75f * part * part * (3 - 2 * part), 0.15f, 4.2f);
    options.environment = hero_environment(hero.place());
    options.light = lighting_for(hero_camera({}, 0.5f, 0.17f, 4.6f));  // does not go round with the camera
    if (Result<void> shot = studio.shoot(scene, options, picture); !shot) return shot;
    if (Result<void> taken = frame(picture, i); !taken) return taken;
  }
  return {};
}

}  // namespace marrow::tool

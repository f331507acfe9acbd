// Hero: the built-in character alive in a scene, with something in its hand. What the demo's film and window show.
#pragma once

#include <string_view>

#include "marrow/core/result.h"
#include "marrow/scene/scene.h"

namespace marrow::tool {

enum class Held { nothing, sword, axe };

// The built-in models, which any number of heroes share.
struct HeroModels {
  Model character, sword, axe;

  [[nodiscard]] static Result<HeroModels> load();
};

class Hero {
 public:
  // It stands in idle, and holds the sword.
  Hero(Scene& scene, const HeroModels& models, const Transform& place = {});

  // Crossfades to a clip of the model; gaits keep step. A jump or a turn is done once and ends in idle. The wave is
  // done by one arm while everything else goes on, until it is asked for again.
  void play(std::string_view clip, double fade_s = 0.35);
  void hold(Held held);

  // Moves everything by a time, and the hero by the way that it goes.
  void update(double dt_s);

  // Shows a moment of a clip and stays there.
  void pose(std::string_view clip, double time_s);

  [[nodiscard]] Held held() const { return held_; }
  [[nodiscard]] bool waves() const { return waves_; }
  [[nodiscard]] std::string_view playing() const { return playing_; }
  [[nodiscard]] const Instance& instance() const { return instance_; }
  [[nodiscard]] Vec3 place() const { return instance_.node().local().translation; }
  void set_place(const Transform& place) { instance_.node().set_local(place); }

 private:
  [[nodiscard]] const Clip& clip(std::string_view name) const;

  Scene& scene_;
  HeroModels models_;
  Instance instance_;
  Layer arm_, grip_;
  Instance thing_;
  Held held_ = Held::nothing;
  std::string_view playing_;
  bool waves_ = false;
};

}  // namespace marrow::tool

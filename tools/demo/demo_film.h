// What the demo draws without a screen.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "demo/hero.h"
#include "marrow/draw/picture.h"
#include "render/studio.h"

namespace marrow::tool {

// Returns a camera at a place around the hero, `azimuth` to its left from its front in the beginning.
[[nodiscard]] Camera hero_camera(Vec3 place, float azimuth, float elevation, float distance);

// Returns the environment around a place of the hero.
[[nodiscard]] Environment hero_environment(Vec3 place);

// Several heroes side by side, each in the middle of something.
[[nodiscard]] Result<void> draw_group(Studio& studio, const HeroModels& models, Picture& out);

// The hero stands, waves, walks, runs, swaps its sword for an axe and stands again: calls `frame` with each picture.
// Stops at the first error.
inline constexpr double kFilmSeconds = 10.5;
[[nodiscard]] Result<void> draw_film(Studio& studio, const HeroModels& models, double frames_per_second,
                                     const std::function<Result<void>(const Picture&, std::uint32_t number)>& frame);

}  // namespace marrow::tool

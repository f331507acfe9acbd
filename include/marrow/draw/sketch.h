// Sketch: what is drawn over a scene to explain it: bones, names, trails, text.
//
//   Sketch sketch;
//   add_bones(sketch, instance);
//   add_names(sketch, instance, {camera, width, height});
//   renderer.draw(scene, {.camera = camera, .sketch = &sketch}, area);
//
// Coloured triangles, and functions that add to them. A sketch is made anew in every frame; `clear` keeps its memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "marrow/draw/camera.h"
#include "marrow/scene/instance.h"

namespace marrow {

// In sRGB, not multiplied by alpha.
struct Color {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;
};

struct SketchVertex {
  Vec3 position;
  Color color;
};

struct Sketch {
  std::vector<SketchVertex> solid;  // triangles in the world, over everything else; they hide each other
  std::vector<SketchVertex> flat;   // triangles in pixels from the upper left corner, over all that, in their order

  void clear() {
    solid.clear();
    flat.clear();
  }
};

// From where a picture of a size is seen.
struct SketchView {
  Camera camera;
  std::uint32_t width = 0, height = 0;
};

// Returns where in the picture a place in the world is, in pixels; nothing if that is behind the camera.
[[nodiscard]] std::optional<Vec2> project_point(const SketchView& view, Vec3 place);

// The joints that bones are drawn for: those of skins and all between them; all joints where there is no skin. One flag
// for each joint of the skeleton.
[[nodiscard]] std::vector<bool> drawn_joints(const Model& model);

// Adds an octahedron from every joint to each of its children, and a short one at the end of a limb: blue on the
// model's left, orange on its right, green in the middle, as the rest pose has it.
void add_bones(Sketch& sketch, const Instance& instance);

// Adds the joints' names beside them.
void add_names(Sketch& sketch, const Instance& instance, const SketchView& view);

// Adds a line through places in the world, `pixels` wide, that fades in from its beginning to its end, and a dot at the
// place with number `now`, if there is one.
void add_trail(Sketch& sketch, std::span<const Vec3> places, std::size_t now, Color color, const SketchView& view,
               float pixels = 3);

// Adds a line of text whose letters are `height` pixels high, from its lower left corner, with a light seam. ASCII; a
// box stands for everything else.
void add_text(Sketch& sketch, Vec2 at, float height, std::string_view text, Color color);

// Returns how many pixels wide such a text is.
[[nodiscard]] float text_width(float height, std::string_view text);

}  // namespace marrow

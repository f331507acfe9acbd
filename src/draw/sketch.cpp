#include "marrow/draw/sketch.h"

#include <algorithm>
#include <cmath>

#include "marrow/math/vec3.h"
#include "src/draw/stroke_font.h"

namespace marrow {
namespace {

constexpr Color kSeam = {255, 255, 255, 215};

// A line of pixels, with square ends that reach half its width further.
void add_line(Sketch& sketch, Vec2 from, Vec2 to, float width, Color first, Color last) {
  Vec2 along = {to.x - from.x, to.y - from.y};
  const float size = det::sqrt(along.x * along.x + along.y * along.y);
  along = size > 1e-4f ? Vec2{along.x / size * width / 2, along.y / size * width / 2} : Vec2{width / 2, 0};
  const Vec3 corners[4] = {{from.x - along.x - along.y, from.y - along.y + along.x, 0},
                           {from.x - along.x + along.y, from.y - along.y - along.x, 0},
                           {to.x + along.x - along.y, to.y + along.y + along.x, 0},
                           {to.x + along.x + along.y, to.y + along.y - along.x, 0}};
  for (const int i : {0, 1, 2, 2, 1, 3}) sketch.flat.push_back({corners[i], i < 2 ? first : last});
}

void add_strokes(Sketch& sketch, Vec2 at, float unit, std::string_view strokes, float width, Color color) {
  const auto point = [&](std::size_t i) {
    return Vec2{at.x + static_cast<float>(strokes[i] - '0') * unit,
                at.y - (static_cast<float>(strokes[i + 1] - '0') - kBaseLine) * unit};
  };
  for (std::size_t i = 0; i + 3 < strokes.size();) {
    if (strokes[i + 2] == ' ') {
      i += 3;
      continue;
    }
    add_line(sketch, point(i), point(i + 2), width, color, color);
    i += 2;
  }
}

// The flags of UTF-8's further bytes: one box stands for the whole of a letter.
bool is_further_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

}  // namespace

std::optional<Vec2> project_point(const SketchView& view, Vec3 place) {
  const float width = static_cast<float>(view.width), height = static_cast<float>(view.height);
  const CameraMatrices matrices = matrices_of(view.camera, width / height);
  const float* m = matrices.view_projection;
  const auto row = [&](int i) { return m[i] * place.x + m[4 + i] * place.y + m[8 + i] * place.z + m[12 + i]; };
  const float w = row(3);
  if (!(w > view.camera.near_m * 0.5f)) return std::nullopt;
  return Vec2{(row(0) / w + 1) / 2 * width, (1 - row(1) / w) / 2 * height};
}

float text_width(float height, std::string_view text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) { return !is_further_byte(c); });
  return static_cast<float>(letters) * kLetterStep * height / kCapitalHeight;
}

void add_text(Sketch& sketch, Vec2 at, float height, std::string_view text, Color color) {
  const float unit = height / kCapitalHeight, width = std::max(1.1f, height * 0.11f);
  for (const bool seam : {true, false}) {
    float x = at.x;
    for (const char letter : text) {
      if (is_further_byte(letter)) continue;
      add_strokes(sketch, {x, at.y}, unit, strokes_of(letter), seam ? width + 2.4f : width, seam ? kSeam : color);
      x += kLetterStep * unit;
    }
  }
}

void add_trail(Sketch& sketch, std::span<const Vec3> places, std::size_t now, Color color, const SketchView& view,
               float pixels) {
  std::optional<Vec2> last;
  const auto faded = [&](std::size_t i) {
    const double part = places.size() > 1 ? static_cast<double>(i) / static_cast<double>(places.size() - 1) : 1;
    Color out = color;
    out.alpha = static_cast<std::uint8_t>(std::lround((0.25 + 0.75 * part) * color.alpha));
    return out;
  };
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::optional<Vec2> at = project_point(view, places[i]);
    if (last && at) add_line(sketch, *last, *at, pixels, faded(i - 1), faded(i));
    last = at;
  }
  if (now >= places.size()) return;
  if (const std::optional<Vec2> at = project_point(view, places[now])) {
    add_line(sketch, *at, *at, pixels * 3.4f, kSeam, kSeam);
    add_line(sketch, *at, *at, pixels * 2.4f, color, color);
  }
}

}  // namespace marrow

// Bones and their names in a sketch.
#include <algorithm>
#include <cmath>
#include <string>

#include "marrow/anim/hierarchy.h"
#include "marrow/draw/sketch.h"
#include "marrow/math/affine.h"
#include "marrow/math/vec3.h"

namespace marrow {
namespace {

constexpr Color kLeft = {66, 133, 224, 255}, kRight = {238, 134, 46, 255}, kMiddle = {64, 168, 120, 255};

Color shaded(Color color, float light) {
  const auto channel = [&](std::uint8_t c) {
    return static_cast<std::uint8_t>(std::clamp(std::lround(static_cast<float>(c) * light), 0L, 255L));
  };
  return {channel(color.red), channel(color.green), channel(color.blue), color.alpha};
}

// Thickest at a tenth of its length, as wide there as that, but not wider than `widest` to each side.
void add_octahedron(Sketch& sketch, Vec3 from, Vec3 to, float widest, Color color) {
  const Vec3 along = to - from;
  const float size = length(along);
  if (!(size > 0) || !(size < 1e15f)) return;
  const Vec3 axis = along * (1 / size);
  const Vec3 side = direction_of(cross(axis, std::abs(axis.z) < 0.9f ? Vec3{0, 0, 1} : Vec3{1, 0, 0}), {1, 0, 0});
  const Vec3 other = cross(axis, side);
  const Vec3 middle = from + along * 0.12f;
  const float wide = std::min(size * 0.09f, widest);
  const Vec3 ring[4] = {middle + side * wide, middle + other * wide, middle - side * wide, middle - other * wide};
  const Vec3 light = direction_of({-0.3f, -0.5f, 0.8f}, {0, 0, 1});
  const auto add = [&](Vec3 a, Vec3 b, Vec3 c) {
    const Vec3 normal = direction_of(cross(b - a, c - a), {0, 0, 1});
    const Color shade = shaded(color, 0.82f + 0.28f * dot(normal, light));
    for (const Vec3& corner : {a, b, c}) sketch.solid.push_back({corner, shade});
  };
  for (int i = 0; i < 4; ++i) {
    add(ring[i], ring[(i + 1) % 4], to);
    add(ring[(i + 1) % 4], ring[i], from);
  }
}

// Where the joints are at rest, in the model.
std::vector<Vec3> rest_places(const Model& model) {
  const Pose rest(model.skeleton());
  std::vector<Affine> matrices(model.skeleton().joint_count());
  local_to_model(rest, matrices);
  std::vector<Vec3> out;
  out.reserve(matrices.size());
  for (const Affine& matrix : matrices) out.push_back(translation_of(matrix));
  return out;
}

}  // namespace

std::vector<bool> drawn_joints(const Model& model) {
  const Skeleton& skeleton = model.skeleton();
  std::vector<bool> of_skin(skeleton.joint_count()), below(skeleton.joint_count()), out(skeleton.joint_count());
  for (const Skin& skin : model.skins()) {
    for (const std::uint32_t joint : skin.joints()) of_skin[joint] = true;
  }
  if (model.skins().empty()) return std::vector<bool>(skeleton.joint_count(), true);
  // Parents are before their children: what is between has one of a skin above it and one below.
  for (std::uint32_t j = skeleton.joint_count(); j-- > 0;) {
    below[j] = below[j] || of_skin[j];
    if (skeleton.parent(j) != kNoParent && below[j]) below[static_cast<std::uint32_t>(skeleton.parent(j))] = true;
  }
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    const bool under = skeleton.parent(j) != kNoParent && out[static_cast<std::uint32_t>(skeleton.parent(j))];
    out[j] = of_skin[j] || (under && below[j]);
  }
  return out;
}

void add_bones(Sketch& sketch, const Instance& instance) {
  const Model& model = instance.model();
  const Skeleton& skeleton = model.skeleton();
  const std::vector<bool> drawn = drawn_joints(model);
  const std::vector<Vec3> rest = rest_places(model);
  const std::span<const Affine> joints = instance.model_from_joint();
  const Affine world = instance.node().world();
  Box all;
  for (std::size_t j = 0; j < rest.size(); ++j) all = drawn[j] ? enclose(all, rest[j]) : all;
  // A root far from the first bone makes a long one, which must not be in the way of the others.
  const float widest = 0.011f * length(size_of(all)) * std::cbrt(std::abs(determinant(world)));
  const float tolerance = 0.01f * length(size_of(all)), axis = (all.low.x + all.high.x) / 2;
  const auto at = [&](std::uint32_t joint) { return transform_point(world, translation_of(joints[joint])); };
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    if (!drawn[j]) continue;
    const float off = rest[j].x - axis;
    const Color color = off > tolerance ? kLeft : off < -tolerance ? kRight : kMiddle;
    bool any = false;
    for (const std::uint32_t child : skeleton.children(j)) {
      if (!drawn[child]) continue;
      const float child_off = rest[child].x - axis;
      const Color of_child = child_off > tolerance ? kLeft : child_off < -tolerance ? kRight : kMiddle;
      add_octahedron(sketch, at(j), at(child), widest, of_child);
      any = true;
    }
    if (any) continue;
    // The end of a limb goes on for a third of the bone that led to it; a joint alone has a size of its own.
    const std::int32_t parent = skeleton.parent(j);
    const Vec3 here = at(j);
    const bool all_one = !(widest > 0);
    Vec3 onward = {0, 0, 0.1f * std::max(length(size_of(all)), 0.1f)};
    if (parent != kNoParent && drawn[static_cast<std::uint32_t>(parent)]) {
      onward = (here - at(static_cast<std::uint32_t>(parent))) * 0.35f;
    }
    add_octahedron(sketch, here, (here + onward), all_one ? length(onward) : widest, color);
  }
}

void add_names(Sketch& sketch, const Instance& instance, const SketchView& view) {
  const Skeleton& skeleton = instance.model().skeleton();
  const std::vector<bool> drawn = drawn_joints(instance.model());
  const std::span<const Affine> joints = instance.model_from_joint();
  const Affine world = instance.node().world();
  const float height = std::clamp(static_cast<float>(view.height) / 90, 6.0f, 14.0f), line = 1.7f * height;
  // From the top down; a name that would cover another goes below it.
  struct Label {
    Vec2 at;
    std::uint32_t joint;
  };
  std::vector<Label> labels;
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) {
    if (!drawn[j]) continue;
    const std::optional<Vec2> at = project_point(view, transform_point(world, translation_of(joints[j])));
    if (at) labels.push_back({{at->x + height, at->y + height / 2}, j});
  }
  std::stable_sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.at.y < b.at.y; });
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Label& label = labels[i];
    const float width = text_width(height, skeleton.name(label.joint));
    for (std::size_t k = 0; k < i; ++k) {
      const Label& other = labels[k];
      const float other_width = text_width(height, skeleton.name(other.joint));
      const bool beside = label.at.x > other.at.x + other_width || other.at.x > label.at.x + width;
      if (!beside && std::abs(label.at.y - other.at.y) < line) label.at.y = other.at.y + line;
    }
    add_text(sketch, label.at, height, skeleton.name(label.joint), {32, 36, 44, 255});
  }
}

}  // namespace marrow

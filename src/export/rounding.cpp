#include "src/export/rounding.h"

#include <algorithm>
#include <cmath>

#include "src/export/imports.h"

namespace marrow {
namespace {

constexpr double kUnit = 1.0 / (1 << 24);  // what rounding a float changes, in parts of it

// What a transform loses on its way: here, where it is sampled and written; in a program that takes it apart, goes on
// to the next frame and puts it together again; and in its product with the parent's. Then the same of what marrow
// shows.
constexpr double kTransform = 4 * kUnit;

// What a sum loses, here and there.
constexpr double kSum = 2 * kUnit;

}  // namespace

BoneRounding rounding_below(const BoneRounding& parent, double translation, double scale) {
  const double arm = parent.stretch * translation;
  BoneRounding child;
  child.stretch = parent.stretch * scale;
  child.path = parent.path + arm;
  child.turn = parent.turn * scale + kTransform * child.stretch;
  child.shift = parent.shift + parent.turn * translation + kTransform * arm + kSum * child.path;
  return child;
}

double rounding_at(const BoneRounding& bone, double distance, double bind) {
  return bone.shift + bone.turn * distance + kTransform * bone.stretch * bind +
         kSum * (bone.path + bone.stretch * distance);
}

double length_of(Vec3 v) { return length(widen(v)); }

double stretch_of(const Affine& a) {
  // The largest column, for what has none that are far from right angles.
  double largest = 0;
  for (int column = 0; column < 3; ++column)
    largest = std::max(largest, length_of({a.m[0][column], a.m[1][column], a.m[2][column]}));
  return largest;
}

}  // namespace marrow

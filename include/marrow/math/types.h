// The plain value types: Vec2, Vec3, Vec4, Quat, Affine, Transform.
//
// Aggregates with no behaviour and the layouts that engines use, so that theirs can be aliased or copied: float[3],
// float[4] in the order x y z w, float[12] row by row. In marrow's headers, functions that compute are only declared,
// or static. The linker keeps one copy of an inline function with external linkage. That could be the copy of a program
// built with fast-math; the library would then compute other bits.
#pragma once

namespace marrow {

struct Vec2 {
  float x = 0, y = 0;
};

struct Vec3 {
  float x = 0, y = 0, z = 0;
};

struct Vec4 {
  float x = 0, y = 0, z = 0, w = 0;
};

// A rotation: x, y, z are the axis times the sine of half the angle, w is the cosine. Default: no rotation.
struct Quat {
  float x = 0, y = 0, z = 0, w = 1;
};

// An affine map, the upper three rows of a 4x4 matrix, row-major: m[row][column], the translation in column 3.
// A point p goes to m * (p, 1). Default: the identity.
struct Affine {
  float m[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
};

// Scale, then rotation, then translation. Default: the identity.
struct Transform {
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1, 1, 1};
};

static_assert(sizeof(Vec3) == 12 && sizeof(Quat) == 16 && sizeof(Affine) == 48 && sizeof(Transform) == 40);

}  // namespace marrow

// Affine maps (3x4, row-major) and what they are made from. Deterministic to the bit on every platform.
#pragma once

#include "marrow/math/types.h"

namespace marrow {

// Returns the map that first applies b, then a.
[[nodiscard]] Affine multiply(const Affine& a, const Affine& b);

// Returns the inverse map; the identity where there is none: a determinant of zero, or entries, here or in the inverse,
// that are not finite.
[[nodiscard]] Affine inverse(const Affine& a);

// Returns the determinant of the 3x3 part: negative for a map that mirrors.
[[nodiscard]] float determinant(const Affine& a);

// Returns false if a number of the matrix is infinite or NaN.
[[nodiscard]] bool is_finite(const Affine& a);

// Returns where the map puts the origin: the translation of its fourth column.
[[nodiscard]] static inline Vec3 translation_of(const Affine& a) { return {a.m[0][3], a.m[1][3], a.m[2][3]}; }

[[nodiscard]] Vec3 transform_point(const Affine& a, Vec3 point);
[[nodiscard]] Vec3 transform_vector(const Affine& a, Vec3 vector);  // without the translation

// Returns translation * rotation * scale. The rotation must be of unit length.
[[nodiscard]] Affine to_affine(const Transform& t);

// Returns the transform whose matrix is `a`, or the nearest for one with shear: the columns are made orthogonal in the
// order x, y, z. A map that mirrors gets a negative x scale. A column without length (or
// not finite, or parallel to those before it to 1e-7) gets scale 0 and a fixed direction.
[[nodiscard]] Transform to_transform(const Affine& a);

// Writes the sixteen floats of the 4x4 matrix, column by column, as OpenGL, WebGPU and glTF want it.
void to_column_major(const Affine& a, float out[16]);

// Reads sixteen floats, column by column. The fourth row is taken to be 0 0 0 1.
[[nodiscard]] Affine from_column_major(const float in[16]);

}  // namespace marrow

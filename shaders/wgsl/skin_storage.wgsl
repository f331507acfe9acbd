// marrow: skinning in one of two modes, which may change from draw to draw, with storage buffers of 256 matrices of
// three rows, 48 bytes each. Raw, the bones are what vertices move by. Bound to a skeleton, they are where the bones
// are in the model, and the shader multiplies them by the inverse binds of the skeleton. To be pasted into a vertex
// shader of WGSL:
//
//   let skin = marrow_skin(in.joints, in.weights);
//   let position = marrow_position(skin, in.position);
//   let normal = marrow_normal(skin, in.normal);
//
// MARROW_MAX_BONES may be another number. What is bound to either array must be as large as it, 48 * MARROW_MAX_BONES
// bytes, also if fewer bones are used, and to the inverse binds also if the mode is raw.
const MARROW_MAX_BONES = 256;

#include "matrix.wgsl"

@group(0) @binding(5) var<storage, read> marrow_bones: array<MarrowMatrix, MARROW_MAX_BONES>;
@group(0) @binding(6) var<storage, read> marrow_inverse_binds: array<MarrowMatrix, MARROW_MAX_BONES>;

#include "bound_bone.wgsl"

#include "skinning.wgsl"

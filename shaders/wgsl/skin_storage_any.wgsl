// marrow: skinning in one of two modes, which may change from draw to draw, with storage buffers of any number of
// matrices of three rows, 48 bytes each. Raw, the bones are what vertices move by. Bound to a skeleton, they are where
// the bones are in the model, and the shader multiplies them by the inverse binds of the skeleton. To be pasted into a
// vertex shader of WGSL:
//
//   let skin = marrow_skin(in.joints, in.weights);
//   let position = marrow_position(skin, in.position);
//   let normal = marrow_normal(skin, in.normal);
//
// What is bound is as large as the bones are; in raw mode one matrix is enough for the inverse binds.

#include "matrix.wgsl"

@group(0) @binding(5) var<storage, read> marrow_bones: array<MarrowMatrix>;
@group(0) @binding(6) var<storage, read> marrow_inverse_binds: array<MarrowMatrix>;

#include "bound_bone.wgsl"

#include "skinning.wgsl"

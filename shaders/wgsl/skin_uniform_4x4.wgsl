// marrow: skinning by a palette in a uniform buffer of 4x4 matrices, 64 bytes a bone, for engines that have such
// buffers. To be pasted into a vertex shader of WGSL:
//
//   let skin = marrow_skin(in.joints, in.weights);
//   let position = marrow_position(skin, in.position);
//   let normal = marrow_normal(skin, in.normal);
//
// MARROW_MAX_BONES may be another number, up to 128. What is bound must be as large as the array, 64 * MARROW_MAX_BONES
// bytes, also if fewer bones are used.
const MARROW_MAX_BONES = 128;

#include "matrix.wgsl"

@group(3) @binding(0) var<uniform> marrow_bones: array<mat4x4<f32>, MARROW_MAX_BONES>;

fn marrow_bone(index: u32) -> MarrowMatrix { return marrow_rows(marrow_bones[index]); }

#include "skinning.wgsl"

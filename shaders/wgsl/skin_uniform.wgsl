// marrow: skinning by a palette in a uniform buffer, three rows of each matrix, 48 bytes a bone. To be pasted into a
// vertex shader of WGSL:
//
//   let skin = marrow_skin(in.joints, in.weights);
//   let position = marrow_position(skin, in.position);
//   let normal = marrow_normal(skin, in.normal);
//
// MARROW_MAX_BONES may be another number: 341 are what fits in 16 KB, which every device has; where a device says 64 KB
// (maxUniformBufferBindingSize) it is 1365. What is bound must be as large as the array, 48 * MARROW_MAX_BONES bytes,
// also if fewer bones are used.
const MARROW_MAX_BONES = 341;

#include "matrix.wgsl"

@group(3) @binding(0) var<uniform> marrow_bones: array<MarrowMatrix, MARROW_MAX_BONES>;

fn marrow_bone(index: u32) -> MarrowMatrix { return marrow_bones[index]; }

#include "skinning.wgsl"

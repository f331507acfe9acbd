#include "octahedral.wgsl"

// For mesh.wgsl: normals that are packed as oct32 (vertex_formats.h).
alias MarrowNormal = vec2<f32>;

fn marrow_unpacked_normal(normal: MarrowNormal) -> vec3<f32> { return marrow_octahedral(normal); }

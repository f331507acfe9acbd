// For mesh.wgsl: no morph targets.
fn marrow_morph(vertex: u32, position: ptr<function, vec3<f32>>, normal: ptr<function, vec3<f32>>) {}

// For mesh.wgsl: normals as they are.
alias MarrowNormal = vec3<f32>;

fn marrow_unpacked_normal(normal: MarrowNormal) -> vec3<f32> { return normal; }

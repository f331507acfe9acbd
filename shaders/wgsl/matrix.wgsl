// The upper three rows of a matrix whose fourth is 0 0 0 1: a bone, or what bones are blended to.
struct MarrowMatrix {
  x: vec4<f32>,
  y: vec4<f32>,
  z: vec4<f32>,
}

// a * b
fn marrow_product(a: MarrowMatrix, b: MarrowMatrix) -> MarrowMatrix {
  return MarrowMatrix(((a.x.x * b.x + a.x.y * b.y) + a.x.z * b.z) + vec4<f32>(0.0, 0.0, 0.0, a.x.w),
                      ((a.y.x * b.x + a.y.y * b.y) + a.y.z * b.z) + vec4<f32>(0.0, 0.0, 0.0, a.y.w),
                      ((a.z.x * b.x + a.z.y * b.y) + a.z.z * b.z) + vec4<f32>(0.0, 0.0, 0.0, a.z.w));
}

fn marrow_rows(m: mat4x4<f32>) -> MarrowMatrix {
  return MarrowMatrix(vec4<f32>(m[0].x, m[1].x, m[2].x, m[3].x), vec4<f32>(m[0].y, m[1].y, m[2].y, m[3].y),
                      vec4<f32>(m[0].z, m[1].z, m[2].z, m[3].z));
}

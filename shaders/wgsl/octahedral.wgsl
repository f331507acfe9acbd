// marrow: a direction that was packed as snorm16x2.
fn marrow_octahedral(p: vec2<f32>) -> vec3<f32> {
  let z = 1.0 - abs(p.x) - abs(p.y);
  let t = max(-z, 0.0);
  return normalize(vec3<f32>(p + select(vec2<f32>(t), vec2<f32>(-t), p >= vec2<f32>(0.0)), z));
}

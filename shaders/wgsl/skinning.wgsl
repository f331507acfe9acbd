// What all techniques share: four bones blended, and what the blend does to positions, normals and tangents. The steps
// are those of marrow's skinning on the CPU, in the same order: a driver that neither fuses nor reorders arithmetic
// gives the same bits. (That is why dot and cross are written out.)

// No joint is beyond the bones if the vertices were checked against the skin. One that is, reads another bone or zeros:
// WGSL keeps it inside the buffer. So joints whose weight is 0 may be any.
fn marrow_skin(joints: vec4<u32>, weights: vec4<f32>) -> MarrowMatrix {
  let a = marrow_bone(joints.x);
  let b = marrow_bone(joints.y);
  let c = marrow_bone(joints.z);
  let d = marrow_bone(joints.w);
  return MarrowMatrix(((weights.x * a.x + weights.y * b.x) + weights.z * c.x) + weights.w * d.x,
                      ((weights.x * a.y + weights.y * b.y) + weights.z * c.y) + weights.w * d.y,
                      ((weights.x * a.z + weights.y * b.z) + weights.z * c.z) + weights.w * d.z);
}

fn marrow_dot(a: vec3<f32>, b: vec3<f32>) -> f32 { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

fn marrow_cross(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

fn marrow_direction(m: MarrowMatrix, v: vec3<f32>) -> vec3<f32> {
  return vec3<f32>(marrow_dot(m.x.xyz, v), marrow_dot(m.y.xyz, v), marrow_dot(m.z.xyz, v));
}

fn marrow_position(m: MarrowMatrix, position: vec3<f32>) -> vec3<f32> {
  return marrow_direction(m, position) + vec3<f32>(m.x.w, m.y.w, m.z.w);
}

// Squares so far from those that overflow and those that vanish that they can be relied on.
fn marrow_is_sound(square: f32) -> bool { return square > 1e-30 && square < 1e30; }

fn marrow_sign(x: f32) -> f32 { return select(1.0, -1.0, x < 0.0); }

fn marrow_largest(v: vec3<f32>) -> f32 { return max(max(abs(v.x), abs(v.y)), abs(v.z)); }
fn marrow_inverse_size(size: f32) -> f32 { return 1.0 / select(1.0, size, size > 0.0); }
fn marrow_near_one(v: vec3<f32>) -> vec3<f32> { return v * marrow_inverse_size(marrow_largest(v)); }
fn marrow_matrix_near_one(m: MarrowMatrix) -> MarrowMatrix {
  let size = max(max(marrow_largest(m.x.xyz), marrow_largest(m.y.xyz)), marrow_largest(m.z.xyz));
  let factor = marrow_inverse_size(size);
  return MarrowMatrix(m.x * factor, m.y * factor, m.z * factor);
}

// The normal times the cofactors of the matrix, of any length; w is the determinant.
fn marrow_cofactor_normal(m: MarrowMatrix, normal: vec3<f32>) -> vec4<f32> {
  let x = marrow_cross(m.y.xyz, m.z.xyz);
  let y = marrow_cross(m.z.xyz, m.x.xyz);
  let z = marrow_cross(m.x.xyz, m.y.xyz);
  return vec4<f32>(marrow_dot(x, normal), marrow_dot(y, normal), marrow_dot(z, normal), marrow_dot(m.x.xyz, x));
}

// The same, done again with everything brought near to 1 where squares or products may have vanished or overflowed.
fn marrow_sound_normal(m: MarrowMatrix, normal: vec3<f32>) -> vec4<f32> {
  let n = marrow_cofactor_normal(m, normal);
  if (marrow_is_sound(marrow_dot(n.xyz, n.xyz))) { return n; }
  let mended = marrow_cofactor_normal(marrow_matrix_near_one(m), marrow_near_one(normal));
  return vec4<f32>(marrow_near_one(mended.xyz), mended.w);
}

// Normals stay at right angles to the surface and outward, whatever the scale, also where the matrix mirrors. Returns 0
// where a normal vanishes.
fn marrow_normal(m: MarrowMatrix, normal: vec3<f32>) -> vec3<f32> {
  let n = marrow_sound_normal(m, normal);
  let square = marrow_dot(n.xyz, n.xyz);
  if (!marrow_is_sound(square)) { return vec3<f32>(0.0); }
  return n.xyz * (marrow_sign(n.w) / sqrt(square));
}

// Tangents lie in the surface; w, the side of the bitangent, changes where the matrix mirrors.
fn marrow_tangent(m: MarrowMatrix, tangent: vec4<f32>) -> vec4<f32> {
  var t = marrow_direction(m, tangent.xyz);
  if (!marrow_is_sound(marrow_dot(t, t))) {
    t = marrow_near_one(marrow_direction(marrow_matrix_near_one(m), marrow_near_one(tangent.xyz)));
  }
  let square = marrow_dot(t, t);
  let side = tangent.w * marrow_sign(marrow_sound_normal(m, vec3<f32>(0.0, 0.0, 1.0)).w);
  if (!marrow_is_sound(square)) { return vec4<f32>(0.0, 0.0, 0.0, side); }
  return vec4<f32>(t * (1.0 / sqrt(square)), side);
}

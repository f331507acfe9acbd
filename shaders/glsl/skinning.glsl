// What all techniques share: four bones blended, and what the blend does to positions, normals and tangents. The steps
// are those of marrow's skinning on the CPU, in the same order: a driver that neither fuses nor reorders arithmetic
// gives the same bits. (That is why dot and cross are written out.) Joints whose weight is 0 are read too: they
// must be joints of the palette, such as 0.

MarrowMatrix marrow_skin(uvec4 joints, vec4 weights) {
  MarrowMatrix a = marrow_bone(int(joints.x)), b = marrow_bone(int(joints.y));
  MarrowMatrix c = marrow_bone(int(joints.z)), d = marrow_bone(int(joints.w));
  return MarrowMatrix(((weights.x * a.x + weights.y * b.x) + weights.z * c.x) + weights.w * d.x,
                      ((weights.x * a.y + weights.y * b.y) + weights.z * c.y) + weights.w * d.y,
                      ((weights.x * a.z + weights.y * b.z) + weights.z * c.z) + weights.w * d.z);
}

float marrow_dot(vec3 a, vec3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

vec3 marrow_cross(vec3 a, vec3 b) {
  return vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

vec3 marrow_direction(MarrowMatrix m, vec3 v) {
  return vec3(marrow_dot(m.x.xyz, v), marrow_dot(m.y.xyz, v), marrow_dot(m.z.xyz, v));
}

vec3 marrow_position(MarrowMatrix m, vec3 position) {
  return marrow_direction(m, position) + vec3(m.x.w, m.y.w, m.z.w);
}

// Squares so far from those that overflow and those that vanish that they can be relied on.
bool marrow_is_sound(float square) { return square > 1e-30 && square < 1e30; }

float marrow_sign(float x) { return x < 0.0 ? -1.0 : 1.0; }

float marrow_largest(vec3 v) { return max(max(abs(v.x), abs(v.y)), abs(v.z)); }
float marrow_inverse_size(float size) { return 1.0 / (size > 0.0 ? size : 1.0); }
vec3 marrow_near_one(vec3 v) { return v * marrow_inverse_size(marrow_largest(v)); }
MarrowMatrix marrow_near_one(MarrowMatrix m) {
  float size = max(max(marrow_largest(m.x.xyz), marrow_largest(m.y.xyz)), marrow_largest(m.z.xyz));
  float factor = marrow_inverse_size(size);
  return MarrowMatrix(m.x * factor, m.y * factor, m.z * factor);
}

// The normal times the cofactors of the matrix, of any length; w is the determinant.
vec4 marrow_cofactor_normal(MarrowMatrix m, vec3 normal) {
  vec3 x = marrow_cross(m.y.xyz, m.z.xyz), y = marrow_cross(m.z.xyz, m.x.xyz), z = marrow_cross(m.x.xyz, m.y.xyz);
  return vec4(marrow_dot(x, normal), marrow_dot(y, normal), marrow_dot(z, normal), marrow_dot(m.x.xyz, x));
}

// The same, done again with everything brought near to 1 where squares or products may have vanished or overflowed.
vec4 marrow_sound_normal(MarrowMatrix m, vec3 normal) {
  vec4 n = marrow_cofactor_normal(m, normal);
  if (marrow_is_sound(marrow_dot(n.xyz, n.xyz))) return n;
  n = marrow_cofactor_normal(marrow_near_one(m), marrow_near_one(normal));
  return vec4(marrow_near_one(n.xyz), n.w);
}

// Normals stay at right angles to the surface and outward, whatever the scale, also where the matrix mirrors. Returns 0
// where a normal vanishes.
vec3 marrow_normal(MarrowMatrix m, vec3 normal) {
  vec4 n = marrow_sound_normal(m, normal);
  float square = marrow_dot(n.xyz, n.xyz);
  return marrow_is_sound(square) ? n.xyz * (marrow_sign(n.w) / sqrt(square)) : vec3(0.0);
}

// Tangents lie in the surface; w, the side of the bitangent, changes where the matrix mirrors.
vec4 marrow_tangent(MarrowMatrix m, vec4 tangent) {
  vec3 t = marrow_direction(m, tangent.xyz);
  if (!marrow_is_sound(marrow_dot(t, t))) {
    t = marrow_near_one(marrow_direction(marrow_near_one(m), marrow_near_one(tangent.xyz)));
  }
  float square = marrow_dot(t, t);
  float side = tangent.w * marrow_sign(marrow_sound_normal(m, vec3(0.0, 0.0, 1.0)).w);
  return vec4(marrow_is_sound(square) ? t * (1.0 / sqrt(square)) : vec3(0.0), side);
}

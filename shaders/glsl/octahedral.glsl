// marrow: a direction that was packed as snorm16x2.
vec3 marrow_octahedral(vec2 p) {
  vec3 n = vec3(p, 1.0 - abs(p.x) - abs(p.y));
  float t = max(-n.z, 0.0);
  return normalize(vec3(n.x + (n.x >= 0.0 ? -t : t), n.y + (n.y >= 0.0 ? -t : t), n.z));
}

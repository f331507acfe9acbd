// The renderer's backdrop: one triangle over the whole picture, with the direction that each pixel looks in.

uniform vec4 u_rays[3];  // to the middle of the picture, and from there to its right and its upper edge

out vec3 v_ray;

void main() {
  vec2 at = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  v_ray = u_rays[0].xyz + at.x * u_rays[1].xyz + at.y * u_rays[2].xyz;
  gl_Position = vec4(at, 0.0, 1.0);
}

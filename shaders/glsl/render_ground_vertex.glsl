// The renderer's ground: a square around the middle of what is drawn.

uniform mat4 u_view_projection;
uniform vec4 u_ground;  // middle, height, half a side

out vec3 v_position;

void main() {
  vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
  v_position = vec3(u_ground.xy + corner * u_ground.w, u_ground.z);
  gl_Position = u_view_projection * vec4(v_position, 1.0);
}

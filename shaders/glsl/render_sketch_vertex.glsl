// The renderer's sketches: coloured triangles, in the world or in pixels.

uniform mat4 u_view_projection;

layout(location = 0) in vec3 a_position;
layout(location = 6) in vec4 a_color;

out vec4 v_color;

void main() {
  v_color = a_color;
  gl_Position = u_view_projection * vec4(a_position, 1.0);
}

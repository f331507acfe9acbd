// The renderer's vertex shader of meshes. The program that makes it writes the version, the definitions and one of the
// techniques (MarrowMatrix marrow_skin...) before it. In the shadow's pass u_view_projection is the light's.

uniform mat4 u_view_projection;
uniform mat4 u_world;
uniform vec4 u_uv_rows[2];  // where on the picture a texture coordinate lies: x and y of each row, and z

layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec2 a_uv;
#ifdef MARROW_SKINNED
layout(location = 3) in uvec4 a_joints;
layout(location = 4) in vec4 a_weights;
#endif
layout(location = 6) in vec4 a_color;

out vec3 v_position;  // in the world
out vec3 v_normal;    // 0 where there is none
out vec2 v_uv;
out vec4 v_color;

void main() {
  vec3 position = a_position;
  vec3 normal = a_normal;
#ifdef MARROW_MORPHS
  marrow_morph(gl_VertexID, position, normal);
#endif
#ifdef MARROW_SKINNED
  MarrowMatrix skin = marrow_skin(a_joints, a_weights);
  position = marrow_position(skin, position);
  normal = marrow_normal(skin, normal);
#endif
  MarrowMatrix world = marrow_rows(u_world);
  v_position = marrow_position(world, position);
  v_normal = marrow_normal(world, normal);
  v_uv = vec2(dot(u_uv_rows[0].xyz, vec3(a_uv, 1.0)), dot(u_uv_rows[1].xyz, vec3(a_uv, 1.0)));
  v_color = a_color;
  gl_Position = u_view_projection * vec4(v_position, 1.0);
  gl_PointSize = 3.0;
}

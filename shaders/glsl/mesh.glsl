// A whole vertex shader: a mesh that is morphed, moved by its skin and put into the world. The program that makes it
// writes the version, the definitions and one of the techniques (MarrowMatrix marrow_skin...) before it.

layout(std140, column_major) uniform MarrowFrame {
  mat4 u_view;
  mat4 u_projection;
  mat4 u_view_projection;
  vec3 u_camera_position;
  float u_time;
};

layout(std140, column_major) uniform MarrowObject {
  mat4 u_world;
};

layout(location = 0) in vec3 a_position;
#ifdef MARROW_OCTAHEDRAL_NORMALS
layout(location = 1) in vec2 a_normal;
#else
layout(location = 1) in vec3 a_normal;
#endif
layout(location = 2) in vec2 a_uv;
layout(location = 3) in uvec4 a_joints;
layout(location = 4) in vec4 a_weights;

out vec3 v_world_position;
out vec3 v_world_normal;
out vec2 v_uv;
out float v_view_depth;

void main() {
  vec3 position = a_position;
#ifdef MARROW_OCTAHEDRAL_NORMALS
  vec3 normal = marrow_octahedral(a_normal);
#else
  vec3 normal = a_normal;
#endif
#ifdef MARROW_MORPHS
  marrow_morph(gl_VertexID, position, normal);
#endif
  MarrowMatrix skin = marrow_skin(a_joints, a_weights);
  MarrowMatrix world = marrow_rows(u_world);
  v_world_position = marrow_position(world, marrow_position(skin, position));
  v_world_normal = marrow_normal(world, marrow_normal(skin, normal));
  v_uv = a_uv;
  vec4 view_position = u_view * vec4(v_world_position, 1.0);
  v_view_depth = -view_position.z;
  gl_Position = u_projection * view_position;
}

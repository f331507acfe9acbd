// marrow: morph targets. To be pasted into a vertex shader of GLSL ES 3.00 or GLSL 3.30, before skinning:
//
//   vec3 position = a_position, normal = a_normal;
//   marrow_morph(gl_VertexID, position, normal);
//
// The vertex is less where the mesh begins, if it is not alone in its vertex buffer. The deltas are in a texture of RGBA32F, row after row: for each target, for each vertex, one texel of the position and
// one of the normal if there are any. The weights are in a uniform buffer. MARROW_MAX_MORPHS, the number of targets, may
// be defined before. What is bound must be as large as the block, also if there are fewer targets.
#ifndef MARROW_MAX_MORPHS
#define MARROW_MAX_MORPHS 64
#endif

uniform highp sampler2D marrow_morph_deltas;

layout(std140) uniform MarrowMorphs {
  ivec4 marrow_morph_size;  // targets, vertices, texels of one vertex: 1, or 2 with normals
  vec4 marrow_morph_weights[(MARROW_MAX_MORPHS + 3) / 4];
};

void marrow_morph(int vertex, inout vec3 position, inout vec3 normal) {
  int width = textureSize(marrow_morph_deltas, 0).x;
  for (int target = 0; target < marrow_morph_size.x; ++target) {
    float weight = marrow_morph_weights[target >> 2][target & 3];
    if (weight == 0.0) continue;
    int at = (target * marrow_morph_size.y + vertex) * marrow_morph_size.z;
    position += weight * texelFetch(marrow_morph_deltas, ivec2(at % width, at / width), 0).xyz;
    if (marrow_morph_size.z > 1) {
      normal += weight * texelFetch(marrow_morph_deltas, ivec2((at + 1) % width, (at + 1) / width), 0).xyz;
    }
  }
}

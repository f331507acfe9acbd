// Matrices in a texture of RGBA32F, 256 in a row of it, of three texels each (the rows of 3x4) or four (the columns of
// 4x4): the width tells which.
MarrowMatrix marrow_fetch(highp sampler2D bones, int index) {
  int texels = textureSize(bones, 0).x >> 8;
  ivec2 at = ivec2(texels * (index & 255), index >> 8);
  vec4 a = texelFetch(bones, at, 0);
  vec4 b = texelFetch(bones, at + ivec2(1, 0), 0);
  vec4 c = texelFetch(bones, at + ivec2(2, 0), 0);
  if (texels == 3) return MarrowMatrix(a, b, c);
  return marrow_rows(mat4(a, b, c, texelFetch(bones, at + ivec2(3, 0), 0)));
}

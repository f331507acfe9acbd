// The renderer's ground: what the backdrop has there, with the shadow and a grid over it that fades with distance. In
// sRGB, multiplied by alpha.

#include "render_light.glsl"

uniform vec4 u_ground;  // middle, height, half a side
uniform vec4 u_grid;    // distance of lines; how dark they and every tenth are; how dark the shadow is

in vec3 v_position;

out vec4 color;

// How much of the pixel the lines of a grid cover. `size` is that of the pixel, in the grid.
float lines(vec2 at, vec2 size, float width) {
  vec2 far = abs(fract(at - 0.5) - 0.5);
  vec2 wide = max(vec2(width), size);
  vec2 covered = (1.0 - smoothstep(wide * 0.5, wide * 0.5 + size, far)) * clamp(width / wide * 2.0, 0.0, 1.0);
  covered *= 1.0 - smoothstep(0.2, 0.5, size);
  return max(covered.x, covered.y);
}

void main() {
  vec2 from_middle = v_position.xy - u_ground.xy;
  float fade = 1.0 - smoothstep(0.15, 1.0, length(from_middle) / u_ground.w);
  vec2 at = v_position.xy / u_grid.x, size = fwidth(at);
  float dark = max(lines(at, size, 0.012) * u_grid.y, lines(at * 0.1, size * 0.1, 0.003) * u_grid.z);
  float shade = (1.0 - marrow_lit(v_position, vec3(0.0, 0.0, 1.0), 5)) * u_grid.w;
  // Both darken what is there: as nearly black of so much alpha.
  float alpha = 1.0 - (1.0 - dark * fade) * (1.0 - shade);
  color = vec4(vec3(0.09, 0.10, 0.13) * alpha, alpha);
}

// The light of the renderer's fragment shaders: a key light with a soft shadow, the sky and what the ground gives back,
// and how the sum becomes the colour of a pixel.

uniform highp sampler2DShadow u_shadow_map;
uniform mat4 u_shadow_from_world;  // to texture coordinates and depth
uniform vec4 u_shadow;             // side of a texel in the map, in the world, and as depth; w: 0 for no shadow
uniform vec4 u_to_light;           // xyz a direction
uniform vec4 u_key, u_sky, u_earth;

// How much of the key light arrives, from 0 to 1, smoothly over `taps` texels and back. The place looked up is moved off
// the surface, the more the flatter the light falls, so that a surface does not shade itself.
float marrow_lit(vec3 position, vec3 normal, int taps) {
  if (u_shadow.w == 0.0) return 1.0;
  float slope = clamp(1.0 - dot(normal, u_to_light.xyz), 0.0, 1.0);
  vec3 off = normal * (u_shadow.y * (1.0 + 3.0 * slope));
  vec3 at = (u_shadow_from_world * vec4(position + off, 1.0)).xyz;
  if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) return 1.0;
  float depth = min(at.z - u_shadow.z, 0.9999);  // beyond what casts a shadow, its shadow goes on
  // Places two texels apart, each of which the sampler smooths over two by two.
  float sum = 0.0;
  vec2 first = at.xy - u_shadow.x * float(taps - 1);
  for (int y = 0; y < taps; ++y) {
    for (int x = 0; x < taps; ++x) {
      sum += texture(u_shadow_map, vec3(first + vec2(float(x), float(y)) * (2.0 * u_shadow.x), depth));
    }
  }
  return sum / float(taps * taps);
}

// Light from above and from below, smoothly from the one to the other.
vec3 marrow_ambient(vec3 normal) { return mix(u_earth.rgb, u_sky.rgb, 0.5 + 0.5 * normal.z); }

// Colours stay what they are up to where highlights begin; from there on they approach white and never reach it. The
// largest channel decides, so that the hue stays.
vec3 marrow_tone(vec3 color) {
  const float knee = 0.75;
  float peak = max(max(color.r, color.g), color.b);
  if (peak <= knee) return color;
  float bent = 1.0 - (1.0 - knee) * (1.0 - knee) / (peak + 1.0 - 2.0 * knee);
  float paler = 1.0 - 1.0 / (0.2 * (peak - bent) + 1.0);
  return mix(color * (bent / peak), vec3(bent), paler);
}

// From linear light to sRGB.
vec3 marrow_encode(vec3 color) {
  vec3 c = clamp(color, 0.0, 1.0);
  return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, vec3(lessThan(c, vec3(0.0031308))));
}

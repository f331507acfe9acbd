// The renderer's fragment shader of meshes: a diffuse surface with a little gloss. Colours come out in sRGB, multiplied
// by alpha.

#include "render_light.glsl"

uniform sampler2D u_texture;  // base colour
uniform sampler2D u_emissive_texture;
uniform vec4 u_base_color;
uniform vec4 u_emissive;  // and w: roughness
uniform vec4 u_surface;   // metallic; unlit; alpha is discarded below this; and from this on
uniform vec4 u_alpha;     // x: 1 to draw everything opaque; y: 1 to draw opaque what is not discarded
uniform vec4 u_eye;

in vec3 v_position;
in vec3 v_normal;
in vec2 v_uv;
in vec4 v_color;

out vec4 color;

// The surface's own normal where the mesh has none: flat.
vec3 flat_normal() {
  vec3 n = cross(dFdx(v_position), dFdy(v_position));
  float size = length(n);
  return size > 0.0 ? n / size : vec3(0.0, 0.0, 1.0);
}

float gloss(vec3 n, vec3 to_eye, float roughness) {
  vec3 half_way = normalize(u_to_light.xyz + to_eye);
  float a = roughness * roughness, around = max(dot(n, half_way), 0.0);
  float d = around * around * (a * a - 1.0) + 1.0;
  return min(a * a / (d * d) * 0.25, 4.0);
}

void main() {
  vec4 base = u_base_color * v_color * texture(u_texture, v_uv);
  base.a = max(base.a, u_alpha.x);
  if (base.a < u_surface.z || base.a >= u_surface.w) discard;
  base.a = max(base.a, u_alpha.y);
  vec3 to_eye = normalize(u_eye.xyz - v_position);
  vec3 flat_n = flat_normal();
  float size = length(v_normal);
  vec3 n = size > 0.01 ? v_normal / size : (dot(flat_n, to_eye) < 0.0 ? -flat_n : flat_n);
  if (size > 0.01 && !gl_FrontFacing) n = -n;

  vec3 glow = u_emissive.rgb;
  if (glow != vec3(0.0)) glow *= texture(u_emissive_texture, v_uv).rgb;
  vec3 light = base.rgb + glow;
  if (u_surface.y == 0.0) {
    float metallic = u_surface.x, roughness = clamp(u_emissive.w, 0.25, 1.0);
    float facing = dot(n, u_to_light.xyz);
    float key = facing > 0.0 ? facing * marrow_lit(v_position, n, 3) : 0.0;
    vec3 mirror = mix(vec3(0.04), base.rgb, metallic);
    vec3 diffuse = base.rgb * (1.0 - 0.7 * metallic);
    vec3 around = marrow_ambient(reflect(-to_eye, n)) * mix(vec3(0.02), base.rgb * 0.7, metallic);
    light = diffuse * (u_key.rgb * key + marrow_ambient(n)) + mirror * u_key.rgb * (key * gloss(n, to_eye, roughness)) +
            around + glow;
    light = marrow_tone(light);
  }
  color = vec4(marrow_encode(light) * base.a, base.a);
}

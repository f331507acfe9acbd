// The renderer's fragment shader for the shadow's depth: nothing but holes.

uniform sampler2D u_texture;
uniform vec4 u_base_color;
uniform vec4 u_surface;
uniform vec4 u_alpha;

in vec2 v_uv;
in vec4 v_color;

void main() {
  float alpha = max(u_base_color.a * v_color.a * texture(u_texture, v_uv).a, u_alpha.x);
  if (alpha < u_surface.z) discard;
}

// The renderer's sketches: colours as they are, multiplied by alpha.

in vec4 v_color;

out vec4 color;

void main() { color = vec4(v_color.rgb * v_color.a, v_color.a); }

// The renderer's backdrop: a bright horizon, a little darker above it and below. In sRGB.

in vec3 v_ray;

out vec4 color;

void main() {
  float height = normalize(v_ray).z;
  vec3 horizon = vec3(0.885, 0.89, 0.895), zenith = vec3(0.74, 0.765, 0.79);
  vec3 floor_far = vec3(0.86, 0.86, 0.855), floor_near = vec3(0.74, 0.74, 0.74);
  vec3 above = mix(horizon, zenith, smoothstep(0.0, 0.8, height));
  vec3 below = mix(floor_far, floor_near, smoothstep(0.0, 0.7, -height));
  color = vec4(mix(below, above, smoothstep(-0.04, 0.02, height)), 1.0);
}

// A whole vertex shader: a mesh that is morphed, moved by its skin and put into the world. The program that makes it
// writes before it one of the techniques (marrow_skin...), one of mesh_normals_*.wgsl and morphing.wgsl or
// mesh_no_morphs.wgsl.

struct MarrowFrame {
  view: mat4x4<f32>,
  projection: mat4x4<f32>,
  view_projection: mat4x4<f32>,
  camera_position: vec3<f32>,
  time: f32,
}

struct MarrowObject {
  world: mat4x4<f32>,
}

@group(0) @binding(0) var<uniform> frame: MarrowFrame;
@group(2) @binding(0) var<uniform> object: MarrowObject;

struct MarrowVertex {
  @location(0) position: vec3<f32>,
  @location(1) normal: MarrowNormal,
  @location(2) uv: vec2<f32>,
  @location(3) joints: vec4<u32>,
  @location(4) weights: vec4<f32>,
}

struct MarrowFragment {
  @builtin(position) clip_position: vec4<f32>,
  @location(0) world_position: vec3<f32>,
  @location(1) world_normal: vec3<f32>,
  @location(2) uv: vec2<f32>,
  @location(3) view_depth: f32,
}

@vertex
fn vertex_main(in: MarrowVertex, @builtin(vertex_index) vertex_index: u32) -> MarrowFragment {
  var position = in.position;
  var normal = marrow_unpacked_normal(in.normal);
  marrow_morph(vertex_index, &position, &normal);
  let skin = marrow_skin(in.joints, in.weights);
  let world = marrow_rows(object.world);
  var out: MarrowFragment;
  out.world_position = marrow_position(world, marrow_position(skin, position));
  out.world_normal = marrow_normal(world, marrow_normal(skin, normal));
  out.uv = in.uv;
  let view_position = frame.view * vec4<f32>(out.world_position, 1.0);
  out.view_depth = -view_position.z;
  out.clip_position = frame.projection * view_position;
  return out;
}

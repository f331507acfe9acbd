// marrow: morph targets. To be pasted into a vertex shader of WGSL, before skinning:
//
//   var position = in.position;
//   var normal = in.normal;
//   marrow_morph(vertex_index, &position, &normal);
//
// The vertex is @builtin(vertex_index), less where the mesh begins if it is not alone in its vertex buffer. The deltas
// are one after the other: for each target, for each vertex, one vector of the position and one of the normal if there
// are any, four numbers each, of which the last is not used. There may be any number of targets.

struct MarrowMorphs {
  size: vec4<u32>,  // targets, vertices, vectors of one vertex: 1, or 2 with normals
  weights: array<f32>,
}

@group(2) @binding(1) var<storage, read> marrow_morph_deltas: array<vec4<f32>>;
@group(2) @binding(2) var<storage, read> marrow_morphs: MarrowMorphs;

fn marrow_morph(vertex: u32, position: ptr<function, vec3<f32>>, normal: ptr<function, vec3<f32>>) {
  let size = marrow_morphs.size;
  for (var i = 0u; i < size.x; i++) {
    let weight = marrow_morphs.weights[i];
    if (weight == 0.0) { continue; }
    let at = (i * size.y + vertex) * size.z;
    *position += weight * marrow_morph_deltas[at].xyz;
    if (size.z > 1u) { *normal += weight * marrow_morph_deltas[at + 1u].xyz; }
  }
}

// A bone out of storage buffers, in the mode of the draw.
@group(0) @binding(7) var<uniform> marrow_skinning_mode: u32;  // 0 raw, 1 bound

fn marrow_bone(index: u32) -> MarrowMatrix {
  if (marrow_skinning_mode == 0u) { return marrow_bones[index]; }
  return marrow_product(marrow_bones[index], marrow_inverse_binds[index]);
}

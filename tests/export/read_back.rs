// Writes the arrays of generated code as bytes. Compiled beside mesh.rs and animation.rs.
mod animation;
mod mesh;

use animation::*;
use mesh::*;
use std::io::Write;

fn put_floats(out: &mut Vec<u8>, values: &[f32]) {
    values.iter().for_each(|v| out.extend(v.to_le_bytes()));
}

fn put_words(out: &mut Vec<u8>, values: &[u32]) {
    values.iter().for_each(|v| out.extend(v.to_le_bytes()));
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend(text.bytes().take_while(|b| *b != 0));
    out.push(0);
}

fn main() {
    let out = &mut Vec::new();
    put_words(out, &[VERTEX_FORMAT, VERTEX_STRIDE, VERTEX_COUNT]);
    out.extend(VERTICES);
    put_words(out, &[INDEX_COUNT]);
    INDICES.iter().for_each(|v| out.extend(v.to_le_bytes()));
    put_words(out, &[PART_COUNT]);
    put_words(out, &PART_FIRST_INDEX);
    put_words(out, &PART_INDEX_COUNT);
    PART_MATERIALS.iter().for_each(|name| put_text(out, name));
    put_floats(out, &PART_COLORS);
    put_words(out, &[BONE_COUNT]);
    out.extend(SKELETON_ID.to_le_bytes());
    put_floats(out, &INVERSE_BIND_MATRICES);
    BONE_PARENTS.iter().for_each(|v| out.extend(v.to_le_bytes()));
    put_floats(out, &BONE_REST_LOCAL);
    BONE_NAMES.iter().for_each(|name| put_text(out, name));
    put_text(out, ANIMATION_NAME);
    put_floats(out, &[ANIMATION_DURATION]);
    put_words(out, &[ANIMATION_FRAME_COUNT]);
    put_floats(out, &[ANIMATION_FPS]);
    put_words(out, &[ANIMATION_BONE_COUNT]);
    out.extend(ANIMATION_SKELETON_ID.to_le_bytes());
    put_floats(out, &[ANIMATION_ERROR, ANIMATION_ERROR_RELATIVE]);
    put_floats(out, &KEYFRAME_TIMES);
    put_floats(out, &KEYFRAMES);
    put_words(out, &[ANIMATED_BONE_COUNT]);
    put_words(out, &ANIMATED_BONES);
    out.extend(INTERPOLATIONS);
    std::io::stdout().write_all(out).unwrap();
}

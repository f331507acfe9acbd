// Writes the arrays of generated code as bytes. Compiled with the folder of mesh.h and animation.h on the path.
#include <stdio.h>
#include <string.h>

#include "animation.h"
#include "mesh.h"

static void put(const void *from, size_t size) { fwrite(from, 1, size, stdout); }
static void put_u32(uint32_t value) { put(&value, sizeof value); }
static void put_u64(uint64_t value) { put(&value, sizeof value); }
static void put_f32(float value) { put(&value, sizeof value); }
static void put_text(const char *text) { put(text, strlen(text) + 1); }

int main(void) {
  unsigned i;
  put_u32(VERTEX_FORMAT);
  put_u32(VERTEX_STRIDE);
  put_u32(VERTEX_COUNT);
  put(VERTICES, sizeof VERTICES);
  put_u32(INDEX_COUNT);
  put(INDICES, sizeof INDICES);
  put_u32(PART_COUNT);
  put(PART_FIRST_INDEX, sizeof PART_FIRST_INDEX);
  put(PART_INDEX_COUNT, sizeof PART_INDEX_COUNT);
  for (i = 0; i < PART_COUNT; ++i) put_text(PART_MATERIALS[i]);
  put(PART_COLORS, sizeof PART_COLORS);
  put_u32(BONE_COUNT);
  put_u64(SKELETON_ID);
  put(INVERSE_BIND_MATRICES, sizeof INVERSE_BIND_MATRICES);
  put(BONE_PARENTS, sizeof BONE_PARENTS);
  put(BONE_REST_LOCAL, sizeof BONE_REST_LOCAL);
  for (i = 0; i < BONE_COUNT; ++i) put_text(BONE_NAMES[i]);
  put_text(ANIMATION_NAME);
  put_f32(ANIMATION_DURATION);
  put_u32(ANIMATION_FRAME_COUNT);
  put_f32(ANIMATION_FPS);
  put_u32(ANIMATION_BONE_COUNT);
  put_u64(ANIMATION_SKELETON_ID);
  put_f32(ANIMATION_ERROR);
  put_f32(ANIMATION_ERROR_RELATIVE);
  put(KEYFRAME_TIMES, sizeof KEYFRAME_TIMES);
  put(KEYFRAMES, sizeof KEYFRAMES);
  put_u32(ANIMATED_BONE_COUNT);
  put(ANIMATED_BONES, ANIMATED_BONE_COUNT * sizeof(uint32_t));
  put(INTERPOLATIONS, sizeof INTERPOLATIONS);
  return 0;
}

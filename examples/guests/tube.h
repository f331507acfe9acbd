/* A tube with bones in it, for creatures that are made in code: it begins at the origin and goes along -x, and bone i
 * is at (-i * spacing, 0, 0), not turned. */
#ifndef MARROW_EXAMPLES_TUBE_H
#define MARROW_EXAMPLES_TUBE_H

#include "marrow_guest.h"

enum { tube_sides = 12, tube_format = GUEST_COLOR | GUEST_NORMAL | GUEST_BONES };

/* A vertex as load_mesh_indexed takes it for that format. */
typedef struct tube_vertex {
  float position[3], color[4], normal[3];
  uint8_t bones[4], weights[4];
} tube_vertex;

/* An ellipse across the tube. */
typedef struct tube_ring {
  float x, width, height;   /* where it is, and how far it reaches along y and z */
  float color[3], below[3]; /* on top, and at the bottom */
} tube_ring;

/* Returns the vertex at a place, which follows the two bones around it by how near they are. */
static inline tube_vertex tube_point(float x, float y, float z, const float* normal, const float* color, float spacing,
                                     uint32_t bone_count) {
  const float end = (float)(bone_count - 1), along = -x / spacing;
  const float held = along < 0.0f ? 0.0f : along < end ? along : end;
  const uint32_t bone = (uint32_t)held, next = bone + 1 < bone_count ? bone + 1 : bone;
  const uint8_t weight = (uint8_t)((held - (float)bone) * 255.0f + 0.5f);
  const tube_vertex out = {{x, y, z},
                           {color[0], color[1], color[2], 1},
                           {normal[0], normal[1], normal[2]},
                           {(uint8_t)bone, (uint8_t)next, 0, 0},
                           {(uint8_t)(255 - weight), weight, 0, 0}};
  return out;
}

/* Writes the vertices of the rings, tube_sides for each, and the indices of what is between them, six for each side.
 * The rings are at least two, and go backwards. One without width or height is a tip. */
static inline void tube_build(const tube_ring* rings, uint32_t ring_count, float spacing, uint32_t bone_count,
                              tube_vertex* vertices, uint16_t* indices) {
  for (uint32_t i = 0; i < ring_count; ++i) {
    const tube_ring *ring = &rings[i], *before = &rings[i > 0 ? i - 1 : 0];
    const tube_ring* after = &rings[i + 1 < ring_count ? i + 1 : i];
    const float width_slope = (after->width - before->width) / (after->x - before->x);
    const float height_slope = (after->height - before->height) / (after->x - before->x);
    for (uint32_t side = 0; side < tube_sides; ++side) {
      const float angle = (float)side * (6.2831853f / (float)tube_sides);
      const float c = guest_cos(angle), s = guest_sin(angle), up = 0.5f + 0.5f * s;
      float color[3], normal[3];
      for (int k = 0; k < 3; ++k) color[k] = ring->below[k] + (ring->color[k] - ring->below[k]) * up;

      /* The gradient of the ellipses' equation. It is 0 at a tip, which looks ahead or back. */
      normal[0] = -(c * c * width_slope * ring->height + s * s * height_slope * ring->width);
      normal[1] = c * ring->height;
      normal[2] = s * ring->width;
      const float square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
      const float length = (float)guest_sqrt((double)square);
      for (int k = 0; k < 3; ++k) normal[k] = length > 0.0f ? normal[k] / length : 0.0f;
      if (!(length > 0.0f)) normal[0] = i == 0 ? 1.0f : -1.0f;

      vertices[i * tube_sides + side] =
          tube_point(ring->x, c * ring->width, s * ring->height, normal, color, spacing, bone_count);
    }
  }
  for (uint32_t i = 0; i + 1 < ring_count; ++i) {
    for (uint32_t side = 0; side < tube_sides; ++side) {
      const uint32_t a = i * tube_sides + side, b = i * tube_sides + (side + 1) % tube_sides;
      const uint32_t corners[6] = {a, a + tube_sides, b, b, a + tube_sides, b + tube_sides};
      for (uint32_t k = 0; k < 6; ++k) indices[(i * tube_sides + side) * 6 + k] = (uint16_t)corners[k];
    }
  }
}

/* Writes the inverse binds of its bones. */
static inline void tube_inverse_binds(float spacing, uint32_t bone_count, guest_matrix* out) {
  for (uint32_t i = 0; i < bone_count; ++i) out[i] = guest_translation((float)i * spacing, 0, 0);
}

#endif

// Kernels: the matrix that each vertex moves by. See src/math/lanes.h for the rules.
#pragma once

#include "src/skin/kernel_imports.h"
#include "src/skin/kernels.h"

namespace marrow::MARROW_LANES_NAMESPACE {

inline constexpr uint32_t kMatrixFloats = 12;
inline constexpr uint32_t kRowsStride = 16;  // of matrices that were blended row by row: none crosses a cache line
inline constexpr uint32_t kDualFloats = 20;
inline constexpr uint32_t kUsualInfluences = 4;

// Vertices go through the steps so many at a time: what lies between the steps stays in the nearest cache, and each
// step is so short that the processor works on several rounds of it at once.
inline constexpr uint32_t kChunk = 64;

struct Vectors {
  F x, y, z;
};

// The rows of the 3x3 part, and the translation.
struct Matrices {
  Vectors row[3];
  Vectors translation;
};

// The same in memory, for as many vertices as there are lanes.
struct MatrixRound {
  float row[3][4][MARROW_LANES];
};

// The 3x3 part alone.
struct Rows {
  Vectors row[3];
};

MARROW_INLINE Vectors load_vectors(const float (*p)[MARROW_LANES]) { return {load(p[0]), load(p[1]), load(p[2])}; }
MARROW_INLINE Rows load_rows(const MatrixRound& m) {
  return {{load_vectors(m.row[0]), load_vectors(m.row[1]), load_vectors(m.row[2])}};
}
MARROW_INLINE void store_matrices(MatrixRound& to, const Matrices& m) {
  const F translation[3] = {m.translation.x, m.translation.y, m.translation.z};
  for (int i = 0; i < 3; ++i) {
    store(to.row[i][0], m.row[i].x);
    store(to.row[i][1], m.row[i].y);
    store(to.row[i][2], m.row[i].z);
    store(to.row[i][3], translation[i]);
  }
}

MARROW_INLINE F dot(const Vectors& a, const Vectors& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
MARROW_INLINE Vectors scale(const Vectors& a, F s) { return {a.x * s, a.y * s, a.z * s}; }
MARROW_INLINE Vectors cross(const Vectors& a, const Vectors& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
MARROW_INLINE Vectors product(const Vectors (&rows)[3], const Vectors& v) {
  return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
}

// The joints and weights of the vertices from one on.
struct Influencers {
  const uint8_t* joints;
  FloatsIn weights;
};

// An array from a vertex on.
template <typename Floats>
MARROW_INLINE Floats part_from(Floats array, uint64_t vertex) {
  return {array.data ? array.data + vertex * array.stride : array.data, array.stride};
}

// Where in the palette a joint is. An index beyond it is brought inside: vertices may have one where the weight is
// zero.
MARROW_INLINE uint32_t offset_of(const SkinKernelJob& job, uint32_t joint, uint32_t floats) {
  const uint32_t last = job.palette_size - 1;
  return (joint < last ? joint : last) * floats;
}

// The same for one influence of a vertex.
MARROW_INLINE uint32_t find_offset(const SkinKernelJob& job, const uint8_t* joints, uint32_t vertex, uint32_t influence,
                                   uint32_t floats) {
  const uint8_t* indices = joints + static_cast<uint64_t>(vertex) * job.joint_stride;
  const uint32_t joint = job.wide_joints ? reinterpret_cast<const uint16_t*>(indices)[influence] : indices[influence];
  return offset_of(job, joint, floats);
}

// And for the four of each of `count` vertices.
MARROW_INLINE void find_four_offsets(const SkinKernelJob& job, const uint8_t* joints, uint32_t count,
                                     uint32_t* offset) {
  if (job.wide_joints && job.joint_stride == kUsualInfluences * sizeof(uint16_t)) {  // which compilers vectorise
    const auto* index = reinterpret_cast<const uint16_t*>(joints);
    for (uint32_t i = 0; i < count * kUsualInfluences; ++i) offset[i] = offset_of(job, index[i], kMatrixFloats);
    return;
  }
  for (uint32_t i = 0; i < count * kUsualInfluences; ++i) {
    offset[i] = find_offset(job, joints, i / kUsualInfluences, i % kUsualInfluences, kMatrixFloats);
  }
}

// ---- Linear blending -------------------------------------------------------------------------------------------

// Vertex by vertex, a row after the other: to collect the numbers of each matrix for all lanes would take more shuffles
// than to turn the sums round afterwards.

MARROW_NOINLINE static void blend_four_matrices(const SkinKernelJob& job, const Influencers& from, uint32_t count,
                                                float* out) {
  alignas(64) uint32_t offset[kChunk * kUsualInfluences];
  find_four_offsets(job, from.joints, count, offset);
  const float* const palette = job.palette;
  const float* weights = from.weights.data;
  const uint32_t stride = from.weights.stride;
  for (const uint32_t* at = offset; at != offset + count * kUsualInfluences; at += kUsualInfluences) {
    const float *a = palette + at[0], *b = palette + at[1], *c = palette + at[2], *d = palette + at[3];
    const Row2 w = load_row_twice(weights);
    const Row2 wa = splat_x(w), wb = splat_y(w), wc = splat_z(w), wd = splat_w(w);
    store_row2(out, ((wa * load_row2(a) + wb * load_row2(b)) + wc * load_row2(c)) + wd * load_row2(d));
    store_row(out + 8, ((first(wa) * load_row(a + 8) + first(wb) * load_row(b + 8)) + first(wc) * load_row(c + 8)) +
                           first(wd) * load_row(d + 8));
    weights += stride;
    out += kRowsStride;
  }
}

// The same for any number of influences, and bit for bit where there are four.
MARROW_NOINLINE static void blend_any_matrices(const SkinKernelJob& job, const Influencers& from, uint32_t count,
                                               float* out) {
  for (uint32_t vertex = 0; vertex < count; ++vertex) {
    const float* weight = from.weights.data + static_cast<uint64_t>(vertex) * from.weights.stride;
    const float* matrix = job.palette + find_offset(job, from.joints, vertex, 0, kMatrixFloats);
    Row2 top = splat_row2(weight[0]) * load_row2(matrix);
    Row bottom = splat_row(weight[0]) * load_row(matrix + 8);
    for (uint32_t i = 1; i < job.influences; ++i) {
      matrix = job.palette + find_offset(job, from.joints, vertex, i, kMatrixFloats);
      top = top + splat_row2(weight[i]) * load_row2(matrix);
      bottom = bottom + splat_row(weight[i]) * load_row(matrix + 8);
    }
    store_row2(out + vertex * kRowsStride, top);
    store_row(out + vertex * kRowsStride + 8, bottom);
  }
}

inline constexpr uint32_t kGroup = 8;

// The joints of the group that a round of vertices is in, and the weights of the vertices in the lanes.
struct Group {
  const uint32_t *joint, *end;
  const float* weights;

  MARROW_INLINE_METHOD Group(const SkinKernelJob& job, uint64_t vertex) {
    const uint32_t* first = job.group_first + vertex / kGroup;
    joint = job.group_joints + first[0];
    end = job.group_joints + first[1];
    weights = job.group_weights + static_cast<uint64_t>(first[0]) * kGroup + vertex % kGroup;
  }
};

// Twelve sums, one for each number of a matrix, are as many as fit in registers.
MARROW_NOINLINE static void blend_group_matrices(const SkinKernelJob& job, uint64_t vertex, uint32_t count,
                                                 MatrixRound* out) {
  const float* const palette = job.palette;
  for (uint32_t at = 0; at < count; at += MARROW_LANES, ++out) {
    const Group group(job, vertex + at);
    const float *m = palette + *group.joint * kMatrixFloats, *weights = group.weights;
    F sums[kMatrixFloats], weight = load(weights);
    for (uint32_t n = 0; n < kMatrixFloats; ++n) sums[n] = splat(m[n]) * weight;
    for (const uint32_t* joint = group.joint + 1; joint != group.end; ++joint) {
      m = palette + *joint * kMatrixFloats;
      weights += kGroup;
      weight = load(weights);
      for (uint32_t n = 0; n < kMatrixFloats; ++n) sums[n] = sums[n] + splat(m[n]) * weight;
    }
    for (uint32_t n = 0; n < kMatrixFloats; ++n) store(out->row[n / 4][n % 4], sums[n]);
  }
}

// ---- Dual quaternions ------------------------------------------------------------------------------------------

// Kavan, Collins, Zara, O'Sullivan: Geometric Skinning with Approximate Dual Quaternion Blending (2008). q and -q are
// the same rotation: all are taken on the side of the joint with the largest weight (of equal ones the lowest). What
// joints do beside turning and moving, their stretch, is blended linearly and applied first.

struct DualJoints {
  Quats real, dual;
};

// The dual quaternions of one influence of all lanes.
struct Influence {
  uint32_t offset[MARROW_LANES];
  F weight, number;  // of the joint
  DualJoints joints;
};

MARROW_INLINE Influence load_influence(const SkinKernelJob& job, const Influencers& from, uint32_t vertex,
                                       uint32_t influence) {
  Influence to;
  alignas(32) float weight[MARROW_LANES], number[MARROW_LANES];
  for (uint32_t lane = 0; lane < MARROW_LANES; ++lane) {
    to.offset[lane] = find_offset(job, from.joints, vertex + lane, influence, kDualFloats);
    number[lane] = static_cast<float>(to.offset[lane]);
    weight[lane] = from.weights.data[static_cast<uint64_t>(vertex + lane) * from.weights.stride + influence];
  }
  to.weight = load(weight);
  to.number = load(number);
  F v[8];
  load_row_pairs(job.palette, to.offset, 1, v);
  to.joints = {{v[0], v[1], v[2], v[3]}, {v[4], v[5], v[6], v[7]}};
  return to;
}

MARROW_INLINE Quats add_scaled(const Quats& sum, const Quats& q, F s) {
  return {sum.x + q.x * s, sum.y + q.y * s, sum.z + q.z * s, sum.w + q.w * s};
}

// The rotation and translation of a dual quaternion of any length; none for length zero.
MARROW_INLINE Matrices to_matrices(const DualJoints& q) {
  const Quats &r = q.real, &d = q.dual;
  const F zero = splat(0.0f), one = splat(1.0f), two = splat(2.0f);
  const F square = dot(r, r);
  const M has_length = zero < square;
  const F s = select(has_length, two / select(has_length, square, one), zero);
  const F x = r.x * s, y = r.y * s, z = r.z * s;
  const F xx = r.x * x, xy = r.x * y, xz = r.x * z, yy = r.y * y, yz = r.y * z, zz = r.z * z;
  const F wx = r.w * x, wy = r.w * y, wz = r.w * z;
  Matrices m;
  m.row[0] = {one - (yy + zz), xy - wz, xz + wy};
  m.row[1] = {xy + wz, one - (xx + zz), yz - wx};
  m.row[2] = {xz - wy, yz + wx, one - (xx + yy)};
  const Vectors turn = cross({r.x, r.y, r.z}, {d.x, d.y, d.z});
  m.translation = {((r.w * d.x - d.w * r.x) + turn.x) * s, ((r.w * d.y - d.w * r.y) + turn.y) * s,
                   ((r.w * d.z - d.w * r.z) + turn.z) * s};
  return m;
}

// The sum of dual quaternions on the side of the pivot, and of stretches.
struct DualSum {
  Quats pivot;
  F largest, number;  // its weight, and which joint it is
  DualJoints sum;
  Vectors stretch[3];
};

MARROW_INLINE DualSum start_sum(const DualJoints& first, F weight, F number) {
  const F zero = splat(0.0f);
  const Vectors nothing = {zero, zero, zero};
  return {
      first.real, weight, number, {{zero, zero, zero, zero}, {zero, zero, zero, zero}}, {nothing, nothing, nothing}};
}

MARROW_INLINE void consider_pivot(DualSum& sum, const DualJoints& q, F weight, F number) {
  const M more = sum.largest < weight;
  sum.pivot = select(more, q.real, sum.pivot);
  sum.number = select(more, number, sum.number);
  const M before = (sum.largest == weight) & (number < sum.number);
  sum.pivot = select(before, q.real, sum.pivot);
  sum.number = select(before, number, sum.number);
  sum.largest = larger(sum.largest, weight);
}

MARROW_INLINE void add_dual(DualSum& sum, const DualJoints& q, F weight) {
  const F zero = splat(0.0f);
  const F turned = select(dot(q.real, sum.pivot) < zero, zero - weight, weight);
  sum.sum.real = add_scaled(sum.sum.real, q.real, turned);
  sum.sum.dual = add_scaled(sum.sum.dual, q.dual, turned);
}

MARROW_INLINE void add_stretch(DualSum& sum, int i, const Vectors& row, F weight) {
  Vectors& to = sum.stretch[i];
  to = {to.x + row.x * weight, to.y + row.y * weight, to.z + row.z * weight};
}

MARROW_INLINE Matrices finish_sum(const SkinKernelJob& job, const DualSum& sum) {
  Matrices m = to_matrices(sum.sum);
  if (!job.stretched) return m;
  const Vectors(&stretch)[3] = sum.stretch;
  for (Vectors& row : m.row) {
    const Vectors r = row;
    row = {(r.x * stretch[0].x + r.y * stretch[1].x) + r.z * stretch[2].x,
           (r.x * stretch[0].y + r.y * stretch[1].y) + r.z * stretch[2].y,
           (r.x * stretch[0].z + r.y * stretch[1].z) + r.z * stretch[2].z};
  }
  return m;
}

MARROW_INLINE Matrices blend_duals_at(const SkinKernelJob& job, const Influencers& from, uint32_t vertex) {
  const Influence first = load_influence(job, from, vertex, 0);
  DualSum sum = start_sum(first.joints, first.weight, first.number);
  for (uint32_t i = 1; i < job.influences; ++i) {
    const Influence next = load_influence(job, from, vertex, i);
    consider_pivot(sum, next.joints, next.weight, next.number);
  }
  for (uint32_t i = 0; i < job.influences; ++i) {
    const Influence next = load_influence(job, from, vertex, i);
    add_dual(sum, next.joints, next.weight);
    for (int r = 0; r < 3 && job.stretched; ++r) {
      Vectors row;
      F unused;
      load_rows(job.palette + 8 + 4 * r, next.offset, 1, row.x, row.y, row.z, unused);
      add_stretch(sum, r, row, next.weight);
    }
  }
  return finish_sum(job, sum);
}

MARROW_INLINE Quats splat_quats(const float* p) { return {splat(p[0]), splat(p[1]), splat(p[2]), splat(p[3])}; }

MARROW_INLINE Matrices blend_group_duals(const SkinKernelJob& job, uint64_t vertex) {
  const Group group(job, vertex);
  const auto joint_of = [&job](const uint32_t* joint) { return job.palette + *joint * kDualFloats; };
  const auto dual_of = [](const float* q) { return DualJoints{splat_quats(q), splat_quats(q + 4)}; };
  const float* weights = group.weights;
  DualSum sum = start_sum(dual_of(joint_of(group.joint)), load(weights), splat(0.0f));
  for (const uint32_t* joint = group.joint + 1; joint != group.end; ++joint) {
    weights += kGroup;
    consider_pivot(sum, dual_of(joint_of(joint)), load(weights), splat(1.0f));  // in rising order: the first counts
  }
  weights = group.weights;
  for (const uint32_t* joint = group.joint; joint != group.end; ++joint, weights += kGroup) {
    const float* q = joint_of(joint);
    const F weight = load(weights);
    add_dual(sum, dual_of(q), weight);
    for (int r = 0; r < 3 && job.stretched; ++r) {
      const float* row = q + 8 + 4 * r;
      add_stretch(sum, r, {splat(row[0]), splat(row[1]), splat(row[2])}, weight);
    }
  }
  return finish_sum(job, sum);
}

MARROW_NOINLINE static void blend_duals(const SkinKernelJob& job, const Influencers& from, uint32_t count,
                                        MatrixRound* out) {
  for (uint32_t vertex = 0; vertex < count; vertex += MARROW_LANES) {
    store_matrices(*out++, blend_duals_at(job, from, vertex));
  }
}

// ---- All of it -------------------------------------------------------------------------------------------------

// Turns matrices that lie row by row round, so that each number of them is side by side for all lanes.
MARROW_NOINLINE static void turn_round(const float* rows, uint32_t count, MatrixRound* out) {
  for (uint32_t vertex = 0; vertex < count; vertex += MARROW_LANES, ++out) {
    for (uint32_t i = 0; i < 3; ++i) {
      F x, y, z, w;
      load_rows(rows + vertex * kRowsStride + 4 * i, kRowsStride, x, y, z, w);
      store(out->row[i][0], x);
      store(out->row[i][1], y);
      store(out->row[i][2], z);
      store(out->row[i][3], w);
    }
  }
}

// The vertex must be the first of a round.
MARROW_INLINE void blend_groups(const SkinKernelJob& job, uint64_t vertex, uint32_t count, MatrixRound* out) {
  if (!job.dual) return blend_group_matrices(job, vertex, count, out);
  for (uint32_t at = 0; at < count; at += MARROW_LANES) store_matrices(*out++, blend_group_duals(job, vertex + at));
}

// The same for one round from any vertex on: out of the two that it lies across.
MARROW_NOINLINE static void blend_across_groups(const SkinKernelJob& job, uint64_t vertex, MatrixRound* out) {
  alignas(64) MatrixRound both[2];
  const uint32_t off = vertex % MARROW_LANES;
  blend_groups(job, vertex - off, 2 * MARROW_LANES, both);
  for (uint32_t i = 0; i < kMatrixFloats; ++i) {
    for (uint32_t lane = 0; lane < MARROW_LANES; ++lane) {
      const uint32_t at = off + lane;
      out->row[i / 4][i % 4][lane] = both[at / MARROW_LANES].row[i / 4][i % 4][at % MARROW_LANES];
    }
  }
}

// Writes the matrices of `count` vertices from one on, at most a chunk and a multiple of the lanes.
MARROW_INLINE void blend(const SkinKernelJob& job, uint64_t vertex, uint32_t count, MatrixRound* out) {
  if (job.group_first) {
    if (vertex % MARROW_LANES != 0) return blend_across_groups(job, vertex, out);
    return blend_groups(job, vertex, count, out);
  }
  const Influencers from = {job.joints + vertex * job.joint_stride, part_from(job.weights, vertex)};
  if (job.dual) return blend_duals(job, from, count, out);
  alignas(64) float rows[kChunk * kRowsStride];
  if (job.influences == kUsualInfluences) {
    blend_four_matrices(job, from, count, rows);
  } else {
    blend_any_matrices(job, from, count, rows);
  }
  turn_round(rows, count, out);
}

}  // namespace marrow::MARROW_LANES_NAMESPACE

// Kernels: vertices moved by the joints of a palette. See src/math/lanes.h for the rules.
#pragma once

#include "src/skin/skin_matrices_kernel.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// Vertices from one on, a multiple of the lanes: pointers to the first, and the strides of what comes in.
struct Run {
  uint32_t count;
  const float *positions, *normals, *tangents;
  uint32_t position_stride, normal_stride, tangent_stride;
  uint64_t vertex;
  float *out_positions, *out_normals, *out_tangents;
};

inline constexpr uint32_t kRounds = kChunk / MARROW_LANES;

// What becomes of normals, of any length, and the determinants of the matrices, of which the signs count.
struct NormalRound {
  float normal[3][MARROW_LANES], determinant[MARROW_LANES];
};

MARROW_NOINLINE static void move_positions(const SkinKernelJob& job, const Run& run, const MatrixRound* matrices) {
  const uint32_t stride = run.position_stride, out_stride = job.out_position_stride;
  for (uint32_t at = 0; at < run.count; at += MARROW_LANES, ++matrices) {
    Vectors p;
    load_vectors(run.positions + at * stride, stride, p.x, p.y, p.z);
    const auto moved = [&](const float(&row)[4][MARROW_LANES]) { return dot(load_vectors(row), p) + load(row[3]); };
    store_vectors(run.out_positions + at * out_stride, out_stride, moved(matrices->row[0]), moved(matrices->row[1]),
                  moved(matrices->row[2]));
  }
}

// ---- Normals ---------------------------------------------------------------------------------------------------

template <bool kByMatrix>
MARROW_INLINE void find_normals(const Vectors (&rows)[3], const Vectors& normal, bool with_sign, NormalRound& out) {
  const Vectors cofactors[3] = {cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])};
  const Vectors moved = kByMatrix ? product(rows, normal) : product(cofactors, normal);
  if (!kByMatrix || with_sign) store(out.determinant, dot(rows[0], cofactors[0]));
  store(out.normal[0], moved.x);
  store(out.normal[1], moved.y);
  store(out.normal[2], moved.z);
}

// Without normals the determinants alone count.
MARROW_INLINE Vectors load_normals(const Run& run, uint32_t at) {
  Vectors normal = {splat(0.0f), splat(0.0f), splat(1.0f)};
  if (run.normals) load_vectors(run.normals + at * run.normal_stride, run.normal_stride, normal.x, normal.y, normal.z);
  return normal;
}

template <bool kByMatrix>
MARROW_NOINLINE static void find_normals(const SkinKernelJob& job, const Run& run, const MatrixRound* matrices,
                                         NormalRound* out) {
  for (uint32_t at = 0; at < run.count; at += MARROW_LANES, ++matrices, ++out) {
    const Vectors rows[3] = {load_vectors(matrices->row[0]), load_vectors(matrices->row[1]),
                             load_vectors(matrices->row[2])};
    find_normals<kByMatrix>(rows, load_normals(run, at), job.out_tangents != nullptr, *out);
  }
}

// True where a square is so far from those that overflow and those that vanish that it can be relied on.
MARROW_INLINE M is_sound(F square) { return (splat(1e-30f) < square) & (square < splat(1e30f)); }

// Brings the largest part of a vector, or of all, to 1, if there is one.
MARROW_INLINE F largest_part(const Vectors& v) {
  return larger(larger(magnitude(v.x), magnitude(v.y)), magnitude(v.z));
}
MARROW_INLINE F inverse_size(F size) { return splat(1.0f) / select(splat(0.0f) < size, size, splat(1.0f)); }
MARROW_INLINE Vectors near_one(const Vectors& v) { return scale(v, inverse_size(largest_part(v))); }
MARROW_INLINE void near_one(Vectors (&rows)[3]) {
  const F factor = inverse_size(larger(larger(largest_part(rows[0]), largest_part(rows[1])), largest_part(rows[2])));
  for (Vectors& row : rows) row = scale(row, factor);
}

MARROW_INLINE Vectors select(M m, const Vectors& a, const Vectors& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

MARROW_INLINE Vectors load_vectors(const float (&p)[3][MARROW_LANES]) { return {load(p[0]), load(p[1]), load(p[2])}; }

MARROW_INLINE F sign_of(F x) { return select(x < splat(0.0f), splat(-1.0f), splat(1.0f)); }

// Does the lanes again in which squares or products may have vanished or overflowed, with everything brought near to 1
// first; each lane by itself, since what a vertex becomes must not depend on its neighbours.
template <bool kByMatrix>
MARROW_NOINLINE static void mend_normals(const Run& run, uint32_t at, const MatrixRound& matrices, NormalRound& round) {
  Vectors rows[3] = {load_vectors(matrices.row[0]), load_vectors(matrices.row[1]), load_vectors(matrices.row[2])};
  near_one(rows);
  NormalRound mended;
  find_normals<kByMatrix>(rows, near_one(load_normals(run, at)), true, mended);
  const Vectors moved = load_vectors(round.normal);
  const M sound = is_sound(dot(moved, moved));
  const Vectors n = select(sound, moved, near_one(load_vectors(mended.normal)));
  store(round.normal[0], n.x);
  store(round.normal[1], n.y);
  store(round.normal[2], n.z);
  store(round.determinant, select(sound, load(round.determinant), load(mended.determinant)));
}

// A square root and a division: Newton's method in their place was tried, and takes longer.
template <bool kByMatrix>
MARROW_NOINLINE static void finish_normals(const SkinKernelJob& job, const Run& run, const MatrixRound* matrices,
                                           NormalRound* rounds) {
  const uint32_t stride = job.out_normal_stride;
  for (uint32_t at = 0; at < run.count; at += MARROW_LANES, ++matrices, ++rounds) {
    Vectors n = load_vectors(rounds->normal);
    F square = dot(n, n);
    M sound = is_sound(square);
    if (bits_of(sound) != kAllLanes) {
      mend_normals<kByMatrix>(run, at, *matrices, *rounds);
      n = load_vectors(rounds->normal);
      square = dot(n, n);
      sound = is_sound(square);  // what still is not has no length
      n = select(sound, n, {splat(0.0f), splat(0.0f), splat(0.0f)});
      square = select(sound, square, splat(1.0f));
    }
    if (!job.out_normals) continue;
    n = scale(n, (kByMatrix ? splat(1.0f) : sign_of(load(rounds->determinant))) / square_root(square));
    store_vectors(run.out_normals + at * stride, stride, n.x, n.y, n.z);
  }
}

// ---- Tangents --------------------------------------------------------------------------------------------------

MARROW_NOINLINE static void move_tangents(const SkinKernelJob& job, const Run& run, const MatrixRound* matrices,
                                          const NormalRound* normals) {
  for (uint32_t at = 0; at < run.count; at += MARROW_LANES, ++matrices, ++normals) {
    Vectors tangent,
        rows[3] = {load_vectors(matrices->row[0]), load_vectors(matrices->row[1]), load_vectors(matrices->row[2])};
    F side;
    load_rows(run.tangents + at * run.tangent_stride, run.tangent_stride, tangent.x, tangent.y, tangent.z, side);
    Vectors moved = product(rows, tangent);
    const M sound = is_sound(dot(moved, moved));
    if (bits_of(sound) != kAllLanes) {
      near_one(rows);
      moved = select(sound, moved, near_one(product(rows, near_one(tangent))));
    }
    const F square = dot(moved, moved);
    const Vectors t = select(is_sound(square), scale(moved, splat(1.0f) / square_root(square)),
                             {splat(0.0f), splat(0.0f), splat(0.0f)});
    store_rows(run.out_tangents + at * job.out_tangent_stride, job.out_tangent_stride, t.x, t.y, t.z,
               side * sign_of(load(normals->determinant)));
  }
}

// ---- All of it -------------------------------------------------------------------------------------------------

template <bool kByMatrix>
MARROW_INLINE void move_directions(const SkinKernelJob& job, const Run& run, const MatrixRound* matrices) {
  alignas(64) NormalRound normals[kRounds];
  find_normals<kByMatrix>(job, run, matrices, normals);
  finish_normals<kByMatrix>(job, run, matrices, normals);
  if (job.out_tangents) move_tangents(job, run, matrices, normals);
}

static void skin_run(const SkinKernelJob& job, const Run& run) {
  alignas(64) MatrixRound matrices[kRounds];
  blend(job, run.vertex, run.count, matrices);
  if (job.out_positions) move_positions(job, run, matrices);
  if (!job.out_normals && !job.out_tangents) return;
  if (job.by_matrix) {
    move_directions<true>(job, run, matrices);
  } else {
    move_directions<false>(job, run, matrices);
  }
}

MARROW_INLINE Run run_at(const SkinKernelJob& job, uint64_t vertex, uint32_t count) {
  const auto at = [vertex](auto* array, uint32_t stride) { return array ? array + vertex * stride : array; };
  return {count,
          at(job.positions, job.position_stride),
          at(job.normals, job.normal_stride),
          at(job.tangents, job.tangent_stride),
          job.position_stride,
          job.normal_stride,
          job.tangent_stride,
          vertex,
          at(job.out_positions, job.out_position_stride),
          at(job.out_normals, job.out_normal_stride),
          at(job.out_tangents, job.out_tangent_stride)};
}

// Puts a copy of one attribute of a run's vertices, side by side, in its place.
template <uint32_t kFloats>
MARROW_INLINE void copy_aside(const float*& array, uint32_t& stride, float* copy) {
  if (!array) return;
  for (uint32_t i = 0; i < kFloats * MARROW_LANES; ++i) copy[i] = array[i / kFloats * stride + i % kFloats];
  array = copy;
  stride = kFloats;
}

static void skin_all(const SkinKernelJob& job) {
#if MARROW_LANES > 1
  if (job.count < MARROW_LANES) return lanes1::kSkinKernels.skin(job);
#endif
  // The last run ends with the last vertex, and so does some again that were done before. It works on copies, made
  // first since the results may go where the vertices come from, and since nothing behind the last may be read.
  const uint64_t last = job.count - MARROW_LANES;
  Run end = run_at(job, last, MARROW_LANES);
  float positions[3 * MARROW_LANES], normals[3 * MARROW_LANES], tangents[4 * MARROW_LANES];
  copy_aside<3>(end.positions, end.position_stride, positions);
  copy_aside<3>(end.normals, end.normal_stride, normals);
  copy_aside<4>(end.tangents, end.tangent_stride, tangents);
  for (uint64_t vertex = 0; vertex < last; vertex += kChunk) {
    const uint64_t left = (last - vertex + MARROW_LANES - 1) / MARROW_LANES * MARROW_LANES;
    skin_run(job, run_at(job, vertex, left < kChunk ? static_cast<uint32_t>(left) : kChunk));
  }
  skin_run(job, end);
}

}  // namespace marrow::MARROW_LANES_NAMESPACE

// Kernels: vertices moved by the joints of a palette. See src/math/lanes.h for the rules.
#pragma once

#include "src/skin/skin_matrices_kernel.h"

namespace marrow::MARROW_LANES_NAMESPACE {

// Vertices from one on, a multiple of the lanes.
struct Run {
  uint64_t vertex;
  uint32_t count;
  FloatsIn positions, normals, tangents;
  FloatsOut out_positions, out_normals, out_tangents;
};

// The vectors of the vertices in the lanes, from `at` on.
MARROW_INLINE Vectors load_vectors(FloatsIn array, uint32_t at) {
  Vectors v;
  load_vectors(array.data + at * array.stride, array.stride, v.x, v.y, v.z);
  return v;
}
MARROW_INLINE void store_vectors(FloatsOut array, uint32_t at, const Vectors& v) {
  store_vectors(array.data + at * array.stride, array.stride, v.x, v.y, v.z);
}

inline constexpr uint32_t kRounds = kChunk / MARROW_LANES;

// What becomes of normals, of any length, and the determinants of the matrices, of which the signs count.
struct NormalRound {
  float normal[3][MARROW_LANES], determinant[MARROW_LANES];
};

MARROW_NOINLINE static void move_positions(const Run& run, const MatrixRound* matrices) {
  const FloatsIn from = run.positions;
  const FloatsOut to = run.out_positions;
  for (uint32_t at = 0; at < run.count; at += MARROW_LANES, ++matrices) {
    const Vectors p = load_vectors(from, at);
    const auto moved = [&](const float(&row)[4][MARROW_LANES]) { return dot(load_vectors(row), p) + load(row[3]); };
    store_vectors(to, at, {moved(matrices->row[0]), moved(matrices->row[1]), moved(matrices->row[2])});
  }
}

// ---- Normals ---------------------------------------------------------------------------------------------------

template <bool kByMatrix>
MARROW_INLINE void find_normals(const Rows& matrix, const Vectors& normal, bool with_sign, NormalRound& out) {
  const Vectors(&rows)[3] = matrix.row;
  const Vectors cofactors[3] = {cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])};
  const Vectors moved = kByMatrix ? product(rows, normal) : product(cofactors, normal);
  if (!kByMatrix || with_sign) store(out.determinant, dot(rows[0], cofactors[0]));
  store(out.normal[0], moved.x);
  store(out.normal[1], moved.y);
  store(out.normal[2], moved.z);
}

// Without normals the determinants alone count.
MARROW_INLINE Vectors load_normals(const Run& run, uint32_t at) {
  if (!run.normals.data) return {splat(0.0f), splat(0.0f), splat(1.0f)};
  return load_vectors(run.normals, at);
}

template <bool kByMatrix>
MARROW_NOINLINE static void find_normals(const Run& run, const MatrixRound* matrices, NormalRound* out) {
  for (uint32_t at = 0; at < run.count; at += MARROW_LANES, ++matrices, ++out) {
    find_normals<kByMatrix>(load_rows(*matrices), load_normals(run, at), run.out_tangents.data != nullptr, *out);
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
MARROW_INLINE Rows near_one(const Rows& m) {
  const F largest = larger(larger(largest_part(m.row[0]), largest_part(m.row[1])), largest_part(m.row[2]));
  const F factor = inverse_size(largest);
  return {{scale(m.row[0], factor), scale(m.row[1], factor), scale(m.row[2], factor)}};
}

MARROW_INLINE Vectors select(M m, const Vectors& a, const Vectors& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

MARROW_INLINE F sign_of(F x) { return select(x < splat(0.0f), splat(-1.0f), splat(1.0f)); }

// Does the lanes again in which squares or products may have vanished or overflowed, with everything brought near to 1
// first; each lane by itself, since what a vertex becomes must not depend on its neighbours.
template <bool kByMatrix>
MARROW_NOINLINE static void mend_normals(const Run& run, uint32_t at, const MatrixRound& matrices, NormalRound& round) {
  NormalRound mended;
  find_normals<kByMatrix>(near_one(load_rows(matrices)), near_one(load_normals(run, at)), true, mended);
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
MARROW_NOINLINE static void finish_normals(const Run& run, const MatrixRound* matrices, NormalRound* rounds) {
  const FloatsOut to = run.out_normals;
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
    if (!to.data) continue;
    n = scale(n, (kByMatrix ? splat(1.0f) : sign_of(load(rounds->determinant))) / square_root(square));
    store_vectors(to, at, n);
  }
}

// ---- Tangents --------------------------------------------------------------------------------------------------

MARROW_NOINLINE static void move_tangents(const Run& run, const MatrixRound* matrices, const NormalRound* normals) {
  const FloatsIn from = run.tangents;
  const FloatsOut to = run.out_tangents;
  for (uint32_t at = 0; at < run.count; at += MARROW_LANES, ++matrices, ++normals) {
    Vectors tangent;
    F side;
    load_rows(from.data + at * from.stride, from.stride, tangent.x, tangent.y, tangent.z, side);
    const Rows rows = load_rows(*matrices);
    Vectors moved = product(rows.row, tangent);
    const M sound = is_sound(dot(moved, moved));
    if (bits_of(sound) != kAllLanes) {
      moved = select(sound, moved, near_one(product(near_one(rows).row, near_one(tangent))));
    }
    const F square = dot(moved, moved);
    const Vectors t = select(is_sound(square), scale(moved, splat(1.0f) / square_root(square)),
                             {splat(0.0f), splat(0.0f), splat(0.0f)});
    store_rows(to.data + at * to.stride, to.stride, t.x, t.y, t.z, side * sign_of(load(normals->determinant)));
  }
}

// ---- All of it -------------------------------------------------------------------------------------------------

template <bool kByMatrix>
MARROW_INLINE void move_directions(const Run& run, const MatrixRound* matrices) {
  alignas(64) NormalRound normals[kRounds];
  find_normals<kByMatrix>(run, matrices, normals);
  finish_normals<kByMatrix>(run, matrices, normals);
  if (run.out_tangents.data) move_tangents(run, matrices, normals);
}

static void skin_run(const SkinKernelJob& job, const Run& run) {
  alignas(64) MatrixRound matrices[kRounds];
  blend(job, run.vertex, run.count, matrices);
  if (run.out_positions.data) move_positions(run, matrices);
  if (!run.out_normals.data && !run.out_tangents.data) return;
  if (job.by_matrix) {
    move_directions<true>(run, matrices);
  } else {
    move_directions<false>(run, matrices);
  }
}

MARROW_INLINE Run run_from(const SkinKernelJob& job, uint64_t vertex, uint32_t count) {
  return {vertex,
          count,
          part_from(job.positions, vertex),
          part_from(job.normals, vertex),
          part_from(job.tangents, vertex),
          part_from(job.out_positions, vertex),
          part_from(job.out_normals, vertex),
          part_from(job.out_tangents, vertex)};
}

// Puts a copy of one attribute of a run's vertices, side by side, in its place.
template <uint32_t kFloats>
MARROW_INLINE void copy_aside(FloatsIn& array, float* copy) {
  if (!array.data) return;
  for (uint32_t i = 0; i < kFloats * MARROW_LANES; ++i) {
    copy[i] = array.data[i / kFloats * array.stride + i % kFloats];
  }
  array = {copy, kFloats};
}

static void skin_all(const SkinKernelJob& job) {
#if MARROW_LANES > 1
  if (job.count < MARROW_LANES) return lanes1::kSkinKernels.skin(job);
#endif
  // The last run ends with the last vertex, and so does some again that were done before. It works on copies, made
  // first since the results may go where the vertices come from, and since nothing behind the last may be read.
  const uint64_t last = job.count - MARROW_LANES;
  Run end = run_from(job, last, MARROW_LANES);
  float positions[3 * MARROW_LANES], normals[3 * MARROW_LANES], tangents[4 * MARROW_LANES];
  copy_aside<3>(end.positions, positions);
  copy_aside<3>(end.normals, normals);
  copy_aside<4>(end.tangents, tangents);
  for (uint64_t vertex = 0; vertex < last; vertex += kChunk) {
    const uint64_t left = (last - vertex + MARROW_LANES - 1) / MARROW_LANES * MARROW_LANES;
    skin_run(job, run_from(job, vertex, left < kChunk ? static_cast<uint32_t>(left) : kChunk));
  }
  skin_run(job, end);
}

}  // namespace marrow::MARROW_LANES_NAMESPACE

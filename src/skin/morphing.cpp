// Morph targets, and with them the whole way of a model's vertices.
#include <algorithm>

#include "marrow/core/assert.h"
#include "marrow/skin/skinning.h"
#include "src/skin/imports.h"

namespace marrow {
namespace {

std::span<const float> usable(std::span<const float> weights, const Vertices& vertices) {
  return weights.first(std::min(weights.size(), vertices.targets.size()));
}

// Adds the deltas of all targets; `member` says which of a target's arrays they are in.
template <typename T>
void add_targets(const Vertices& vertices, Array<Vec3> MorphTarget::*member, std::span<const float> weights,
                 std::span<T> out) {
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const std::span<const Vec3> deltas = vertices.targets[t].*member;
    const float weight = weights[t];
    if (weight == 0 || deltas.empty()) continue;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].x += weight * deltas[i].x;
      out[i].y += weight * deltas[i].y;
      out[i].z += weight * deltas[i].z;
    }
  }
}

void check_sizes(const Vertices& vertices, const SkinnedVertices& out) {
  const std::size_t count = vertices.positions.size();
  MARROW_ASSERT(out.positions.empty() || out.positions.size() == count, "positions must be as long as the vertices");
  MARROW_ASSERT(out.normals.empty() || (out.normals.size() == count && vertices.normals.size() == count),
                "normals must be as long as the vertices, which must have them");
  MARROW_ASSERT(out.tangents.empty() || (out.tangents.size() == count && vertices.tangents.size() == count),
                "tangents must be as long as the vertices, which must have them");
}

// An empty span may point somewhere all the same, and means that nothing is wanted.
template <typename T>
void set_array(const Array<T>& from, std::span<T> to, bool in_place, Strided<const T>& in, Strided<T>& out) {
  if (to.empty()) return;
  in.data = in_place ? to.data() : from.data();
  out.data = to.data();
}

// Everything of a job but the joints. With morph weights the results are morphed first, and then moved in place.
SkinJob job_of(const Vertices& vertices, std::span<const float> morph_weights, const SkinnedVertices& out,
               const InfluenceGroups* groups) {
  check_sizes(vertices, out);
  const std::span<const float> weights = usable(morph_weights, vertices);
  const bool morphs = std::any_of(weights.begin(), weights.end(), [](float w) { return w != 0; });
  if (morphs) morph_vertices(vertices, weights, out);
  SkinJob job;
  job.count = vertices.positions.size();
  set_array(vertices.positions, out.positions, morphs, job.positions, job.out_positions);
  set_array(vertices.normals, out.normals, morphs, job.normals, job.out_normals);
  set_array(vertices.tangents, out.tangents, morphs, job.tangents, job.out_tangents);
  job.groups = groups;
  job.influences = vertices.influences;
  job.joints.data = vertices.joints.data();
  job.weights.data = vertices.weights.data();
  return job;
}

}  // namespace

void morph_vertices(const Vertices& vertices, std::span<const float> morph_weights, const SkinnedVertices& out) {
  check_sizes(vertices, out);
  const std::span<const float> weights = usable(morph_weights, vertices);
  exactly([&] {
    if (!out.positions.empty()) std::copy(vertices.positions.begin(), vertices.positions.end(), out.positions.begin());
    if (!out.normals.empty()) std::copy(vertices.normals.begin(), vertices.normals.end(), out.normals.begin());
    if (!out.tangents.empty()) std::copy(vertices.tangents.begin(), vertices.tangents.end(), out.tangents.begin());
    add_targets(vertices, &MorphTarget::positions, weights, out.positions);
    add_targets(vertices, &MorphTarget::normals, weights, out.normals);
    add_targets(vertices, &MorphTarget::tangents, weights, out.tangents);
    return 0;
  });
}

void skin_vertices(const Vertices& vertices, std::span<const float> morph_weights, std::span<const Affine> palette,
                   const SkinnedVertices& out, const InfluenceGroups* groups) {
  SkinJob job = job_of(vertices, morph_weights, out, groups);
  job.palette = palette;
  skin(job);
}

void skin_vertices(const Vertices& vertices, std::span<const float> morph_weights,
                   std::span<const DualJoint> dual_palette, bool stretches, const SkinnedVertices& out,
                   const InfluenceGroups* groups) {
  SkinJob job = job_of(vertices, morph_weights, out, groups);
  job.dual_palette = dual_palette;
  job.stretches = stretches;
  skin(job);
}

void skin_rigidly(const Vertices& vertices, std::span<const float> morph_weights, const Affine& matrix,
                  const SkinnedVertices& out) {
  SkinJob job = job_of(vertices, morph_weights, out, nullptr);
  job.influences = 0;
  job.palette = std::span(&matrix, 1);
  skin(job);
}

}  // namespace marrow

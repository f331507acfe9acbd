#include "marrow/skin/bounds.h"

#include <algorithm>

#include "marrow/core/assert.h"
#include "src/skin/bounds_data.h"
#include "src/skin/imports.h"
#include "src/skin/kernels.h"

namespace marrow {
namespace {

// Vertices that no joint moves.
constexpr Affine kUnmoved;

// Part of the largest number that took part by which a box is made larger: rounding of vertices and box is well below.
constexpr float kRounding = 4e-6f;

BoundsLimits no_limits() {
  BoundsLimits limits;
  for (int i = 0; i < 3; ++i) {
    std::fill_n(limits.low[i], kBoundsBlock, 3e38f);
    std::fill_n(limits.high[i], kBoundsBlock, -3e38f);
  }
  std::fill_n(limits.size, kBoundsBlock, 0.0f);
  return limits;
}

bool are_zero(std::span<const float> weights) {
  return std::all_of(weights.begin(), weights.end(), [](float w) { return w == 0; });
}

// Widens a box by what morph targets do to its vertices.
void morph_box(BoundsBlock& block, std::uint32_t at, std::span<const MorphReach> reaches,
               std::span<const float> weights) {
  for (const MorphReach& reach : reaches) {
    const float w = reach.target < weights.size() ? weights[reach.target] : 0;
    if (w == 0) continue;
    const float low[3] = {reach.low.x, reach.low.y, reach.low.z}, high[3] = {reach.high.x, reach.high.y, reach.high.z};
    for (int i = 0; i < 3; ++i) {
      const float a = w * low[i], b = w * high[i];
      const float less = a < b ? a : b, more = a < b ? b : a;
      const float old = block.center[i][at], middle = old + (less + more) * 0.5f;
      block.center[i][at] = middle;
      // Rounding of the middle is made good by the half.
      block.half[i][at] += (more - less) * 0.5f + ((middle < 0 ? -middle : middle) + (old < 0 ? -old : old)) * 2e-7f;
    }
    block.radius[at] = 3e18f;  // the box alone
  }
}

void move_list(const BoxList& list, const float* palette, std::span<const float> weights, const float* others,
               BoundsLimits& limits) {
  const SkinKernels& kernels = skin_kernels();
  if (list.first_reach.empty() || are_zero(weights)) {
    const auto count = static_cast<std::uint32_t>(list.blocks.size());
    return kernels.move_boxes(list.blocks.data(), count, palette, others, limits);
  }
  for (std::size_t b = 0; b < list.blocks.size(); ++b) {
    BoundsBlock block = list.blocks[b];
    for (std::uint32_t at = 0; at < kBoundsBlock; ++at) {
      const std::size_t box = std::min<std::size_t>(b * kBoundsBlock + at, list.count - 1);
      const std::uint32_t first = list.first_reach[box], last = list.first_reach[box + 1];
      morph_box(block, at, std::span(list.reaches).subspan(first, last - first), weights);
    }
    kernels.move_boxes(&block, 1, palette, others, limits);
  }
}

// The ends over all places: three low ones and three high ones. A zero is plus zero, whatever order they came in.
void reduce(const BoundsLimits& limits, float (&ends)[6]) {
  for (int i = 0; i < 3; ++i) {
    float low = limits.low[i][0], high = limits.high[i][0];
    for (std::uint32_t k = 1; k < kBoundsBlock; ++k) {
      low = limits.low[i][k] < low ? limits.low[i][k] : low;
      high = limits.high[i][k] > high ? limits.high[i][k] : high;
    }
    ends[i] = low + 0.0f;
    ends[3 + i] = high + 0.0f;
  }
}

Box widened(const float (&ends)[6], float by) {
  return {{ends[0] - by, ends[1] - by, ends[2] - by}, {ends[3] + by, ends[4] + by, ends[5] + by}};
}

float margin(const SkinBoundsData& data, const BoundsLimits& limits) {
  const float size = *std::max_element(limits.size, limits.size + kBoundsBlock);
  return size * (kRounding + data.sum_error * 1.001f);
}

// A vertex is w times where its main joint puts it and 1 - w times a mean of where the others do.
Box linear_box(const SkinBoundsData& data, const float* palette, std::span<const float> weights) {
  BoundsLimits minors = no_limits();
  move_list(data.minors, palette, weights, nullptr, minors);
  float others[6];
  reduce(minors, others);
  BoundsLimits limits = no_limits();
  std::copy_n(minors.size, kBoundsBlock, limits.size);
  move_list(data.mains, palette, weights, data.minors.count > 0 ? others : nullptr, limits);
  float ends[6];
  reduce(limits, ends);
  return widened(ends, margin(data, limits));
}

// ---- Dual quaternions ------------------------------------------------------------------------------------------
//
// Let a be the joint that a vertex follows the most, t_i = Q_i x where joint i would put it, u_i = t_i - t_a, D the
// square of the length of sum w_i q_i, and f_ij half the angle between joints i and j. Blending gives
//
//   p = sum_i w_i (sum_j w_j cos f_ij) t_i / D + sum_{i < j} w_i w_j sin f_ij (t_i - t_j) x n_ij / D
//
// so that |p - t_a| <= sum_i w_i |u_i| (1 + |sin f_ia| + (1 - w_a) s) / D, where s is the largest |sin f_ij|. All q are
// on the side of q_a, so that sqrt(D) is at least w_a + sum_i w_i cos f_ia.

struct Turn {
  double cosine;  // of half the angle between two joints
  double sine;
};

Turn turn_between(const DualJoint& a, const DualJoint& b) {
  const Quatd p = widen(a.real), q = widen(b.real);
  double c = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  c = c < 0 ? -c : c;
  if (c > 1) c = 1;
  return {c, det::sqrt_d(1 - c * c)};
}

Vec3d moved(const Affine& m, Vec3d v) {
  const auto row = [&](int i) { return m.m[i][0] * v.x + m.m[i][1] * v.y + m.m[i][2] * v.z + m.m[i][3]; };
  return {row(0), row(1), row(2)};
}

// The largest factor by which a 3x3 matrix makes a vector longer, or more.
double norm(const Affine& m) {
  double sum = 0;
  for (const auto& row : m.m)
    sum += static_cast<double>(row[0]) * row[0] + static_cast<double>(row[1]) * row[1] +
           static_cast<double>(row[2]) * row[2];
  return det::sqrt_d(sum);
}

double stretch_difference(const DualJoint& a, const DualJoint& b) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double d = static_cast<double>(a.stretch[i][j]) - static_cast<double>(b.stretch[i][j]);
      sum += d * d;
    }
  }
  return det::sqrt_d(sum);
}

// Collects a sum over the other joints, each with the largest weight that it has, or with the largest that all have
// together: what is less holds.
struct WeightedSum {
  double each = 0, largest = 0;
  void add(double weight, double value) {
    each += weight * value;
    largest = std::max(largest, value);
  }
  [[nodiscard]] double total(double loose) const { return std::min(each, loose * largest); }
};

// How far the vertices of a set are from where its main joint puts them, at most.
double arc_reach(const SkinBoundsData& data, const JointSet& set, std::uint32_t main, std::span<const Affine> palette,
                 std::span<const DualJoint> dual, bool stretches, double morph) {
  const std::span<const OtherJoint> others = std::span(data.others).subspan(set.first, set.count);
  const double radius = set.radius + morph, size = stretches ? norm(palette[main]) : 1;
  const Vec3d center = widen(set.center);
  double least_cosine = 1;
  WeightedSum stretch;  // how far x is from what the main joint's stretch makes of the vertex
  for (const OtherJoint& other : others) {
    least_cosine = std::min(least_cosine, turn_between(dual[main], dual[other.joint]).cosine);
    if (stretches) {
      stretch.add(other.weight, stretch_difference(dual[main], dual[other.joint]) * (length(center) + radius));
    }
  }
  // Two joints beside the main one may be twice as far apart as each is from it.
  const double sine = det::sqrt_d(1 - least_cosine * least_cosine);
  const double largest_sine = least_cosine * least_cosine > 0.5 ? 2 * sine * least_cosine : 1;

  WeightedSum arcs, lost;
  double farthest = 0;
  for (const OtherJoint& other : others) {
    const Turn turn = turn_between(dual[main], dual[other.joint]);
    double apart = length(subtract(moved(palette[other.joint], center), moved(palette[main], center))) +
                   2 * turn.sine * size * radius;
    if (stretches) {
      const double difference = stretch_difference(dual[main], dual[other.joint]);
      apart += difference * radius + difference * (length(center) + radius) + 2 * stretch.total(set.loose);
    }
    farthest = std::max(farthest, apart);
    arcs.add(other.weight, apart * (1 + turn.sine + set.loose * largest_sine));
    lost.add(other.weight, 1 - turn.cosine);
  }
  const double root = 1 - lost.total(set.loose);
  double reach = arcs.total(set.loose) / (root * root);
  // Between two joints it is a screw, of half a turn at most, and its ends are farthest apart.
  if (others.size() == 1) reach = std::min(reach, farthest);
  return reach + stretch.total(set.loose);
}

Box dual_box(const SkinBoundsData& data, std::span<const Affine> palette, std::span<const DualJoint> dual,
             bool stretches, std::span<const float> weights) {
  double morph = 0;
  for (std::size_t t = 0; t < std::min(weights.size(), data.target_lengths.size()); ++t) {
    morph += static_cast<double>(data.target_lengths[t]) * (weights[t] < 0 ? -weights[t] : weights[t]);
  }
  Box all;
  std::size_t next = 0;
  for (std::uint32_t main = 0; main < data.mains.count; ++main) {
    const std::uint32_t joint = data.mains.blocks[main / kBoundsBlock].offset[main % kBoundsBlock] / kAffineFloats;
    double reach = 0;
    for (; next < data.sets.size() && data.sets[next].main == main; ++next) {
      reach = std::max(reach, arc_reach(data, data.sets[next], joint, palette, dual, stretches, morph));
    }
    // The box of this main joint alone.
    BoundsBlock block;
    const BoundsBlock& from = data.mains.blocks[main / kBoundsBlock];
    const std::uint32_t place = main % kBoundsBlock;
    for (std::uint32_t i = 0; i < kBoundsBlock; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        block.center[axis][i] = from.center[axis][place];
        block.half[axis][i] = from.half[axis][place] + static_cast<float>(morph * 1.000001);
      }
      block.radius[i] = from.radius[place] + static_cast<float>(morph * 1.000001);
      block.loose[i] = 0;
      block.offset[i] = from.offset[place];
    }
    BoundsLimits limits = no_limits();
    skin_kernels().move_boxes(&block, 1, &palette[0].m[0][0], nullptr, limits);
    float ends[6];
    reduce(limits, ends);
    all = enclose(all, widened(ends, margin(data, limits) + static_cast<float>(reach * 1.000001)));
  }
  return all;
}

}  // namespace

Box SkinBounds::box(std::span<const Affine> palette, std::span<const float> morph_weights) const {
  if (data_->mains.count == 0) return {};
  if (palette.empty()) palette = std::span(&kUnmoved, 1);
  MARROW_ASSERT(data_->joint_end <= palette.size(), "vertices follow a joint that the palette does not have");
  return exactly([&] { return linear_box(*data_, &palette[0].m[0][0], morph_weights); });
}

Box SkinBounds::box(std::span<const Affine> palette, std::span<const DualJoint> dual_palette, bool stretches,
                    std::span<const float> morph_weights) const {
  if (data_->mains.count == 0) return {};
  MARROW_ASSERT(data_->joint_end <= palette.size(), "vertices follow a joint that the palette does not have");
  MARROW_ASSERT(palette.size() == dual_palette.size(), "the palettes must have the same joints");
  return exactly([&] { return dual_box(*data_, palette, dual_palette, stretches, morph_weights); });
}

std::uint32_t SkinBounds::box_count() const { return data_->mains.count + data_->minors.count; }

}  // namespace marrow

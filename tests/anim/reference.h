// Clips and hierarchies in long double, written from the words of glTF 2.0 (appendix C, "Animation Sampler
// Interpolation Modes") and of marrow's headers, with none of marrow's code: what the tests of this module compare it
// with.
#pragma once

#include <span>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/anim/pose.h"
#include "marrow/anim/skeleton.h"
#include "marrow/anim/skin.h"
#include "support/reference.h"

namespace marrow::test {

// The value of a track at a time.
struct RefValue {
  std::vector<Real> parts;  // 3, 4 or as many as there are weights

  // The other way round, where the keys on both sides are half a turn apart up to rounding and so neither way is the
  // shorter; else empty.
  std::vector<Real> other_way;

  // For the error bound of a cubic segment.
  Real reach = 0;   // the length of the longer tangent times that of the interval
  Real length = 1;  // of a rotation before it was normalised
};
[[nodiscard]] RefValue evaluate(const TrackDesc& track, double time_s);

struct RefTransform {
  RefVec translation;
  RefQuat rotation;
  RefVec scale{1, 1, 1};
};
[[nodiscard]] RefTransform ref(const Transform& t);

// The transforms of all joints at a time: rest where there is no track.
[[nodiscard]] std::vector<RefTransform> evaluate(const Skeleton& skeleton, std::span<const TrackDesc> tracks,
                                                 double time_s);

struct RefAffine {
  Real m[3][4];
};
[[nodiscard]] RefAffine ref(const Affine& a);
[[nodiscard]] RefAffine multiply(const RefAffine& a, const RefAffine& b);
[[nodiscard]] RefAffine to_affine(const RefTransform& t);

// The matrices of all joints in model space; a parent is anywhere before its children, negative for none.
[[nodiscard]] std::vector<RefAffine> to_model(std::span<const std::int32_t> parents,
                                              std::span<const RefTransform> locals);

// The same for a pose of the library's.
[[nodiscard]] std::vector<RefAffine> to_model(const Pose& pose);

[[nodiscard]] std::vector<RefAffine> to_palette(const Skin& skin, std::span<const RefAffine> model_from_joint);

// The largest difference of two matrices' entries: of their 3x3 parts, and of their translations.
[[nodiscard]] Real linear_error(const Affine& actual, const RefAffine& exact);
[[nodiscard]] Real translation_error(const Affine& actual, const RefAffine& exact);

}  // namespace marrow::test

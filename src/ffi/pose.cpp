#include "src/ffi/pose.h"

#include "src/ffi/arguments.h"

namespace marrow::ffi {
namespace {

constexpr Property kProperties[] = {Property::translation, Property::rotation, Property::scale, Property::morph};
constexpr std::uint8_t kBits[] = {MARROW_HAS_TRANSLATION, MARROW_HAS_ROTATION, MARROW_HAS_SCALE, MARROW_HAS_MORPHS};

bool are_usable(const float* values, std::uint64_t count) {
  return std::all_of(values, values + count, [](float x) { return x >= -1e18f && x <= 1e18f; });
}

std::uint64_t morph_count(const Skeleton& skeleton) {
  std::uint64_t count = 0;
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) count += skeleton.morph_count(j);
  return count;
}

}  // namespace

marrow_status check_pose(const marrow_pose* pose, const Skeleton& skeleton) {
  if (pose == nullptr) return null_pointer("pose");
  const std::uint32_t joints = skeleton.joint_count();
  MARROW_FFI_TRY(check_array(pose->transforms, pose->transform_count, joints, "transforms"));
  if (pose->morphs != nullptr || pose->morph_count > 0) {
    MARROW_FFI_TRY(check_array(pose->morphs, pose->morph_count, morph_count(skeleton), "morphs"));
  }
  if (pose->present != nullptr || pose->present_count > 0) {
    MARROW_FFI_TRY(check_array(pose->present, pose->present_count, joints, "present"));
  }
  return MARROW_OK;
}

marrow_status check_values(const marrow_transform& transform, const char* parameter) {
  const marrow_transform& t = transform;
  if (are_usable(t.translation, 3) && are_usable(t.rotation, 4) && are_usable(t.scale, 3)) return MARROW_OK;
  return fail(MARROW_ERROR_NOT_FINITE, "a transform has a value that is not finite or too large", parameter);
}

marrow_status check_morphs(const float* weights, std::uint64_t count, const char* parameter) {
  if (are_usable(weights, count)) return MARROW_OK;
  return fail(MARROW_ERROR_NOT_FINITE, "a morph weight is not finite or too large", parameter);
}

marrow_status check_transforms(const marrow_transform* transforms, std::uint32_t count) {
  for (std::uint32_t j = 0; j < count; ++j) {
    const marrow_transform& t = transforms[j];
    MARROW_FFI_TRY(check_values(t, "transforms"));
    double square = 0;
    for (const float x : t.rotation) square += static_cast<double>(x) * static_cast<double>(x);
    if (square < 1 - 1e-3 || square > 1 + 1e-3) {
      return fail(MARROW_ERROR_INVALID_ARGUMENT, "a rotation is not of unit length", "transforms");
    }
  }
  return MARROW_OK;
}

marrow_status check_values(const marrow_pose& pose, const Skeleton& skeleton) {
  MARROW_FFI_TRY(check_transforms(pose.transforms, skeleton.joint_count()));
  return pose.morphs == nullptr ? MARROW_OK : check_morphs(pose.morphs, morph_count(skeleton), "morphs");
}

void read_pose(const marrow_pose& pose, Pose& out) {
  const Skeleton& skeleton = out.skeleton();
  const std::uint32_t joints = skeleton.joint_count();
  const float* morphs = pose.morphs;
  for (std::uint32_t j = 0; j < joints; ++j) {
    out.set_transform(j, same_bits<Transform>(pose.transforms[j]));
    if (const std::span<float> weights = out.morph_weights(j); morphs != nullptr && !weights.empty()) {
      std::copy(morphs, morphs + weights.size(), weights.begin());
      morphs += weights.size();
    }
    for (int p = 0; p < 4; ++p) {
      const bool all = pose.present == nullptr && (p < 3 || (pose.morphs != nullptr && skeleton.morph_count(j) > 0));
      const bool some = pose.present != nullptr && (pose.present[j] & kBits[p]) != 0;
      out.set_present(j, kProperties[p], all || (some && (p < 3 || skeleton.morph_count(j) > 0)));
    }
  }
}

void write_pose(const Pose& pose, const marrow_pose& out) {
  float* morphs = out.morphs;
  for (std::uint32_t j = 0; j < pose.skeleton().joint_count(); ++j) {
    out.transforms[j] = same_bits<marrow_transform>(pose.transform(j));
    if (const std::span<const float> weights = pose.morph_weights(j); morphs != nullptr && !weights.empty()) {
      morphs = std::copy(weights.begin(), weights.end(), morphs);
    }
    if (out.present == nullptr) continue;
    std::uint8_t bits = 0;
    for (int p = 0; p < 4; ++p) bits = static_cast<std::uint8_t>(bits | (pose.has(j, kProperties[p]) ? kBits[p] : 0));
    out.present[j] = bits;
  }
}

}  // namespace marrow::ffi

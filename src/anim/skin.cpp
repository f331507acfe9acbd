#include "marrow/anim/skin.h"

#include <string>
#include <vector>

#include "src/anim/imports.h"

namespace marrow {

struct SkinData {
  std::string name;
  std::uint32_t skeleton_joint_count = 0;
  std::vector<std::uint32_t> joints;
  std::vector<Affine> inverse_binds;
};

Skin::Skin() : data_(std::make_shared<SkinData>()) {}

Result<Skin> Skin::create(const Skeleton& skeleton, std::span<const std::uint32_t> joints,
                          std::span<const Affine> inverse_binds, std::string_view name) {
  if (!inverse_binds.empty() && inverse_binds.size() != joints.size()) {
    return Error{ErrorCode::size_mismatch,
                 "the skin has " + std::to_string(joints.size()) + " joints but " +
                     std::to_string(inverse_binds.size()) + " inverse bind matrices",
                 "inverse_binds"};
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints[i] >= skeleton.joint_count()) {
      return Error{ErrorCode::invalid_argument,
                   "the skin names joint " + std::to_string(joints[i]) + ", but the skeleton has " +
                       std::to_string(skeleton.joint_count()),
                   {"joints", i}};
    }
  }
  for (std::size_t i = 0; i < inverse_binds.size(); ++i) {
    for (const auto& row : inverse_binds[i].m) {
      for (const float value : row) {
        if (!is_usable(value)) {
          return Error{ErrorCode::not_finite,
                       "the inverse bind matrix of joint \"" + std::string(skeleton.name(joints[i])) +
                           "\" has a value that is not finite or beyond 1e18",
                       {"inverse_binds", i}};
        }
      }
    }
  }
  auto data = std::make_shared<SkinData>();
  data->name = name;
  data->skeleton_joint_count = skeleton.joint_count();
  data->joints.assign(joints.begin(), joints.end());
  data->inverse_binds.assign(inverse_binds.begin(), inverse_binds.end());
  data->inverse_binds.resize(joints.size());
  return Skin(std::move(data));
}

std::string_view Skin::name() const { return data_->name; }
std::uint32_t Skin::size() const { return static_cast<std::uint32_t>(data_->joints.size()); }
std::uint32_t Skin::skeleton_joint_count() const { return data_->skeleton_joint_count; }
std::span<const std::uint32_t> Skin::joints() const { return data_->joints; }
std::span<const Affine> Skin::inverse_binds() const { return data_->inverse_binds; }

}  // namespace marrow

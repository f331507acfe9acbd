#include "marrow/anim/pose.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "src/anim/skeleton_data.h"

namespace marrow {
namespace {

std::uint8_t& bits_of(PresentBits& bits, Property property) {
  switch (property) {
    case Property::translation: return bits.translation;
    case Property::rotation: return bits.rotation;
    case Property::scale: return bits.scale;
    case Property::morph: return bits.morph;
  }
  return bits.translation;
}

void mark_transform(PresentBits* present, std::uint32_t joint) {
  const auto bit = static_cast<std::uint8_t>(1u << (joint % kBlockJoints));
  PresentBits& bits = present[joint / kBlockJoints];
  bits.translation |= bit;
  bits.rotation |= bit;
  bits.scale |= bit;
}

}  // namespace

const char* to_string(Property property) {
  switch (property) {
    case Property::translation: return "translation";
    case Property::rotation: return "rotation";
    case Property::scale: return "scale";
    case Property::morph: return "morph weights";
  }
  return "unknown";
}

void Pose::Deleter::operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{kAlignment}); }

std::size_t Pose::required_bytes(const Skeleton& skeleton) {
  const SkeletonData& data = skeleton.data();
  return data.float_count() * sizeof(float) + data.block_count() * sizeof(PresentBits);
}

Pose::Pose(const Skeleton& skeleton) : skeleton_(skeleton) {
  const std::size_t bytes = required_bytes(skeleton);
  owned_.reset(static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{kAlignment})));
  floats_ = reinterpret_cast<float*>(owned_.get());
  present_ = reinterpret_cast<PresentBits*>(floats_ + skeleton_.data().float_count());
  set_rest();
}

Pose::Pose(const Skeleton& skeleton, std::span<std::byte> memory) : skeleton_(skeleton) {
  MARROW_ASSERT(memory.size() >= required_bytes(skeleton), "the memory for a pose is too small");
  MARROW_ASSERT(reinterpret_cast<std::uintptr_t>(memory.data()) % kAlignment == 0,
                "the memory for a pose is not aligned to Pose::kAlignment");
  floats_ = reinterpret_cast<float*>(memory.data());
  present_ = reinterpret_cast<PresentBits*>(floats_ + skeleton_.data().float_count());
  set_rest();
}

void Pose::set_rest() {
  const SkeletonData& data = skeleton_.data();
  if (data.joint_count == 0) return;
  std::memcpy(floats_, data.rest_floats(), data.float_count() * sizeof(float));
  std::fill_n(present_, data.block_count(), PresentBits{});
}

void Pose::copy_from(const Pose& other) {
  const SkeletonData& data = skeleton_.data();
  MARROW_ASSERT(other.skeleton_.joint_count() == data.joint_count && other.skeleton_.morph_size() == data.morph_size,
                "the poses differ in their number of joints or morph weights");
  if (data.joint_count == 0 || &other == this) return;
  std::memcpy(floats_, other.floats_, data.float_count() * sizeof(float));
  std::memcpy(present_, other.present_, data.block_count() * sizeof(PresentBits));
}

Transform Pose::transform(std::uint32_t joint) const {
  MARROW_ASSERT(joint < skeleton_.joint_count(), "the skeleton has no such joint");
  return load_transform(blocks().data(), joint);
}

void Pose::set_transform(std::uint32_t joint, const Transform& transform) {
  MARROW_ASSERT(joint < skeleton_.joint_count(), "the skeleton has no such joint");
  store_transform(blocks().data(), joint, transform);
  mark_transform(present_, joint);
}

void Pose::to_transforms(std::span<Transform> out) const {
  MARROW_ASSERT(out.size() == skeleton_.joint_count(), "as many transforms as joints are needed");
  for (std::uint32_t j = 0; j < out.size(); ++j) out[j] = load_transform(blocks().data(), j);
}

void Pose::from_transforms(std::span<const Transform> in) {
  MARROW_ASSERT(in.size() == skeleton_.joint_count(), "as many transforms as joints are needed");
  for (std::uint32_t j = 0; j < in.size(); ++j) {
    store_transform(blocks().data(), j, in[j]);
    mark_transform(present_, j);
  }
}

std::span<float> Pose::morph_weights(std::uint32_t joint) {
  return morphs().subspan(skeleton_.morph_offset(joint), skeleton_.morph_count(joint));
}
std::span<const float> Pose::morph_weights(std::uint32_t joint) const {
  return morphs().subspan(skeleton_.morph_offset(joint), skeleton_.morph_count(joint));
}

bool Pose::has(std::uint32_t joint, Property property) const {
  MARROW_ASSERT(joint < skeleton_.joint_count(), "the skeleton has no such joint");
  return (bits_of(present_[joint / kBlockJoints], property) >> (joint % kBlockJoints) & 1u) != 0;
}

void Pose::set_present(std::uint32_t joint, Property property, bool present) {
  MARROW_ASSERT(joint < skeleton_.joint_count(), "the skeleton has no such joint");
  std::uint8_t& bits = bits_of(present_[joint / kBlockJoints], property);
  const unsigned bit = 1u << (joint % kBlockJoints);
  bits = static_cast<std::uint8_t>(present ? bits | bit : bits & ~bit);
}

std::span<PoseBlock> Pose::blocks() { return {reinterpret_cast<PoseBlock*>(floats_), skeleton_.data().block_count()}; }
std::span<const PoseBlock> Pose::blocks() const {
  return {reinterpret_cast<const PoseBlock*>(floats_), skeleton_.data().block_count()};
}
std::span<float> Pose::floats() { return {floats_, skeleton_.data().float_count()}; }
std::span<const float> Pose::floats() const { return {floats_, skeleton_.data().float_count()}; }
std::span<float> Pose::morphs() { return floats().last(skeleton_.morph_size()); }
std::span<const float> Pose::morphs() const { return floats().last(skeleton_.morph_size()); }
std::span<PresentBits> Pose::present() { return {present_, skeleton_.data().block_count()}; }
std::span<const PresentBits> Pose::present() const { return {present_, skeleton_.data().block_count()}; }

}  // namespace marrow

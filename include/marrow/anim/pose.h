// Pose: the local transforms of a skeleton's joints, their morph weights, and which of them something has set.
//
// Stored in blocks of eight joints, padded and aligned (pose_block.h); read and written joint by joint here, or in bulk
// through `blocks`. A pose owns its memory, or lives in a buffer of the caller's. It keeps its skeleton alive. One
// thread at a time may write to it. Copying is explicit, since it may allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "marrow/anim/pose_block.h"
#include "marrow/anim/skeleton.h"
#include "marrow/math/types.h"

namespace marrow {

enum class Property : std::uint8_t { translation, rotation, scale, morph };

// Returns "translation", "rotation", "scale" or "morph weights".
[[nodiscard]] const char* to_string(Property property);

class Pose {
 public:
  // Makes a pose in its own memory, at rest.
  explicit Pose(const Skeleton& skeleton);

  // Makes a pose in the caller's memory, at rest: `required_bytes` of it, aligned to kAlignment, alive as long as the
  // pose.
  Pose(const Skeleton& skeleton, std::span<std::byte> memory);
  static constexpr std::size_t kAlignment = alignof(PoseBlock);
  [[nodiscard]] static std::size_t required_bytes(const Skeleton& skeleton);

  // What was moved from may only be assigned to or destroyed.
  Pose(Pose&&) noexcept = default;
  Pose& operator=(Pose&&) noexcept = default;

  [[nodiscard]] const Skeleton& skeleton() const { return skeleton_; }

  // Puts every joint and morph weight at rest, with nothing present.
  void set_rest();

  // Takes over the values and presence of another pose of as many joints and morph weights.
  void copy_from(const Pose& other);

  [[nodiscard]] Transform transform(std::uint32_t joint) const;

  // Sets a joint's transform and marks it present. The rotation must be of unit length.
  void set_transform(std::uint32_t joint, const Transform& transform);

  // The same for all joints at once; the span is as long as the skeleton.
  void to_transforms(std::span<Transform> out) const;
  void from_transforms(std::span<const Transform> in);

  // The morph weights of a joint. Writing them does not mark them present.
  [[nodiscard]] std::span<float> morph_weights(std::uint32_t joint);
  [[nodiscard]] std::span<const float> morph_weights(std::uint32_t joint) const;

  // Whether a property was set by what made this pose, a clip or a caller, rather than left at rest. It decides what
  // takes part in a blend.
  [[nodiscard]] bool has(std::uint32_t joint, Property property) const;
  void set_present(std::uint32_t joint, Property property, bool present);

  // The memory itself. `floats` is all blocks, then all morph weights.
  [[nodiscard]] std::span<PoseBlock> blocks();
  [[nodiscard]] std::span<const PoseBlock> blocks() const;
  [[nodiscard]] std::span<float> morphs();
  [[nodiscard]] std::span<const float> morphs() const;
  [[nodiscard]] std::span<PresentBits> present();
  [[nodiscard]] std::span<const PresentBits> present() const;
  [[nodiscard]] std::span<float> floats();
  [[nodiscard]] std::span<const float> floats() const;

 private:
  struct Deleter {
    void operator()(std::byte* memory) const;
  };
  Skeleton skeleton_;
  std::unique_ptr<std::byte, Deleter> owned_;  // empty in the caller's memory
  float* floats_ = nullptr;
  PresentBits* present_ = nullptr;
};

}  // namespace marrow

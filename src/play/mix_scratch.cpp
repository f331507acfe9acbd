#include "marrow/play/mix_scratch.h"

#include "marrow/core/assert.h"
#include "src/play/animator_data.h"

namespace marrow {

MixScratch::MixScratch(const Skeleton& skeleton, const ScratchSize& size) : data_(std::make_unique<Data>()) {
  data_->poses.reserve(size.poses);
  for (std::uint32_t i = 0; i < size.poses; ++i) data_->poses.emplace_back(skeleton);
  data_->inputs.resize(size.poses);
  data_->slots.resize(size.poses);
  data_->layers.reserve(size.layers);
}
MixScratch::~MixScratch() = default;
MixScratch::MixScratch(MixScratch&&) noexcept = default;
MixScratch& MixScratch::operator=(MixScratch&&) noexcept = default;

ScratchSize MixScratch::size() const {
  return {static_cast<std::uint32_t>(data_->poses.size()), static_cast<std::uint32_t>(data_->layers.capacity())};
}

bool MixScratch::fits(const ScratchSize& need) const {
  return data_->poses.size() >= need.poses && data_->layers.capacity() >= need.layers;
}

Pose& MixScratch::pose(std::uint32_t index) {
  MARROW_ASSERT(index < data_->poses.size(), "the scratch has fewer poses");
  return data_->poses[index];
}

std::size_t MixScratch::memory_bytes() const {
  std::size_t bytes = sizeof(Data) + data_->layers.capacity() * sizeof(BlendLayer);
  for (const Pose& pose : data_->poses) {
    bytes += Pose::required_bytes(pose.skeleton()) + sizeof(Pose) + sizeof(BlendInput) + sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace marrow

// MixScratch: memory for the poses that a blend is made of.
//
// Any number of players on skeletons with as many joints and morph weights may share one, one at a time. Only the
// constructor allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "marrow/anim/pose.h"

namespace marrow {

// How many poses a player samples at most, and how many layers it blends.
struct ScratchSize {
  std::uint32_t poses = 16;
  std::uint32_t layers = 4;
};

class MixScratch {
 public:
  explicit MixScratch(const Skeleton& skeleton, const ScratchSize& size = {});
  ~MixScratch();
  MixScratch(MixScratch&&) noexcept;
  MixScratch& operator=(MixScratch&&) noexcept;

  [[nodiscard]] ScratchSize size() const;
  [[nodiscard]] bool fits(const ScratchSize& need) const;

  // A pose to use in one call; its contents are undefined.
  [[nodiscard]] Pose& pose(std::uint32_t index);

  [[nodiscard]] std::size_t memory_bytes() const;

  struct Data;
  [[nodiscard]] Data& data() { return *data_; }  // for the library

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace marrow

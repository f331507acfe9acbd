// A way up a tree, to be gone down again: without memory of its own from the heap unless it is long. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace marrow {

class Path {
 public:
  void push(std::uint32_t step) {
    if (size_ < kShort) {
      short_[size_] = step;
    } else {
      long_.push_back(step);
    }
    ++size_;
  }

  // Takes the last step off and returns it.
  std::uint32_t pop() {
    --size_;
    if (size_ < kShort) return short_[size_];
    const std::uint32_t step = long_.back();
    long_.pop_back();
    return step;
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  static constexpr std::size_t kShort = 64;
  std::uint32_t short_[kShort];
  std::vector<std::uint32_t> long_;
  std::size_t size_ = 0;
};

}  // namespace marrow

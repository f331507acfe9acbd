// Marks: times in a clip that a game wants to hear of, such as footsteps or the frames in which a blade cuts.
//
// Immutable, cheap to copy, safe to share between players and threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "marrow/anim/clip.h"
#include "marrow/core/result.h"
#include "marrow/play/playhead.h"

namespace marrow {

struct Mark {
  double time_s = 0;
  std::string_view name;
};

struct MarksData;

class Marks {
 public:
  // Makes the marks of a clip, in any order. An event has the index of its mark in this order. Fails on a time outside
  // the clip, and on more than 2^24 marks.
  [[nodiscard]] static Result<Marks> create(const Clip& clip, std::span<const Mark> marks);

  [[nodiscard]] const Clip& clip() const;
  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] double time(std::uint32_t mark) const;
  [[nodiscard]] std::string_view name(std::uint32_t mark) const;

  // Returns the number of the first mark of that name, in the order in which they were given; fails if there is none.
  [[nodiscard]] Result<std::uint32_t> mark(std::string_view name) const;

  // For the library.
  [[nodiscard]] const std::shared_ptr<const MarksData>& data() const { return data_; }

 private:
  explicit Marks(std::shared_ptr<const MarksData> data) : data_(std::move(data)) {}

  std::shared_ptr<const MarksData> data_;
};

struct PassedMark {
  std::uint32_t mark;
  double distance;  // from the start of the way, in seconds of the clip
};

// Writes the marks that a way passes to `out`, in the order of the way. Returns how many it passes in all. `out` gets
// the first `limit`, and those at the same distance as the last of them; that is fewer than 3 * limit.
std::uint64_t passed_marks(const Marks& marks, const Travel& travel, Loop loop, std::size_t limit,
                           std::vector<PassedMark>& out);

}  // namespace marrow

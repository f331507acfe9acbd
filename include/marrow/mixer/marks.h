// Marks: times in a clip that a game wants to hear of: a foot that comes down, a blade that is out.
//
// Immutable, cheap to copy, safe to share between mixers and threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "marrow/anim/clip.h"
#include "marrow/core/result.h"

namespace marrow {

struct Mark {
  double time_s = 0;
  std::string_view name;
};

struct MarksData;

class Marks {
 public:
  // Makes the marks of a clip, in any order; an event tells a mark's place in it. Fails on a time outside the clip, and
  // on more than 2^24 marks.
  [[nodiscard]] static Result<Marks> create(const Clip& clip, std::span<const Mark> marks);

  [[nodiscard]] const Clip& clip() const;
  [[nodiscard]] std::uint32_t size() const;
  [[nodiscard]] double time(std::uint32_t mark) const;
  [[nodiscard]] std::string_view name(std::uint32_t mark) const;

  // For the library.
  [[nodiscard]] const std::shared_ptr<const MarksData>& data() const { return data_; }

 private:
  explicit Marks(std::shared_ptr<const MarksData> data) : data_(std::move(data)) {}

  std::shared_ptr<const MarksData> data_;
};

}  // namespace marrow

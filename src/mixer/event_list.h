// The events of an update: a fixed number of the earliest. Internal.
#pragma once

#include <vector>

#include "marrow/mixer/event.h"

namespace marrow {

class EventList {
 public:
  void reserve(std::size_t capacity) { events_.reserve(capacity_ = capacity); }
  void clear() {
    events_.clear();
    produced_ = 0;
  }

  // Puts an event in its place; the last falls out if there are too many.
  void add(const Event& event);

  // Counts events that happened but were not even offered.
  void count(std::uint64_t more);

  [[nodiscard]] std::span<const Event> events() const { return events_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t dropped() const { return produced_ - events_.size(); }

 private:
  std::vector<Event> events_;
  std::size_t capacity_ = 0;
  std::uint64_t produced_ = 0;
};

}  // namespace marrow

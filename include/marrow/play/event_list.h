// EventList: the events of a step, in order, with a fixed capacity.
//
//   EventList events(64);
//   ...
//   events.clear();
//   const Travel travel = advance_playhead(head, dt, clip.duration());
//   events.add_events(travel, head.loop, clip.duration(), &marks, {.dt_s = dt});
//
// The order is offset, action slot, kind, mark. If there are more events than the capacity, the earliest are kept and
// the rest are counted. Only the constructor and `reserve` allocate. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "marrow/play/event.h"
#include "marrow/play/marks.h"
#include "marrow/play/playhead.h"
#include "marrow/play/ramp.h"

namespace marrow {

// What events say of the player whose playhead moved.
struct EventSource {
  ActionHandle action;
  double dt_s = 0;   // of the step, in the player's time; negative for a step backward
  float weight = 1;  // an event has this weight times the value that the fade has at its offset
  Ramp fade;         // as it is before the step
};

class EventList {
 public:
  EventList() = default;
  explicit EventList(std::size_t capacity) { reserve(capacity); }

  // Raises the capacity.
  void reserve(std::size_t capacity);
  void clear();

  // Inserts an event at its place in the order. The last one falls out if the list is full.
  void add(const Event& event);

  // Adds the events of a way through a clip: the marks that it passes, then `looped` and `finished`. `marks` may be
  // null.
  void add_events(const Travel& travel, Loop loop, double duration, const Marks* marks, const EventSource& source);

  [[nodiscard]] std::span<const Event> events() const { return events_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t dropped() const { return produced_ - events_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void insert(const Event& event);
  void insert_events(const Travel& travel, Loop loop, double duration, const Marks* marks, const EventSource& source);
  void count(std::uint64_t more);

  std::vector<Event> events_;
  std::vector<PassedMark> passed_;  // of one way
  std::size_t capacity_ = 0;
  std::uint64_t produced_ = 0;
};

}  // namespace marrow

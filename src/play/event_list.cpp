#include "marrow/play/event_list.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "src/play/imports.h"
#include "src/play/time_arithmetic.h"

namespace marrow {
namespace {

bool earlier(const Event& a, const Event& b) {
  const auto key = [](const Event& e) {
    return std::tuple(e.offset_s < 0 ? -e.offset_s : e.offset_s, e.action.index, e.kind, e.mark);
  };
  return key(a) < key(b);
}

}  // namespace

const char* to_string(EventKind kind) {
  switch (kind) {
    case EventKind::mark: return "mark";
    case EventKind::looped: return "looped";
    case EventKind::finished: return "finished";
  }
  return "unknown";
}

void EventList::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  capacity_ = capacity;
  events_.reserve(capacity);
  passed_.reserve(3 * capacity);
}

void EventList::clear() {
  events_.clear();
  produced_ = 0;
}

std::size_t EventList::memory_bytes() const {
  return events_.capacity() * sizeof(Event) + passed_.capacity() * sizeof(PassedMark);
}

void EventList::add(const Event& event) {
  exactly([&] { insert(event); });
}

void EventList::insert(const Event& event) {
  count(1);
  const auto at = std::upper_bound(events_.begin(), events_.end(), event, earlier);
  if (events_.size() < capacity_) {
    events_.insert(at, event);
  } else if (at != events_.end()) {
    std::move_backward(at, events_.end() - 1, events_.end());
    *at = event;
  }
}

void EventList::add_events(const Travel& travel, Loop loop, double duration, const Marks* marks,
                           const EventSource& source) {
  exactly([&] { insert_events(travel, loop, duration, marks, source); });
}

void EventList::insert_events(const Travel& way, Loop loop, double duration, const Marks* marks,
                              const EventSource& source) {
  Event event;
  event.action = source.action;
  const auto at = [&](double distance) {
    event.offset_s = source.dt_s * std::min(distance / way.distance, 1.0);
    event.weight = static_cast<float>(static_cast<double>(source.weight) *
                                      exact::value_at(source.fade, source.fade.elapsed + event.offset_s));
  };
  if (marks != nullptr) {
    event.kind = EventKind::mark;
    const std::uint64_t total = exact::passed_marks(*marks, way, loop, capacity_, passed_);
    for (const PassedMark& p : passed_) {
      at(p.distance);
      event.mark = p.mark;
      event.name = marks->name(p.mark);
      insert(event);
    }
    count(total - passed_.size());
    event.mark = 0;
    event.name = {};
  }
  const std::uint64_t loops = way.ends - (way.finishes ? 1 : 0);
  if (loops > 0) {
    at(exact::distance_along(way, {way.direction > 0 ? way.from.pass + 1 : way.from.pass, 0}, duration));
    event.kind = EventKind::looped;
    event.count = loops;
    insert(event);
  }
  if (way.finishes) {
    at(exact::distance_along(way, way.to, duration));
    event.kind = EventKind::finished;
    event.count = 1;
    insert(event);
  }
}

void EventList::count(std::uint64_t more) {
  produced_ += std::min(more, std::numeric_limits<std::uint64_t>::max() - produced_);
}

}  // namespace marrow

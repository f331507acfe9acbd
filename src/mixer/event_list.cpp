#include "src/mixer/event_list.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace marrow {
namespace {

bool earlier(const Event& a, const Event& b) {
  const auto key = [](const Event& e) {
    return std::tuple(e.offset_s < 0 ? -e.offset_s : e.offset_s, e.action.handle().index, e.kind, e.mark);
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

void EventList::add(const Event& event) {
  count(1);
  const auto at = std::upper_bound(events_.begin(), events_.end(), event, earlier);
  if (events_.size() < capacity_) {
    events_.insert(at, event);
  } else if (at != events_.end()) {
    std::move_backward(at, events_.end() - 1, events_.end());
    *at = event;
  }
}

void EventList::count(std::uint64_t more) {
  produced_ += std::min(more, std::numeric_limits<std::uint64_t>::max() - produced_);
}

}  // namespace marrow

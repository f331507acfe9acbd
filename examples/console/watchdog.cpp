#include "watchdog.h"

#include <utility>

namespace marrow::console {

Watchdog::Watchdog(std::chrono::milliseconds patience, Late late)
    : patience_(patience), late_(std::move(late)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Watchdog::start(const char* what) {
  what_ = what;
  deadline_ = (Clock::now() + patience_).time_since_epoch().count();
}

void Watchdog::stop() { deadline_ = 0; }

// Looks often enough to be at most a tenth late, and costs those that it watches nothing but two stores.
void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, patience_ / 10, [this] { return done_; })) {
    const Clock::rep deadline = deadline_;
    if (deadline == 0 || Clock::now().time_since_epoch().count() < deadline) continue;
    late_(what_);
    return;
  }
}

}  // namespace marrow::console

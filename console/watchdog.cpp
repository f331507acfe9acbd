#include "watchdog.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace marrow::console {
namespace {

// The memory that the program takes; 0 where the system does not tell as Linux does.
std::uint64_t resident_bytes() {
  constexpr std::uint64_t kPage = 4096;
  std::ifstream file("/proc/self/statm");
  std::uint64_t whole = 0, resident = 0;
  return file >> whole >> resident ? resident * kPage : 0;
}

}  // namespace

Watchdog::Watchdog(std::chrono::milliseconds patience, Bark bark, std::uint64_t max_growth, Now now)
    : patience_(patience),
      bark_(std::move(bark)),
      now_(std::move(now)),
      max_size_(resident_bytes() + max_growth),
      thread_([this] { watch(); }) {}

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
  deadline_ = (now_() + patience_).time_since_epoch().count();
}

void Watchdog::stop() { deadline_ = 0; }

// Looks often enough to be at most a tenth late, and costs those that it watches nothing but two stores.
void Watchdog::watch() {
  const auto pause = std::min<std::chrono::milliseconds>(patience_ / 10, std::chrono::milliseconds(50));
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause, [this] { return done_; })) {
    const Clock::rep now = now_().time_since_epoch().count();
    const Clock::rep deadline = deadline_;
    if (deadline == 0) continue;
    const bool late = now >= deadline;
    if (!late && resident_bytes() < max_size_) continue;
    bark_(what_, late ? Trouble::late : Trouble::large);
    return;
  }
}

}  // namespace marrow::console

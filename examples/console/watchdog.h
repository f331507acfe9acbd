// Watchdog: notices a guest that does not come back. The interpreter cannot be interrupted, so all that is left then is
// to say so and end the program.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace marrow::console {

class Watchdog {
 public:
  // `late` is called, on another thread, if more than `patience` goes by between `start` and `stop`; with what was
  // started.
  using Late = std::function<void(const char* what)>;
  Watchdog(std::chrono::milliseconds patience, Late late);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  // `what` is a literal.
  void start(const char* what);
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  void watch();

  const std::chrono::milliseconds patience_;
  const Late late_;
  std::atomic<Clock::rep> deadline_{0};  // 0: nothing is under way
  std::atomic<const char*> what_{""};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace marrow::console

// Watchdog: notices a guest that does not come back, or that makes the program grow and grow. The interpreter cannot be
// interrupted and has no limit to its stack, so all that is left then is to say so and end the program.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace marrow::console {

class Watchdog {
 public:
  enum class Trouble { late, large };

  // `bark` is called, on another thread, if between `start` and `stop` more than `patience` goes by, or the program
  // comes to take so many bytes more than now (on systems that tell); with what was started.
  // `now` is the clock. The watchdog's thread reads it once before each check, and the thread of `start` in each call.
  using Clock = std::chrono::steady_clock;
  using Bark = std::function<void(const char* what, Trouble trouble)>;
  using Now = std::function<Clock::time_point()>;
  Watchdog(std::chrono::milliseconds patience, Bark bark, std::uint64_t max_growth = std::uint64_t{2} << 30,
           Now now = Clock::now);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  // `what` is a literal.
  void start(const char* what);
  void stop();

 private:
  void watch();

  const std::chrono::milliseconds patience_;
  const Bark bark_;
  const Now now_;
  const std::uint64_t max_size_;         // of the program
  std::atomic<Clock::rep> deadline_{0};  // 0: nothing is under way
  std::atomic<const char*> what_{""};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace marrow::console

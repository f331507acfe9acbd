#include "harness.h"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace marrow::bench {

double cpu_ns() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
#else
  return static_cast<double>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
#endif
}

void consume(const void* memory) {
  static const void* volatile sink;
  sink = memory;
  (void)sink;
}

Measurement measure(const Workload& work, double seconds) {
  work.run(1);  // warms the caches, and makes what is made when it is first needed

  // A repetition is long enough for the clock to be right: a tenth of a millisecond or more.
  std::uint32_t count = 1;
  double took = 0;
  for (;; count *= 2) {
    const double start = cpu_ns();
    work.run(count);
    took = cpu_ns() - start;
    if (took > 1e5 || count >= (1u << 20)) break;
  }
  const auto repetitions = static_cast<std::size_t>(std::clamp(seconds * 1e9 / took, 15.0, 5000.0));
  std::vector<double> times(repetitions);
  for (double& time : times) {
    do {  // clocks of virtual machines stand still now and then
      const double start = cpu_ns();
      work.run(count);
      time = (cpu_ns() - start) / (static_cast<double>(count) * work.characters);
    } while (!(time > 0));
  }
  std::sort(times.begin(), times.end());
  return {work.name, work.joints, work.characters, times.front(), times[times.size() / 2]};
}

}  // namespace marrow::bench

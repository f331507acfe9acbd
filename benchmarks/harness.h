// Measuring: how long a piece of work takes, many times over.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace marrow::bench {

// One row of the table.
struct Measurement {
  std::string name;
  std::uint32_t joints = 0;
  std::uint32_t characters = 1;
  double ns_per_character = 0;  // the least of all repetitions
  double ns_median = 0;
};

// Work to be measured. `run` does it `count` times; what it writes must be seen by `consume`.
struct Workload {
  std::string name;
  std::uint32_t joints;
  std::uint32_t characters;
  std::function<void(std::uint32_t count)> run;
};

// The CPU time that this thread has taken, so that other programs disturb little; where there is none, the time.
[[nodiscard]] double cpu_ns();

// Makes the compiler believe that the memory is read.
void consume(const void* memory);

// Repeats the work for about `seconds` and takes the least and the median, in CPU time of this thread.
[[nodiscard]] Measurement measure(const Workload& work, double seconds);

}  // namespace marrow::bench

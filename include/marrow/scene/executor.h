// Executor: how marrow is lent a program's threads. It starts none itself.
#pragma once

#include <cstdint>

namespace marrow {

// A piece of work in `count` jobs that do not depend on each other.
struct Work {
  std::uint32_t count = 0;
  void (*run)(void* data, std::uint32_t job) = nullptr;
  void* data = nullptr;
};

// Does all jobs of a work, in any order and on any threads, and returns when the last is done:
//
//   void run_on_my_threads(void* context, const Work& work) {
//     static_cast<Pool*>(context)->for_each(work.count, [&](std::uint32_t job) { work.run(work.data, job); });
//   }
//   scene.update(dt, {run_on_my_threads, &pool});
//
// By default it does them one after the other on the thread of the caller. tbb_executor.h has one for oneTBB.
struct Executor {
  void (*run)(void* context, const Work& work) = nullptr;
  void* context = nullptr;
};

}  // namespace marrow

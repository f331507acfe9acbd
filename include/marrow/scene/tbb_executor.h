// An executor on oneTBB. Not part of the library: include it where oneTBB is at hand, and link with it.
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "marrow/scene/executor.h"

namespace marrow {

// Returns an executor that runs in the arena, which must live as long as it is used; without, in that of the thread
// that calls.
inline Executor tbb_executor(oneapi::tbb::task_arena* arena = nullptr) {
  const auto run = [](void* context, const Work& work) {
    const auto all = [&work] {
      oneapi::tbb::parallel_for(std::uint32_t{0}, work.count, [&work](std::uint32_t job) { work.run(work.data, job); });
    };
    if (context == nullptr) return all();
    static_cast<oneapi::tbb::task_arena*>(context)->execute(all);
  };
  return {run, arena};
}

}  // namespace marrow

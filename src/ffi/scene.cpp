// Scenes, and updates of many instances.
#include "marrow/scene/scene.h"

#include <memory>

#include "marrow/core/serial.h"
#include "src/ffi/arguments.h"
#include "src/ffi/busy.h"

using namespace marrow;
using namespace marrow::ffi;

namespace {

// Hands jobs to the caller's executor, each of them once whatever it does.
class Runner {
 public:
  explicit Runner(const marrow_executor& executor) : executor_(executor), done_(std::move(spare())) {}
  ~Runner() { spare() = std::move(done_); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  static void run(void* context, const Work& work) { static_cast<Runner*>(context)->run(work); }

  // What there is to complain about.
  [[nodiscard]] marrow_status status() const {
    if (failed_.load()) return fail(MARROW_ERROR_OUT_OF_MEMORY, "there is not enough memory");
    if (broken_.load()) return fail(MARROW_ERROR_REFUSED, "the executor did not do every job once", "executor");
    return MARROW_OK;
  }

 private:
  void run(const Work& work) {
    work_ = work;
    if (done_.capacity < work.count) done_ = {std::make_unique<std::atomic<bool>[]>(work.count), work.count};
    for (std::uint32_t job = 0; job < work.count; ++job) done_.flags[job] = false;
    executor_.run(executor_.context, work.count, &Runner::run_job, this);
    for (std::uint32_t job = 0; job < work.count; ++job) {
      if (!done_.flags[job].load()) broken_ = true;
    }
  }

  static void run_job(void* data, std::uint32_t job) noexcept {
    auto& runner = *static_cast<Runner*>(data);
    if (job >= runner.work_.count || runner.done_.flags[job].exchange(true)) {
      runner.broken_ = true;
      return;
    }
    try {
      runner.work_.run(runner.work_.data, job);
    } catch (...) {
      runner.failed_ = true;
    }
  }

  // Which jobs were begun; what the last update of a thread left is used again, so that the next allocates nothing.
  struct Done {
    std::unique_ptr<std::atomic<bool>[]> flags;
    std::uint32_t capacity = 0;
  };
  static Done& spare() {
    thread_local Done done;
    return done;
  }

  marrow_executor executor_;
  Work work_;
  Done done_;
  std::atomic<bool> broken_{false}, failed_{false};
};

// The instances that the caller lists, and their scenes.
struct ListedInstances {
  std::vector<Instance> instances;
  std::vector<SceneEntry*> scenes;
};

// Runs update(executor) with the caller's executor, if there is one.
template <typename Update>
marrow_status run_update(const marrow_executor* executor, const Update& update) {
  if (executor == nullptr) {
    update(Executor{});
    return MARROW_OK;
  }
  if (executor->run == nullptr) return null_pointer("executor");
  Runner runner(*executor);
  update(Executor{&Runner::run, &runner});
  return runner.status();
}

}  // namespace

marrow_status marrow_scene_create(marrow_scene* scene) noexcept {
  return guarded([&]() -> marrow_status {
    if (scene == nullptr) return null_pointer("scene");
    return add(std::make_unique<SceneEntry>(), scene);
  });
}

marrow_status marrow_scene_destroy(marrow_scene scene) noexcept {
  return guarded([&] { return remove_scene(scene); });
}

marrow_status marrow_scene_clear(marrow_scene scene) noexcept {
  return with_scene(scene, [](SceneEntry& entry) -> marrow_status {
    entry.scene.clear();
    for (std::uint32_t i = 1; i < entry.given.size(); ++i) forget_node(entry, {i + 1, entry.given[i].generation, 0});
    return MARROW_OK;
  });
}

marrow_status marrow_scene_root(marrow_scene scene, marrow_node* root) noexcept {
  return with_scene(scene, [&](SceneEntry& entry) -> marrow_status {
    if (root == nullptr) return null_pointer("root");
    return give_node(entry, entry.scene.root(), root);
  });
}

marrow_status marrow_scene_counts(marrow_scene scene, uint64_t* nodes, uint64_t* instances) noexcept {
  return with_scene(scene, [&](const SceneEntry& entry) -> marrow_status {
    if (nodes == nullptr && instances == nullptr) return null_pointer("nodes");
    if (nodes != nullptr) *nodes = entry.scene.node_count();
    if (instances != nullptr) *instances = entry.scene.instance_count();
    return MARROW_OK;
  });
}

marrow_status marrow_scene_update(marrow_scene scene, double seconds, const marrow_executor* executor) noexcept {
  return with_scene(scene, [&](SceneEntry& entry) -> marrow_status {
    MARROW_FFI_TRY(check_finite(seconds, "seconds"));
    const Busy busy(entry);
    return run_update(executor, [&](const Executor& own) { entry.scene.update(seconds, own); });
  });
}

marrow_status marrow_scene_refresh(marrow_scene scene) noexcept {
  return with_scene(scene, [](SceneEntry& entry) -> marrow_status {
    const Busy busy(entry);
    entry.scene.refresh();
    return MARROW_OK;
  });
}

marrow_status marrow_update_instances(const marrow_instance* instances, uint64_t count, double seconds,
                                      const marrow_executor* executor) noexcept {
  return guarded([&]() -> marrow_status {
    MARROW_FFI_TRY(check_array(instances, count, 0, "instances"));
    MARROW_FFI_TRY(check_finite(seconds, "seconds"));
    if (executor != nullptr && executor->run == nullptr) return null_pointer("executor");
    const std::uint64_t batch = next_serial();
    // Taken from what the last batch of this thread left, since an executor may come back here for other scenes.
    thread_local ListedInstances spare;
    ListedInstances own = std::move(spare);
    own.instances.clear();
    own.scenes.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      FoundInstance one;
      MARROW_FFI_TRY(find(instances[i], one));
      if (*one.batch == batch) return fail(MARROW_ERROR_DUPLICATE, "an instance is there twice", "instances");
      *one.batch = batch;
      own.instances.push_back(one.instance);
      if (own.scenes.empty() || own.scenes.back() != one.scene) own.scenes.push_back(one.scene);
    }
    for (SceneEntry* const scene : own.scenes) scene->busy = true;
    const marrow_status status = guarded(
        [&] { return run_update(executor, [&](const Executor& e) { update_instances(own.instances, seconds, e); }); });
    for (SceneEntry* const scene : own.scenes) scene->busy = false;
    spare = std::move(own);
    return status;
  });
}

// Many instances in one call.
#include <algorithm>

#include "src/scene/imports.h"
#include "src/scene/scene_impl.h"

namespace marrow {
namespace {

// A few at a time: so much that handing them out costs nothing, so little that threads end together.
constexpr std::uint32_t kInstancesInJob = 16;

struct BatchJob {
  std::span<const Instance> instances;
  double dt_s;
};

// Keeps a scratch at hand for instances of one model that follow each other.
class ScratchKeeper {
 public:
  ~ScratchKeeper() { give_back(); }

  MixScratch* get(const InstanceImpl& instance) {
    if (!instance.has_animator()) return nullptr;
    if (!scratch_ || record_ != instance.record.get() || !scratch_->fits(instance.scratch_size())) {
      give_back();
      record_ = instance.record.get();
      scratch_ = instance.take_scratch();
    }
    return scratch_.get();
  }

 private:
  void give_back() {
    if (scratch_) record_->give_back(std::move(scratch_));
  }

  ModelRecord* record_ = nullptr;
  std::unique_ptr<MixScratch> scratch_;
};

}  // namespace

void SceneImpl::pose_instance(InstanceImpl& instance, MixScratch* scratch) {
  instance.evaluate(scratch);
  if (!instance.unfinished) return instance.skip_finish();
  instance.finish();
  if (slots[instance.slot].last_carried != kNoSlot) enqueue(instance);
}

void SceneImpl::dispatch_events(InstanceImpl& instance) {
  if (!instance.has_pending_events()) return;
  dispatching.fetch_add(1, std::memory_order_acq_rel);
  if (const auto dispatch = instance.animator.functions->dispatch_events) dispatch(instance.animator.self);
  if (dispatching.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  for (std::size_t i = 0; i < doomed.size(); ++i) destroy(doomed[i].id, doomed[i].children);
  doomed.clear();
}

struct BatchAccess {
  // Calls `act` with each instance of a job that is alive, its scene and a scratch.
  template <typename Act>
  static void for_each(void* data, std::uint32_t job, const Act& act) {
    const BatchJob& batch = *static_cast<const BatchJob*>(data);
    const std::size_t first = std::size_t{job} * kInstancesInJob;
    const std::size_t last = std::min(first + kInstancesInJob, batch.instances.size());
    ScratchKeeper scratch;
    for (std::size_t i = first; i < last; ++i) {
      const Instance& instance = batch.instances[i];
      if (i + 1 < batch.instances.size() && batch.instances[i + 1]) batch.instances[i + 1].get().prefetch();
      if (instance) act(batch, instance.get(), *instance.scene_, scratch);
    }
  }

  // All steps; but those whose handler is to be called wait for that before they are posed.
  static void advance(void* data, std::uint32_t job) {
    for_each(data, job, [](const BatchJob& batch, InstanceImpl& instance, SceneImpl& scene, ScratchKeeper& scratch) {
      instance.advance_deferred(batch.dt_s);
      instance.waits = instance.has_pending_events();
      if (!instance.waits) scene.pose_instance(instance, scratch.get(instance));
    });
  }
  static void pose_waiting(void* data, std::uint32_t job) {
    for_each(data, job, [](const BatchJob&, InstanceImpl& instance, SceneImpl& scene, ScratchKeeper& scratch) {
      if (!instance.waits) return;
      instance.waits = false;
      scene.pose_instance(instance, scratch.get(instance));
    });
  }

  // Leaves the error of a time step that is not finite in each scene.
  static void refuse(std::span<const Instance> instances) {
    for (const Instance& instance : instances) {
      if (instance) instance.scene_->refuse(not_finite("the time step is not finite", "dt_s"));
    }
  }

  // Returns whether there were any.
  static bool dispatch_events(const BatchJob& batch) {
    bool any = false;
    for (const Instance& instance : batch.instances) {
      if (!instance || !instance.get().waits) continue;
      any = true;
      instance.scene_->dispatch_events(instance.get());
    }
    return any;
  }
};

bool update_instances(std::span<const Instance> instances, double dt_s, const Executor& executor) {
  for (const Instance& instance : instances) MARROW_ASSERT(instance, kDeadInstance);
  if (!is_finite(dt_s)) return BatchAccess::refuse(instances), false;
  BatchJob batch{instances, dt_s};
  const auto jobs = static_cast<std::uint32_t>((instances.size() + kInstancesInJob - 1) / kInstancesInJob);
  const auto run = [&](void (*step)(void*, std::uint32_t)) {
    const Work work{jobs, step, &batch};
    if (executor.run != nullptr) return executor.run(executor.context, work);
    for (std::uint32_t job = 0; job < jobs; ++job) work.run(work.data, job);
  };
  run(BatchAccess::advance);
  if (BatchAccess::dispatch_events(batch)) run(BatchAccess::pose_waiting);
  return true;
}

}  // namespace marrow

// Many instances in one call.
#include <algorithm>

#include "src/scene/scene_impl.h"

namespace marrow {
namespace {

// A few at a time: so much that handing them out costs nothing, so little that threads end together.
constexpr std::uint32_t kInstancesInJob = 16;

struct Batch {
  std::span<const Instance> instances;
  double dt_s;
};

// Keeps a scratch at hand for instances of one model that follow each other.
class ScratchKeeper {
 public:
  ~ScratchKeeper() { give_back(); }

  ModelRecord::Scratch* get(const InstanceImpl& instance) {
    if (!instance.mixer) return nullptr;
    const MixerOptions need = instance.mixer->capacity();
    if (!scratch_ || record_ != instance.record.get() || scratch_->capacity.actions < need.actions ||
        scratch_->capacity.layers < need.layers) {
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
  std::unique_ptr<ModelRecord::Scratch> scratch_;
};

}  // namespace

bool SceneImpl::update_instance(InstanceImpl& instance, double dt_s, ModelRecord::Scratch* scratch) {
  if (!instance.advance(dt_s)) return false;
  instance.evaluate(scratch);
  if (!instance.unfinished) return true;
  instance.finish();
  if (instance.carried > 0) enqueue(instance);
  return true;
}

struct BatchAccess {
  static void run(void* data, std::uint32_t job) {
    const Batch& batch = *static_cast<const Batch*>(data);
    const std::size_t first = std::size_t{job} * kInstancesInJob;
    const std::size_t last = std::min(first + kInstancesInJob, batch.instances.size());
    ScratchKeeper scratch;
    for (std::size_t i = first; i < last; ++i) {
      InstanceImpl& instance = batch.instances[i].get();
      if (i + 1 < batch.instances.size()) batch.instances[i + 1].get().prefetch();
      batch.instances[i].scene_->update_instance(instance, batch.dt_s, scratch.get(instance));
    }
  }
};

bool update(std::span<const Instance> instances, double dt_s, const Executor& executor) {
  if (!(dt_s - dt_s == 0)) return false;
  for (const Instance& instance : instances) MARROW_ASSERT(instance, "an instance was destroyed, or never was one");
  Batch batch{instances, dt_s};
  const auto jobs = static_cast<std::uint32_t>((instances.size() + kInstancesInJob - 1) / kInstancesInJob);
  const Work work{jobs, BatchAccess::run, &batch};
  if (executor.run != nullptr) {
    executor.run(executor.context, work);
  } else {
    for (std::uint32_t job = 0; job < jobs; ++job) work.run(work.data, job);
  }
  return true;
}

}  // namespace marrow

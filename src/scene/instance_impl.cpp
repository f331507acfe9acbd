#include "src/scene/instance_impl.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "marrow/anim/hierarchy.h"
#include "marrow/core/serial.h"
#include "marrow/math/quat.h"
#include "marrow/math/vec3.h"
#include "src/scene/imports.h"
#include "src/scene/path.h"

namespace marrow {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr double kLargest = std::numeric_limits<double>::max();

std::size_t rounded_up(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

std::size_t pose_bytes(const ModelRecord& record) {
  return rounded_up(Pose::required_bytes(record.model().skeleton()));
}
std::size_t joint_bytes(const ModelRecord& record) { return rounded_up(record.joint_count() * sizeof(Affine)); }

std::size_t all_bytes(const ModelRecord& record) {
  return pose_bytes(record) + joint_bytes(record) + rounded_up(record.palette_size() * sizeof(Affine));
}

std::byte* allocate(std::size_t bytes) {
  return static_cast<std::byte*>(::operator new[](std::max(bytes, kAlignment), std::align_val_t{kAlignment}));
}

// A weight of 1 selects, and does not compute.
Transform overridden(const Transform& pose, const Override& by) {
  if (by.weight >= 1) return by.transform;
  if (!(by.weight > 0)) return pose;
  return {mix(pose.translation, by.transform.translation, by.weight),
          slerp(pose.rotation, by.transform.rotation, by.weight), mix(pose.scale, by.transform.scale, by.weight)};
}

}  // namespace

void InstanceImpl::Deleter::operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{kAlignment}); }

InstanceImpl::InstanceImpl(std::shared_ptr<ModelRecord> record_, const MixerOptions& options_)
    : serial(next_serial()),
      record(std::move(record_)),
      options(options_),
      memory_size(all_bytes(*record)),
      memory(allocate(memory_size)),
      pose(record->model().skeleton(), {memory.get(), pose_bytes(*record)}) {
  hidden = record->hidden();
  joints_ = reinterpret_cast<Affine*>(memory.get() + pose_bytes(*record));
  palettes_ = reinterpret_cast<Affine*>(memory.get() + pose_bytes(*record) + joint_bytes(*record));
  finish();
}

std::span<Affine> InstanceImpl::palette(std::uint32_t skin) const {
  const std::uint32_t first = record->palette_offset(skin);
  return palettes().subspan(first, record->palette_offset(skin + 1) - first);
}

InstanceImpl::~InstanceImpl() {
  set_animator({});
  for (const StageSlot& of : stages) {
    if (of.stage.destroy != nullptr) of.stage.destroy(of.stage.data);
  }
}

void InstanceImpl::set_animator(const Animator& to) {
  if (has_animator() && animator.functions->destroy != nullptr) animator.functions->destroy(animator.self);
  animator = to;
  still = false;
}

void InstanceImpl::make_mixer() {
  const Model& model = record->model();
  MixerOptions with_limit = options;
  if (options.max_actions == 0) {
    with_limit.max_actions = std::max<std::uint32_t>(128, static_cast<std::uint32_t>(model.clips().size()) + 16);
  }
  mixer.emplace(model.skeleton(), with_limit);
  mixer->set_library(model.clips());
  mixer->on_scratch_growth([of = record.get()](const ScratchSize& size) { of->reserve_scratch(size); });
}

bool InstanceImpl::advance_deferred(double dt_s) {
  return exactly([&] {
    const bool advanced = has_animator() ? animator.functions->advance(animator.self, dt_s) : is_finite(dt_s);
    if (!advanced) return false;
    for (StageSlot& of : stages) {
      of.waiting_s = still || skipping ? dt_s : std::clamp(of.waiting_s + dt_s, -kLargest, kLargest);
    }
    skipping = still;
    return true;
  });
}

bool InstanceImpl::has_pending_events() const {
  if (!has_animator() || animator.functions->has_pending_events == nullptr) return false;
  return animator.functions->has_pending_events(animator.self);
}

ScratchSize InstanceImpl::scratch_size() const {
  if (animator.functions->scratch_size == nullptr) return {0, 0};
  return animator.functions->scratch_size(animator.self);
}

std::unique_ptr<MixScratch> InstanceImpl::take_scratch() const {
  return has_animator() ? record->take_scratch(scratch_size()) : nullptr;
}

void InstanceImpl::evaluate(MixScratch* scratch) {
  if (still) return;
  if (has_animator()) exactly([&] { animator.functions->evaluate(animator.self, *scratch, pose); });
  unfinished = true;  // without an animator, too: stages may move the pose with time
}

bool InstanceImpl::overrides_joints() const {
  return !overrides.empty() && overrides.front().inner < record->joint_count();
}

void InstanceImpl::make_edited() {
  if (!edited) edited.emplace(record->model().skeleton());
}

void InstanceImpl::finish() {
  bool unchanging = true;
  if (edits_pose()) {
    unchanging = exactly([&] { return run_stages(); });
  } else {
    local_to_model(pose, joints());
  }
  const std::span<const Skin> skins = record->model().skins();
  for (std::uint32_t i = 0; i < skins.size(); ++i) marrow::palette(skins[i], joints(), palette(i));
  if (!duals.empty()) make_duals();
  ++version;
  unfinished = false;
  still = unchanging && !has_animator();
}

void InstanceImpl::skip_finish() {
  skipping = false;
  for (StageSlot& of : stages) of.waiting_s = 0;
}

void InstanceImpl::wake() {
  unfinished = true;
  still = false;
}

bool InstanceImpl::run_stages() {
  bool unchanging = true;
  skipping = false;
  edited->copy_from(pose);
  PoseEdit edit(*edited, joints());
  for (StageSlot& of : stages) {
    edit.dt_s_ = std::exchange(of.waiting_s, 0);
    edit.state_ = std::as_writable_bytes(std::span(of.state)).first(of.stage.state_bytes);
    if (of.stage.run(of.stage.data, edit) != StageResult::unchanged) unchanging = false;
  }
  apply_overrides(edit);
  edit.compute();
  return unchanging;
}

// The last stage of each instance.
void InstanceImpl::apply_overrides(PoseEdit& edit) const {
  for (const Override& by : overrides) {
    if (by.inner >= record->joint_count()) return;
    const Transform own = edit.pose().transform(by.inner);
    edit.set_local(by.inner, overridden(own, by));
  }
}

std::span<DualJoint> InstanceImpl::dual(std::uint32_t skin) {
  const std::uint32_t first = record->palette_offset(skin);
  return std::span(duals).subspan(first, record->palette_offset(skin + 1) - first);
}

void InstanceImpl::make_duals() {
  for (std::uint32_t i = 0; i < stretches.size(); ++i) stretches[i] = dual_palette(palette(i), dual(i));
}

const Override* InstanceImpl::find_override(std::uint32_t inner) const {
  const auto at = std::lower_bound(overrides.begin(), overrides.end(), inner,
                                   [](const Override& by, std::uint32_t p) { return by.inner < p; });
  return at != overrides.end() && at->inner == inner ? &*at : nullptr;
}

Transform InstanceImpl::local(std::uint32_t inner) const {
  const bool is_joint = inner < record->joint_count();
  if (is_joint && !unfinished) return finished_pose().transform(inner);
  const Transform own = is_joint ? pose.transform(inner) : record->rest(inner);
  const Override* const by = find_override(inner);
  return by == nullptr ? own : overridden(own, *by);
}

Affine InstanceImpl::model_from_inner(std::uint32_t inner) const {
  // Up to where the matrix is known, and down again, in the order that `finish` takes.
  const std::uint32_t known_end = unfinished ? 0 : record->joint_count();
  Path path;
  while (inner != kNoInner && inner >= known_end) {
    path.push(inner);
    inner = record->inner(inner).parent;
  }
  bool started = inner != kNoInner;
  Affine matrix = started ? joints_[inner] : Affine{};
  while (!path.empty()) {
    const Affine next = composed(local(path.pop()));
    matrix = started ? product(matrix, next) : next;
    started = true;
  }
  return matrix;
}

void InstanceImpl::prefetch() const {
  if (!has_animator()) return;
  const std::size_t size = memory_size;
  for (std::size_t at = 0; at < size; at += kAlignment) platform::prefetch(memory.get() + at);
}

bool InstanceImpl::is_shown(std::uint32_t inner) const {
  if (hidden.empty()) return true;
  for (; inner != kNoInner; inner = record->inner(inner).parent) {
    if (is_hidden(inner)) return false;
  }
  return true;
}

std::size_t InstanceImpl::stage_bytes() const {
  std::size_t bytes = stages.capacity() * sizeof(StageSlot);
  for (const StageSlot& of : stages) bytes += of.state.capacity() * sizeof(StageState);
  return bytes + (edited ? Pose::required_bytes(edited->skeleton()) : 0);
}

std::size_t InstanceImpl::animator_bytes() const {
  const bool tells = has_animator() && animator.functions->memory_bytes != nullptr;
  return tells ? animator.functions->memory_bytes(animator.self) : 0;
}

std::size_t InstanceImpl::memory_bytes() const {
  return sizeof(InstanceImpl) + memory_size + overrides.capacity() * sizeof(Override) + hidden.capacity() / 8 +
         duals.capacity() * sizeof(DualJoint) + skinning.capacity() + stretches.capacity() / 8 + stage_bytes() +
         animator_bytes();
}

}  // namespace marrow

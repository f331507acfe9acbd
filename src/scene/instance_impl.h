// What an Instance is made of. Internal.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "marrow/scene/instance.h"
#include "marrow/scene/pose_stage.h"
#include "src/scene/model_record.h"

namespace marrow {

struct SceneImpl;

// A piece of a stage's state, for its alignment.
struct alignas(16) StageState {
  std::byte bytes[16];
};

// An inner node's local transform, instead of the pose's as far as the weight goes.
struct Override {
  std::uint32_t inner;
  float weight;
  Transform transform;
};

struct StageSlot {
  PoseStage stage;
  std::uint32_t id = 0;  // in the instance, never given twice
  double waiting_s = 0;  // advanced since the stage was added or last ran; finite
  std::vector<StageState> state;
};

struct InstanceImpl {
  InstanceImpl(std::shared_ptr<ModelRecord> record_, const MixerOptions& options);

  std::uint64_t serial;
  std::uint64_t version = 0;  // how often it was finished

  [[nodiscard]] std::span<Affine> joints() { return {joints_, record->joint_count()}; }
  [[nodiscard]] std::span<const Affine> joints() const { return {joints_, record->joint_count()}; }
  [[nodiscard]] std::span<Affine> palettes() const { return {palettes_, record->palette_size()}; }
  [[nodiscard]] std::span<Affine> palette(std::uint32_t skin) const;

  ~InstanceImpl();
  InstanceImpl(const InstanceImpl&) = delete;
  InstanceImpl& operator=(const InstanceImpl&) = delete;

  // The steps. They may be called in any floating-point state. Animators and stages run in the one that results are
  // defined in. A step uses nothing but this instance.
  bool advance_deferred(double dt_s);
  void evaluate(MixScratch* scratch);  // null if there is no animator
  void make_mixer();
  void finish();
  void skip_finish();  // ends an update in which nothing can have changed

  // Marks the pose, or the stages and overrides that change it, as changed since the last finish.
  void wake();

  [[nodiscard]] bool has_animator() const { return animator.functions != nullptr; }
  [[nodiscard]] bool has_pending_events() const;
  void set_animator(const Animator& to);

  // Whether an update of the scene has to look at it.
  [[nodiscard]] bool is_active() const { return has_animator() || !stages.empty(); }

  // The pose that matrices are made of: a copy that stages and overrides have changed, or the pose itself.
  [[nodiscard]] const Pose& finished_pose() const { return edits_pose() ? *edited : pose; }
  [[nodiscard]] bool edits_pose() const { return !stages.empty() || overrides_joints(); }
  [[nodiscard]] bool overrides_joints() const;
  // Writes `edited` and the matrices of the joints. Returns true if every stage was `unchanged`.
  bool run_stages();
  void apply_overrides(PoseEdit& edit) const;
  void make_edited();  // the memory of the copy, before there is something that needs it

  [[nodiscard]] std::span<DualJoint> dual(std::uint32_t skin);
  void make_duals();

  // A scratch that its animator fits in; null if it has none.
  [[nodiscard]] ScratchSize scratch_size() const;
  [[nodiscard]] std::unique_ptr<MixScratch> take_scratch() const;

  [[nodiscard]] const Override* find_override(std::uint32_t inner) const;
  [[nodiscard]] Transform local(std::uint32_t inner) const;  // with the override

  // The matrix of an inner node relative to the root, as the pose now is. Expects the floating-point state that results
  // are defined in, as `local` does.
  [[nodiscard]] Affine model_from_inner(std::uint32_t inner) const;

  // Asks for the memory that an update is going to write.
  void prefetch() const;

  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] std::size_t stage_bytes() const;
  [[nodiscard]] std::size_t animator_bytes() const;

  // Whether an inner node, and all inner nodes above it, want to be seen.
  [[nodiscard]] bool is_shown(std::uint32_t inner) const;

  [[nodiscard]] bool is_hidden(std::uint32_t inner) const { return inner < hidden.size() && hidden[inner]; }

  std::shared_ptr<ModelRecord> record;
  MixerOptions options;
  Animator animator;           // no functions: none
  std::optional<Mixer> mixer;  // where the animator is one that `Instance::mixer` has made
  std::vector<StageSlot> stages;
  std::uint32_t next_stage_id = 1;
  std::optional<Pose> edited;  // what stages and overrides make of the pose

  // The pose, the joints' matrices and the palettes are one piece of memory.
  struct Deleter {
    void operator()(std::byte* p) const;
  };
  std::size_t memory_size;
  std::unique_ptr<std::byte, Deleter> memory;
  Pose pose;
  Affine* joints_ = nullptr;
  Affine* palettes_ = nullptr;

  // How meshes are blended, those beyond its end linearly; and the dual quaternions of all skins, if one needs them.
  std::vector<Skinning> skinning;
  std::vector<DualJoint> duals;
  std::vector<bool> stretches;  // of each skin

  std::vector<Override> overrides;  // by inner node
  std::vector<bool> hidden;         // by inner node; those beyond its end are not

  bool waits = false;       // in a batch, for the handler of its events, before it is posed
  bool unfinished = false;  // the pose or an override was changed since the last finish
  bool still = false;       // finished, and time alone changes nothing: updates skip it
  bool skipping = false;    // the time that stages wait for is of an advance while it was still: the next replaces it
  std::uint32_t list_index = 0;  // in the scene's list of instances
  std::uint32_t active_index = 0;

  // In the list of what Scene::update has to look at.
  std::uint32_t slot = 0;
  std::atomic<bool> queued{false};
  InstanceImpl* next_queued = nullptr;
};

}  // namespace marrow

// Pose stages of instances, and the edits that they get.
#include <algorithm>
#include <memory>
#include <string>

#include "marrow/scene/pose_stage.h"
#include "src/ffi/arguments.h"
#include "src/ffi/pose.h"
#include "src/ffi/registry.h"

using namespace marrow;
using namespace marrow::ffi;

// The edits that stages of this thread work on: a list from the innermost outward. A stage that updates another scene
// can have an inner one.
static thread_local marrow_pose_edit* innermost_edit = nullptr;

struct marrow_pose_edit {
  explicit marrow_pose_edit(PoseEdit& of) : edit(of), outer(innermost_edit) { innermost_edit = this; }
  ~marrow_pose_edit() { innermost_edit = outer; }
  marrow_pose_edit(const marrow_pose_edit&) = delete;
  marrow_pose_edit& operator=(const marrow_pose_edit&) = delete;

  PoseEdit& edit;
  marrow_pose_edit* outer;
};

static_assert(static_cast<int>(StageResult::unchanged) == MARROW_STAGE_UNCHANGED &&
              static_cast<int>(StageResult::changed) == MARROW_STAGE_CHANGED);

namespace {

// The data of the C++ stage that calls a stage in C. The instance owns it.
struct CallerStage {
  std::string name;
  std::uint32_t (*run)(void* context, marrow_pose_edit* edit);
  void* context;

  static StageResult call(void* data, PoseEdit& edit) {
    const auto& self = *static_cast<const CallerStage*>(data);
    marrow_pose_edit own(edit);
    return self.run(self.context, &own) == MARROW_STAGE_UNCHANGED ? StageResult::unchanged : StageResult::changed;
  }
  static void destroy(void* data) { delete static_cast<CallerStage*>(data); }
};

marrow_status check_stage(const marrow_pose_stage& stage) {
  if (stage.name == nullptr) return null_pointer("name");
  if (stage.run == nullptr) return null_pointer("run");
  return check_text(stage.name, "name");
}

// Finds an edit among those of this thread, without reading through the pointer, which may be an old one.
PoseEdit* find_edit(const marrow_pose_edit* edit) {
  for (const marrow_pose_edit* at = innermost_edit; at != nullptr; at = at->outer) {
    if (at == edit) return &at->edit;
  }
  return nullptr;
}

template <typename Body>
marrow_status with_edit(const marrow_pose_edit* edit, const Body& body) noexcept {
  return guarded([&]() -> marrow_status {
    if (edit == nullptr) return null_pointer("edit");
    PoseEdit* const found = find_edit(edit);
    if (found != nullptr) return body(*found);
    return fail(MARROW_ERROR_DEAD_HANDLE, "no stage of this thread is running with this edit", "edit");
  });
}
template <typename Body>
marrow_status with_joint(const marrow_pose_edit* edit, std::uint32_t joint, const Body& body) noexcept {
  return with_edit(edit, [&](PoseEdit& found) -> marrow_status {
    MARROW_FFI_TRY(check_index(joint, found.skeleton().joint_count(), "joint"));
    return body(found);
  });
}

}  // namespace

marrow_status marrow_instance_add_stage(marrow_instance instance, const marrow_pose_stage* stage,
                                        uint32_t* number) noexcept {
  return with<FoundInstance>(instance, [&](const FoundInstance& found) -> marrow_status {
    if (stage == nullptr) return null_pointer("stage");
    if (number == nullptr) return null_pointer("number");
    marrow_pose_stage own = MARROW_POSE_STAGE_INIT;
    MARROW_FFI_TRY(read_options(stage, own, "stage"));
    MARROW_FFI_TRY(check_stage(own));
    const std::uint64_t state_bytes = std::min<std::uint64_t>(own.state_bytes, SIZE_MAX);  // add_stage has the limit
    auto kept = std::make_unique<CallerStage>(CallerStage{own.name, own.run, own.context});
    const Result<StageId> added =
        found.instance.add_stage({kept->name.c_str(), own.version, static_cast<std::size_t>(state_bytes),
                                  CallerStage::call, kept.get(), CallerStage::destroy});
    if (!added) return fail(added.error());
    kept.release();  // NOLINT(bugprone-unused-return-value): the instance has it
    *number = added->number;
    return MARROW_OK;
  });
}

marrow_status marrow_instance_remove_stage(marrow_instance instance, uint32_t number) noexcept {
  return with<FoundInstance>(instance, [&](const FoundInstance& found) -> marrow_status {
    const std::size_t before = found.instance.stage_count();
    if (found.instance.remove_stage({number}).stage_count() < before) return MARROW_OK;
    return fail(MARROW_ERROR_NOT_FOUND, "the instance has no stage of that number", "number");
  });
}

marrow_status marrow_instance_stage_count(marrow_instance instance, uint32_t* stage_count) noexcept {
  return with<FoundInstance>(instance, [&](const FoundInstance& found) -> marrow_status {
    if (stage_count == nullptr) return null_pointer("stage_count");
    *stage_count = static_cast<std::uint32_t>(found.instance.stage_count());
    return MARROW_OK;
  });
}

marrow_status marrow_instance_touch(marrow_instance instance) noexcept {
  return with<FoundInstance>(instance, [](const FoundInstance& found) { return found.instance.touch(), MARROW_OK; });
}

// ---- Edits -----------------------------------------------------------------------------------------------------

marrow_status marrow_pose_edit_dt(marrow_pose_edit* edit, double* seconds) noexcept {
  return with_edit(edit, [&](const PoseEdit& found) -> marrow_status {
    if (seconds == nullptr) return null_pointer("seconds");
    *seconds = found.dt_s();
    return MARROW_OK;
  });
}

marrow_status marrow_pose_edit_state(marrow_pose_edit* edit, void** state, uint64_t* size) noexcept {
  return with_edit(edit, [&](const PoseEdit& found) -> marrow_status {
    if (state == nullptr) return null_pointer("state");
    *state = found.state().data();
    if (size != nullptr) *size = found.state().size();
    return MARROW_OK;
  });
}

marrow_status marrow_pose_edit_local(marrow_pose_edit* edit, uint32_t joint, marrow_transform* local) noexcept {
  return with_joint(edit, joint, [&](const PoseEdit& found) -> marrow_status {
    if (local == nullptr) return null_pointer("local");
    *local = same_bits<marrow_transform>(found.local(joint));
    return MARROW_OK;
  });
}

marrow_status marrow_pose_edit_set_local(marrow_pose_edit* edit, uint32_t joint,
                                         const marrow_transform* local) noexcept {
  return with_joint(edit, joint, [&](PoseEdit& found) -> marrow_status {
    if (local == nullptr) return null_pointer("local");
    MARROW_FFI_TRY(check_values(*local, "local"));
    if (found.set_local(joint, same_bits<Transform>(*local))) return MARROW_OK;
    return fail(MARROW_ERROR_INVALID_ARGUMENT, "the rotation has no length", "local");
  });
}

marrow_status marrow_pose_edit_joint_matrix(marrow_pose_edit* edit, uint32_t joint, marrow_affine* matrix) noexcept {
  return with_joint(edit, joint, [&](PoseEdit& found) -> marrow_status {
    if (matrix == nullptr) return null_pointer("matrix");
    *matrix = same_bits<marrow_affine>(found.model_from_joint(joint));
    return MARROW_OK;
  });
}

marrow_status marrow_pose_edit_joint_matrices(marrow_pose_edit* edit, marrow_affine* out, uint64_t capacity,
                                              uint64_t* count) noexcept {
  return with_edit(edit, [&](PoseEdit& found) { return copy_out(found.model_from_joints(), out, capacity, count); });
}

marrow_status marrow_pose_edit_morphs(marrow_pose_edit* edit, uint32_t joint, float* out, uint64_t capacity,
                                      uint64_t* count) noexcept {
  return with_joint(edit, joint, [&](const PoseEdit& found) {
    return copy_out(found.pose().morph_weights(joint), out, capacity, count);
  });
}

marrow_status marrow_pose_edit_set_morphs(marrow_pose_edit* edit, uint32_t joint, const float* weights,
                                          uint64_t count) noexcept {
  return with_joint(edit, joint, [&](PoseEdit& found) -> marrow_status {
    const std::size_t needed = found.skeleton().morph_count(joint);
    MARROW_FFI_TRY(check_array(weights, count, needed, "weights"));
    if (count > needed) return fail(MARROW_ERROR_SIZE_MISMATCH, "there are more weights than morph targets", "count");
    MARROW_FFI_TRY(check_morphs(weights, needed, "weights"));
    if (needed > 0) std::copy(weights, weights + needed, found.edit_pose().morph_weights(joint).begin());
    return MARROW_OK;
  });
}

// Models: loading, and what is in them but for meshes.
#include <algorithm>

#include "marrow/anim/joint_mask.h"
#include "src/ffi/arguments.h"
#include "src/ffi/load.h"
#include "src/ffi/registry.h"

using namespace marrow;
using namespace marrow::ffi;

namespace {

marrow_status load_model(const ModelSource& source, const marrow_load_options* options, marrow_model* out) {
  if (out == nullptr) return null_pointer("model");
  marrow_load_options own = MARROW_LOAD_OPTIONS_INIT;
  MARROW_FFI_TRY(read_options(options, own, "options"));
  MARROW_FFI_TRY(check_choice(own.up, MARROW_UP_Y, "up"));
  MARROW_FFI_TRY(check_choice(own.skip_meshes, 1, "skip_meshes"));
  MARROW_FFI_TRY(check_choice(own.allow_outside, 1, "allow_outside"));
  MARROW_FFI_TRY(check_choice(own.verify, 1, "verify"));
  MARROW_FFI_TRY(check_choice(own.reserved, 0, "reserved"));
  Result<LoadedFile> loaded = load_file(source, own);
  if (!loaded) return fail(loaded.error());
  auto entry = std::make_unique<ModelEntry>();
  entry->model = loaded->model;
  entry->warnings = std::move(loaded->warnings);
  return add(std::move(entry), out);
}

std::uint32_t morph_count(const Skeleton& skeleton) {
  std::uint32_t count = 0;
  for (std::uint32_t j = 0; j < skeleton.joint_count(); ++j) count += skeleton.morph_count(j);
  return count;
}

template <typename Items>
std::uint32_t count_of(const Items& items) {
  return static_cast<std::uint32_t>(items.size());
}

}  // namespace

marrow_status marrow_model_load(const char* path, const marrow_load_options* options, marrow_model* model) noexcept {
  return guarded([&]() -> marrow_status {
    if (path == nullptr) return null_pointer("path");
    return load_model({path, {}}, options, model);
  });
}

marrow_status marrow_model_read(const void* bytes, uint64_t size, const marrow_load_options* options,
                                marrow_model* model) noexcept {
  return guarded([&]() -> marrow_status {
    if (bytes == nullptr) return null_pointer("bytes");
    if (size > SIZE_MAX) return fail(MARROW_ERROR_LIMIT_EXCEEDED, "the size is larger than the address space", "size");
    return load_model({nullptr, {static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)}}, options,
                      model);
  });
}

marrow_status marrow_model_destroy(marrow_model model) noexcept {
  return guarded([&] { return remove_model(model); });
}

marrow_status marrow_model_get_info(marrow_model model, marrow_model_info* info) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    MARROW_FFI_TRY(check_info(info));
    const Model& m = entry.model;
    write_info(info, {0, m.up() == Up::y ? MARROW_UP_Y : MARROW_UP_Z, m.skeleton().joint_count(),
                      morph_count(m.skeleton()), count_of(m.clips()), count_of(m.skins()), count_of(m.meshes()),
                      count_of(m.materials()), count_of(m.nodes()), count_of(entry.warnings)});
    return MARROW_OK;
  });
}

marrow_status marrow_model_name(marrow_model model, char* out, uint64_t capacity, uint64_t* count) noexcept {
  return with_model(model, [&](const ModelEntry& m) { return copy_text_out(m.model.name(), out, capacity, count); });
}

marrow_status marrow_model_warning(marrow_model model, uint32_t warning, char* out, uint64_t capacity,
                                   uint64_t* count) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    MARROW_FFI_TRY(check_index(warning, entry.warnings.size(), "warning"));
    return copy_text_out(entry.warnings[warning], out, capacity, count);
  });
}

// ---- Joints ----------------------------------------------------------------------------------------------------

marrow_status marrow_model_find_joint(marrow_model model, const char* name, uint32_t* joint) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    if (name == nullptr) return null_pointer("name");
    if (joint == nullptr) return null_pointer("joint");
    const Result<std::uint32_t> found = entry.model.skeleton().joint(name);
    if (!found) return fail(found.error());
    *joint = *found;
    return MARROW_OK;
  });
}

marrow_status marrow_model_joint_name(marrow_model model, uint32_t joint, char* out, uint64_t capacity,
                                      uint64_t* count) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    const Skeleton& skeleton = entry.model.skeleton();
    MARROW_FFI_TRY(check_index(joint, skeleton.joint_count(), "joint"));
    return copy_text_out(skeleton.name(joint), out, capacity, count);
  });
}

marrow_status marrow_model_joint_parents(marrow_model model, int32_t* out, uint64_t capacity,
                                         uint64_t* count) noexcept {
  return with_model(
      model, [&](const ModelEntry& entry) { return copy_out(entry.model.skeleton().parents(), out, capacity, count); });
}

marrow_status marrow_model_rest_pose(marrow_model model, marrow_transform* out, uint64_t capacity,
                                     uint64_t* count) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    const Skeleton& skeleton = entry.model.skeleton();
    const Output output = check_output(skeleton.joint_count(), out, capacity, count);
    for (std::uint32_t j = 0; output.write && j < skeleton.joint_count(); ++j) {
      const auto rest = same_bits<marrow_transform>(skeleton.rest(j));
      std::memcpy(out + j, &rest, sizeof rest);
    }
    return output.status;
  });
}

marrow_status marrow_model_rest_morphs(marrow_model model, float* out, uint64_t capacity, uint64_t* count) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    const Skeleton& skeleton = entry.model.skeleton();
    const Output output = check_output(morph_count(skeleton), out, capacity, count);
    for (std::uint32_t j = 0; output.write && j < skeleton.joint_count(); ++j) {
      const std::span<const float> weights = skeleton.rest_morph_weights(j);
      if (!weights.empty()) std::memcpy(out, weights.data(), weights.size_bytes());
      out += weights.size();
    }
    return output.status;
  });
}

marrow_status marrow_model_joint_morphs(marrow_model model, uint32_t joint, uint32_t* first,
                                        uint32_t* morph_count) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    const Skeleton& skeleton = entry.model.skeleton();
    MARROW_FFI_TRY(check_index(joint, skeleton.joint_count(), "joint"));
    if (first == nullptr && morph_count == nullptr) return null_pointer("first");
    std::uint32_t before = 0;
    for (std::uint32_t j = 0; j < joint; ++j) before += skeleton.morph_count(j);
    if (first != nullptr) *first = before;
    if (morph_count != nullptr) *morph_count = skeleton.morph_count(joint);
    return MARROW_OK;
  });
}

marrow_status marrow_model_branch_mask(marrow_model model, uint32_t joint, uint32_t feather, float* out,
                                       uint64_t capacity, uint64_t* count) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    const Skeleton& skeleton = entry.model.skeleton();
    MARROW_FFI_TRY(check_index(joint, skeleton.joint_count(), "joint"));
    MARROW_FFI_TRY(check_choice(feather, 1u << 20, "feather"));
    const JointMask mask = JointMask::from_branch(skeleton, joint, feather);
    return copy_out(mask.padded().first(skeleton.joint_count()), out, capacity, count);
  });
}

// ---- Clips and skins -------------------------------------------------------------------------------------------

marrow_status marrow_model_find_clip(marrow_model model, const char* name, uint32_t* clip) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    if (name == nullptr) return null_pointer("name");
    if (clip == nullptr) return null_pointer("clip");
    return find_clip_by_name(entry.model, name, *clip);
  });
}

marrow_status marrow_model_clip_name(marrow_model model, uint32_t clip, char* out, uint64_t capacity,
                                     uint64_t* count) noexcept {
  return with_item(model, &Model::clips, clip, "clip",
                   [&](const Clip& c) { return copy_text_out(c.name(), out, capacity, count); });
}

marrow_status marrow_model_clip_duration(marrow_model model, uint32_t clip, double* seconds) noexcept {
  return with_item(model, &Model::clips, clip, "clip", [&](const Clip& c) -> marrow_status {
    if (seconds == nullptr) return null_pointer("seconds");
    *seconds = c.duration();
    return MARROW_OK;
  });
}

marrow_status marrow_model_skin_name(marrow_model model, uint32_t skin, char* out, uint64_t capacity,
                                     uint64_t* count) noexcept {
  return with_item(model, &Model::skins, skin, "skin",
                   [&](const Skin& s) { return copy_text_out(s.name(), out, capacity, count); });
}

marrow_status marrow_model_skin_joints(marrow_model model, uint32_t skin, uint32_t* out, uint64_t capacity,
                                       uint64_t* count) noexcept {
  return with_item(model, &Model::skins, skin, "skin",
                   [&](const Skin& s) { return copy_out(s.joints(), out, capacity, count); });
}

marrow_status marrow_model_skin_inverse_binds(marrow_model model, uint32_t skin, marrow_affine* out, uint64_t capacity,
                                              uint64_t* count) noexcept {
  return with_item(model, &Model::skins, skin, "skin",
                   [&](const Skin& s) { return copy_out(s.inverse_binds(), out, capacity, count); });
}

// Poses, matrices and vertices by functions alone, on the caller's arrays.
#include "marrow/anim/blend.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/skin/skinning.h"
#include "src/ffi/arguments.h"
#include "src/ffi/pose.h"
#include "src/ffi/registry.h"

using namespace marrow;
using namespace marrow::ffi;

namespace {

constexpr std::uint64_t kMaxInputs = 256;

// A pose of a model's pool, for as long as this lives.
class Lease {
 public:
  explicit Lease(ModelEntry& entry) : pool_(&entry.poses), pose_(entry.poses.take(entry.model.skeleton())) {}
  ~Lease() {
    if (!pose_) return;
    try {
      pool_->give_back(std::move(pose_));
    } catch (...) {  // without memory for the list the pose goes
    }
  }
  Lease(Lease&&) noexcept = default;
  Lease& operator=(Lease&&) = delete;

  Pose& operator*() const { return *pose_; }

 private:
  PosePool* pool_;
  std::unique_ptr<Pose> pose_;
};

std::span<Affine> affines(marrow_affine* data, std::size_t count) { return {reinterpret_cast<Affine*>(data), count}; }
std::span<const Affine> affines(const marrow_affine* data, std::size_t count) {
  return {reinterpret_cast<const Affine*>(data), count};
}

marrow_status check_matrices(std::span<const Affine> matrices, const char* parameter) {
  for (const Affine& matrix : matrices) {
    for (const auto& row : matrix.m) {
      for (const float x : row) MARROW_FFI_TRY(check_finite(static_cast<double>(x), parameter));
    }
  }
  return MARROW_OK;
}

// What a blend is made of, read from the caller's memory.
struct Blend {
  std::vector<Lease> poses;
  std::vector<BlendInput> inputs;
  std::vector<JointMask> masks;
  std::vector<BlendLayer> layers;

  marrow_status add(ModelEntry& entry, const marrow_blend_layer& layer) {
    const Skeleton& skeleton = entry.model.skeleton();
    MARROW_FFI_TRY(check_choice(layer.mode, MARROW_ADD, "mode"));
    MARROW_FFI_TRY(check_choice(layer.fill, MARROW_FILL_WEIGHT, "fill"));
    MARROW_FFI_TRY(check_choice(layer.reserved, 0, "reserved"));
    MARROW_FFI_TRY(check_share(layer.weight, "weight"));
    MARROW_FFI_TRY(check_mask(layer.mask, layer.mask_count, skeleton.joint_count()));
    MARROW_FFI_TRY(check_array(layer.inputs, layer.input_count, 0, "inputs"));
    if (layer.input_count > kMaxInputs - inputs.size()) {
      return fail(MARROW_ERROR_LIMIT_EXCEEDED, "there are more inputs than a blend takes", "inputs");
    }
    const std::size_t first = inputs.size();
    for (std::uint64_t i = 0; i < layer.input_count; ++i) {
      const marrow_blend_input& input = layer.inputs[i];
      MARROW_FFI_TRY(check_weight(input.weight, "weight"));
      MARROW_FFI_TRY(check_share(input.fade, "fade"));
      MARROW_FFI_TRY(check_pose(&input.pose, skeleton));
      MARROW_FFI_TRY(check_values(input.pose, skeleton));
      poses.emplace_back(entry);
      (*poses.back()).set_rest();
      read_pose(input.pose, *poses.back());
      inputs.emplace_back(*poses.back(), input.weight, input.fade);
    }
    BlendLayer own;
    own.inputs = {inputs.data() + first, inputs.size() - first};  // `inputs` was reserved: no element moves
    own.mode = layer.mode == MARROW_ADD ? LayerMode::add : LayerMode::replace;
    own.weight = layer.weight;
    own.fill = layer.fill == MARROW_FILL_WEIGHT ? Fill::weight : Fill::fade;
    if (layer.mask != nullptr) {
      masks.push_back(JointMask::from_values(skeleton, {layer.mask, skeleton.joint_count()}));
      own.mask = &masks.back();
    }
    layers.push_back(own);
    return MARROW_OK;
  }
};

// Checks an array of a job: `size` bytes for each vertex, of elements of `unit` bytes.
marrow_status check_view(const marrow_array& array, std::uint64_t vertices, std::uint64_t size, std::uint64_t unit,
                         const char* parameter) {
  if (array.data == nullptr) return MARROW_OK;
  const std::uint64_t stride = array.stride == 0 ? size : array.stride;
  if (stride < size || stride % unit != 0 || stride > 0x7fffffffu ||
      reinterpret_cast<std::uintptr_t>(array.data) % unit != 0) {
    return fail(MARROW_ERROR_INVALID_ARGUMENT, "the stride is too small or too large, or something is not aligned",
                parameter);
  }
  if (array.bytes >= size && (array.bytes - size) / stride >= vertices - 1) return MARROW_OK;
  return fail(MARROW_ERROR_SHORT_BUFFER, "the array is too short for so many vertices", parameter);
}

// What is null has no stride either, whatever is said.
template <typename T>
Strided<T> strided(const marrow_array& array) {
  if (array.data == nullptr) return {};
  return {static_cast<T*>(array.data), static_cast<std::size_t>(array.stride)};
}

marrow_status check_job(const marrow_skin_job& job) {
  const std::uint64_t count = job.vertex_count;
  MARROW_FFI_TRY(check_choice(job.influences, 1024, "influences"));
  MARROW_FFI_TRY(check_view(job.positions, count, 12, 4, "positions"));
  MARROW_FFI_TRY(check_view(job.normals, count, 12, 4, "normals"));
  MARROW_FFI_TRY(check_view(job.tangents, count, 16, 4, "tangents"));
  MARROW_FFI_TRY(check_view(job.out_positions, count, 12, 4, "out_positions"));
  MARROW_FFI_TRY(check_view(job.out_normals, count, 12, 4, "out_normals"));
  MARROW_FFI_TRY(check_view(job.out_tangents, count, 16, 4, "out_tangents"));
  if (job.out_positions.data != nullptr && job.positions.data == nullptr) return null_pointer("positions");
  if (job.out_normals.data != nullptr && job.normals.data == nullptr) return null_pointer("normals");
  if (job.out_tangents.data != nullptr && job.tangents.data == nullptr) return null_pointer("tangents");
  MARROW_FFI_TRY(check_array(job.palette, job.palette_count, job.influences > 0 ? 1 : 0, "palette"));
  MARROW_FFI_TRY(check_index(job.palette_count, std::uint64_t{1} << 26, "palette_count"));
  if (job.influences == 0) return MARROW_OK;
  if (job.joints.data == nullptr) return null_pointer("joints");
  if (job.weights.data == nullptr) return null_pointer("weights");
  MARROW_FFI_TRY(check_view(job.joints, count, std::uint64_t{2} * job.influences, 2, "joints"));
  return check_view(job.weights, count, std::uint64_t{4} * job.influences, 4, "weights");
}

}  // namespace

marrow_status marrow_sample(marrow_model model, uint32_t clip, double seconds, const marrow_pose* out) noexcept {
  return with_model(model, [&](ModelEntry& entry) -> marrow_status {
    MARROW_FFI_TRY(check_index(clip, entry.model.clips().size(), "clip"));
    MARROW_FFI_TRY(check_finite(seconds, "seconds"));
    MARROW_FFI_TRY(check_pose(out, entry.model.skeleton()));
    const Lease pose(entry);
    sample(entry.model.clips()[clip], seconds, *pose);
    write_pose(*pose, *out);
    return MARROW_OK;
  });
}

marrow_status marrow_blend(marrow_model model, const marrow_blend_layer* layers, uint64_t layer_count,
                           const marrow_pose* out) noexcept {
  return with_model(model, [&](ModelEntry& entry) -> marrow_status {
    MARROW_FFI_TRY(check_array(layers, layer_count, 0, "layers"));
    MARROW_FFI_TRY(check_pose(out, entry.model.skeleton()));
    if (layer_count > kMaxInputs) {
      return fail(MARROW_ERROR_LIMIT_EXCEEDED, "there are more layers than a blend takes", "layers");
    }
    std::uint64_t inputs = 0;
    for (std::uint64_t i = 0; i < layer_count; ++i) inputs += std::min(layers[i].input_count, kMaxInputs);
    Blend blend;
    blend.inputs.reserve(static_cast<std::size_t>(std::min(inputs, kMaxInputs)));
    blend.poses.reserve(blend.inputs.capacity());
    blend.layers.reserve(static_cast<std::size_t>(layer_count));
    blend.masks.reserve(static_cast<std::size_t>(layer_count));
    for (std::uint64_t i = 0; i < layer_count; ++i) MARROW_FFI_TRY(blend.add(entry, layers[i]));
    const Lease pose(entry);
    marrow::blend(blend.layers, *pose);
    write_pose(*pose, *out);
    return MARROW_OK;
  });
}

marrow_status marrow_local_to_model(marrow_model model, const marrow_transform* transforms, uint64_t transform_count,
                                    marrow_affine* model_from_joint, uint64_t matrix_count) noexcept {
  return with_model(model, [&](ModelEntry& entry) -> marrow_status {
    const std::uint32_t joints = entry.model.skeleton().joint_count();
    MARROW_FFI_TRY(check_array(transforms, transform_count, joints, "transforms"));
    MARROW_FFI_TRY(check_array(model_from_joint, matrix_count, joints, "model_from_joint"));
    MARROW_FFI_TRY(check_transforms(transforms, joints));
    const Lease pose(entry);
    for (std::uint32_t j = 0; j < joints; ++j) (*pose).set_transform(j, same_bits<Transform>(transforms[j]));
    local_to_model(*pose, affines(model_from_joint, joints));
    return MARROW_OK;
  });
}

marrow_status marrow_palette(marrow_model model, uint32_t skin, const marrow_affine* model_from_joint,
                             uint64_t matrix_count, marrow_affine* palette, uint64_t palette_count) noexcept {
  return with_model(model, [&](const ModelEntry& entry) -> marrow_status {
    MARROW_FFI_TRY(check_index(skin, entry.model.skins().size(), "skin"));
    const Skin& own = entry.model.skins()[skin];
    const std::uint32_t joints = entry.model.skeleton().joint_count();
    MARROW_FFI_TRY(check_array(model_from_joint, matrix_count, joints, "model_from_joint"));
    MARROW_FFI_TRY(check_array(palette, palette_count, own.size(), "palette"));
    MARROW_FFI_TRY(check_matrices(affines(model_from_joint, joints), "model_from_joint"));
    marrow::palette(own, affines(model_from_joint, joints), affines(palette, own.size()));
    return MARROW_OK;
  });
}

marrow_status marrow_skin_vertices(const marrow_skin_job* job) noexcept {
  return guarded([&]() -> marrow_status {
    if (job == nullptr) return null_pointer("job");
    marrow_skin_job own = {};
    MARROW_FFI_TRY(read_options(job, own, "job"));
    if (own.vertex_count == 0) return MARROW_OK;
    MARROW_FFI_TRY(check_job(own));
    // Then no array says how many vertices there are.
    if (own.out_positions.data == nullptr && own.out_normals.data == nullptr && own.out_tangents.data == nullptr) {
      return MARROW_OK;
    }
    SkinJob out;
    out.count = static_cast<std::size_t>(own.vertex_count);
    out.positions = strided<const Vec3>(own.positions);
    out.normals = strided<const Vec3>(own.normals);
    out.tangents = strided<const Vec4>(own.tangents);
    out.influences = own.influences;
    out.joints = strided<const std::uint16_t>(own.joints);
    out.weights = strided<const float>(own.weights);
    out.palette = affines(own.palette, static_cast<std::size_t>(own.palette_count));
    out.out_positions = strided<Vec3>(own.out_positions);
    out.out_normals = strided<Vec3>(own.out_normals);
    out.out_tangents = strided<Vec4>(own.out_tangents);
    skin(out);
    return MARROW_OK;
  });
}

#include "marrow/skin/skinning.h"

#include "marrow/core/assert.h"
#include "src/skin/imports.h"
#include "src/skin/kernels.h"

namespace marrow {
namespace {

// Returns a stride in floats.
template <typename T>
std::uint32_t float_stride(Strided<T> array) {
  MARROW_ASSERT(array.stride % sizeof(float) == 0, "the stride of floats must be a multiple of four bytes");
  MARROW_ASSERT(array.stride == 0 || array.stride >= sizeof(T), "a stride is 0, or at least the size of an element");
  return static_cast<std::uint32_t>((array.stride == 0 ? sizeof(T) : array.stride) / sizeof(float));
}

template <typename T>
FloatsIn floats_in(Strided<const T> array) {
  return {array.data == nullptr ? nullptr : &array.data->x, float_stride(array)};
}

// Where the results of an array go, which must be there if they are wanted.
template <typename T>
FloatsOut floats_out(Strided<T> to, Strided<const T> from) {
  MARROW_ASSERT(to.data == nullptr || from.data != nullptr, "there are no positions, normals or tangents to move");
  return {to.data == nullptr ? nullptr : &to.data->x, float_stride(to)};
}

void set_influences(const SkinJob& job, SkinKernelJob& out) {
  out.influences = job.influences;
  out.wide_joints = job.joints.data != nullptr;
  if (out.wide_joints) {
    out.joints = reinterpret_cast<const std::uint8_t*>(job.joints.data);
    MARROW_ASSERT(job.joints.stride % sizeof(std::uint16_t) == 0,
                  "the stride of joints must be a multiple of two bytes");
    out.joint_stride = static_cast<std::uint32_t>(job.joints.stride);
  } else {
    out.joints = job.small_joints.data;
    out.joint_stride = static_cast<std::uint32_t>(job.small_joints.stride);
  }
  MARROW_ASSERT(out.joints != nullptr && job.weights.data != nullptr,
                "vertices with influences need joints and weights");
  if (out.joint_stride == 0) out.joint_stride = job.influences * (out.wide_joints ? 2 : 1);
  out.weights = {job.weights.data, job.weights.stride == 0 ? job.influences : float_stride(job.weights)};
}

// Vertices without influences follow one joint, all alike.
constexpr std::uint8_t kFirstJoint = 0;
constexpr float kFullWeight = 1;
constexpr Affine kUnskinned;

void set_palette(const SkinJob& job, SkinKernelJob& out) {
  out.dual = !job.dual_palette.empty();
  MARROW_ASSERT(!out.dual || job.palette.empty(), "there must be matrices or dual quaternions, not both");
  out.stretched = job.stretches;
  out.palette = out.dual ? &job.dual_palette[0].real.x : &kUnskinned.m[0][0];
  out.palette_size = static_cast<std::uint32_t>(out.dual ? job.dual_palette.size() : 1);
  if (!job.palette.empty()) {
    out.palette = &job.palette[0].m[0][0];
    out.palette_size = static_cast<std::uint32_t>(job.palette.size());
  }
  if (job.groups != nullptr) {
    MARROW_ASSERT(job.groups->vertex_count() == job.count, "the groups are for another number of vertices");
    MARROW_ASSERT(job.groups->joint_end() <= out.palette_size, "a vertex has a joint that the palette does not have");
    out.group_first = job.groups->first().data();
    out.group_joints = job.groups->joints().data();
    out.group_weights = job.groups->weights().data();
    return;
  }
  if (job.influences > 0) {
    MARROW_ASSERT(out.dual || !job.palette.empty(), "vertices with influences need a palette");
    return set_influences(job, out);
  }
  out.influences = 1;
  out.joints = &kFirstJoint;
  out.joint_stride = 0;
  out.weights = {&kFullWeight, 0};
}

}  // namespace

const SkinKernels& skin_kernels() { return MARROW_KERNELS_IN_USE(kSkinKernels); }

void skin(const SkinJob& job) {
  if (job.count == 0) return;
  SkinKernelJob kernel = {};
  kernel.count = job.count;
  kernel.positions = floats_in(job.positions);
  kernel.normals = floats_in(job.normals);
  kernel.tangents = floats_in(job.tangents);
  kernel.by_matrix = job.normal_rule == NormalRule::matrix;
  kernel.out_positions = floats_out(job.out_positions, job.positions);
  kernel.out_normals = floats_out(job.out_normals, job.normals);
  kernel.out_tangents = floats_out(job.out_tangents, job.tangents);
  set_palette(job, kernel);
  const platform::FloatScope scope;
  skin_kernels().skin(kernel);
}

}  // namespace marrow

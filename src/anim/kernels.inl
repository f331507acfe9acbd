// Compiled once for each number of lanes, with MARROW_LANES set; see cmake/MarrowModules.cmake.
#include "src/anim/blend_kernel.h"
#include "src/anim/hierarchy_kernel.h"
#include "src/anim/kernels.h"
#include "src/anim/sampling_kernel.h"

namespace marrow::MARROW_LANES_NAMESPACE {

const AnimKernels kAnimKernels = {sample_clip, local_to_model, multiply_palette, blend_layer};

}  // namespace marrow::MARROW_LANES_NAMESPACE

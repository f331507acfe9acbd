// Compiled once for each number of lanes, with MARROW_LANES set; see cmake/MarrowModules.cmake.
#include "src/skin/bounds_kernel.h"
#include "src/skin/skinning_kernel.h"

namespace marrow::MARROW_LANES_NAMESPACE {

const SkinKernels kSkinKernels = {skin_all, move_boxes};

}  // namespace marrow::MARROW_LANES_NAMESPACE

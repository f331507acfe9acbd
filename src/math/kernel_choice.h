// Which of a module's tables of kernels is in use. Internal.
//
// MARROW_KERNELS_IN_USE(kTable) is lanes1::kTable, lanes4::kTable or lanes8::kTable, by the lanes that are active. A
// macro since a build has only the tables that its target can run: the others must not even be named.
#pragma once

#include "marrow/math/simd.h"

#if MARROW_LANE_CHOICES >= 3
#define MARROW_KERNELS_IN_USE(kTable) \
  (active_lanes() == Lanes::eight ? lanes8::kTable : active_lanes() == Lanes::four ? lanes4::kTable : lanes1::kTable)
#elif MARROW_LANE_CHOICES == 2
#define MARROW_KERNELS_IN_USE(kTable) (active_lanes() == Lanes::four ? lanes4::kTable : lanes1::kTable)
#else
#define MARROW_KERNELS_IN_USE(kTable) (lanes1::kTable)
#endif

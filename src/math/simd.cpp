#include "marrow/math/simd.h"

#include <atomic>

#include "src/math/imports.h"

namespace marrow {
namespace {

constexpr Lanes kChoices[] = {Lanes::one, Lanes::four, Lanes::eight};

// 0 until it is first asked for.
std::atomic<int> g_active{0};

}  // namespace

std::span<const Lanes> available_lanes() {
  std::size_t count = MARROW_LANE_CHOICES;
  if (count == 3 && !platform::has_avx2()) count = 2;
  return {kChoices, count};
}

Lanes active_lanes() {
  int active = g_active.load(std::memory_order_relaxed);
  if (active == 0) {
    active = static_cast<int>(available_lanes().back());
    g_active.store(active, std::memory_order_relaxed);
  }
  return static_cast<Lanes>(active);
}

bool set_lanes(Lanes lanes) {
  for (Lanes available : available_lanes()) {
    if (available == lanes) {
      g_active.store(static_cast<int>(lanes), std::memory_order_relaxed);
      return true;
    }
  }
  return false;
}

const char* to_string(Lanes lanes) {
  switch (lanes) {
    case Lanes::one: return "scalar, 1 lane";
    case Lanes::four: return platform::kFourLanesName;
    case Lanes::eight: return "avx2, 8 lanes";
  }
  return "unknown";
}

}  // namespace marrow

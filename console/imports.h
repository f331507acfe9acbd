// What a guest can call: the functions of its module "env", and what they reach.
#pragma once

#include <cstdint>
#include <vector>

#include "inputs.h"
#include "machine.h"
#include "marrow/guest/guest_host.h"

namespace marrow::console {

// How long the calls of one import took, all together.
struct CallTime {
  const char* name = "";
  std::uint64_t calls = 0;
  double microseconds = 0;
};

// What the calls of one guest reach.
struct ImportContext {
  ImportContext(const GuestOptions& options, bool timed);

  GuestHost host;
  Inputs inputs{};
  std::vector<CallTime> times;  // of each import; empty unless timed
};

// Returns all imports, for a machine that the context outlives.
[[nodiscard]] HostFunctions imports_for(ImportContext& context);

}  // namespace marrow::console

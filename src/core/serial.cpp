#include "marrow/core/serial.h"

#include <atomic>

namespace marrow {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace marrow

#include "src/core/large_allocator.h"

#include <cstdlib>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace marrow {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

}  // namespace

void* allocate_large(std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  if (bytes >= 2 * kLargePage) {
    void* const memory = std::aligned_alloc(kLargePage, (bytes + kLargePage - 1) / kLargePage * kLargePage);
    if (memory == nullptr) throw std::bad_alloc();
    ::madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; where it is not granted nothing is lost
    return memory;
  }
#endif
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void free_large(void* memory) noexcept { std::free(memory); }

}  // namespace marrow

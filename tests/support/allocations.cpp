// Counts allocations by replacing the global operators: linked into a program, it counts in all of it.
#include "support/allocations.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> g_allocations{0};

void* allocate(std::size_t size, std::size_t alignment) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  const std::size_t rounded = (size + alignment) / alignment * alignment;  // never zero, and a multiple of it
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

// All of them: a sanitizer brings its own for those that are left out.
using Size = std::size_t;
using Alignment = std::align_val_t;
constexpr Size kUsual = alignof(std::max_align_t);

void* operator new(Size size) { return allocate(size, kUsual); }
void* operator new[](Size size) { return allocate(size, kUsual); }
void* operator new(Size size, const std::nothrow_t&) noexcept { return allocate(size, kUsual); }
void* operator new[](Size size, const std::nothrow_t&) noexcept { return allocate(size, kUsual); }
void* operator new(Size size, Alignment alignment) { return allocate(size, static_cast<Size>(alignment)); }
void* operator new[](Size size, Alignment alignment) { return allocate(size, static_cast<Size>(alignment)); }
void* operator new(Size size, Alignment alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<Size>(alignment));
}
void* operator new[](Size size, Alignment alignment, const std::nothrow_t&) noexcept {
  return allocate(size, static_cast<Size>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, Size) noexcept { std::free(memory); }
void operator delete[](void* memory, Size) noexcept { std::free(memory); }
void operator delete(void* memory, Alignment) noexcept { std::free(memory); }
void operator delete[](void* memory, Alignment) noexcept { std::free(memory); }
void operator delete(void* memory, Size, Alignment) noexcept { std::free(memory); }
void operator delete[](void* memory, Size, Alignment) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, Alignment, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, Alignment, const std::nothrow_t&) noexcept { std::free(memory); }

namespace marrow::test {

std::size_t allocation_count() { return g_allocations.load(); }

}  // namespace marrow::test

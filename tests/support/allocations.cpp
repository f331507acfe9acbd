// Counts allocations by replacing the global operators: linked into a program, it counts in all of it.
#include "support/allocations.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> g_allocations{0};
thread_local std::size_t g_good = SIZE_MAX;  // so many more succeed

// Returns null if it is to fail.
void* allocate_or_fail(std::size_t size, std::size_t alignment) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  if (g_good != SIZE_MAX && g_good-- == 0) {
    g_good = SIZE_MAX;
    return nullptr;
  }
  const std::size_t rounded = (size + alignment) / alignment * alignment;  // never zero, and a multiple of it
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) std::abort();
  return memory;
}

void* allocate(std::size_t size, std::size_t alignment) {
  void* const memory = allocate_or_fail(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// All of them: a sanitizer brings its own for those that are left out.
using Size = std::size_t;
using Alignment = std::align_val_t;
constexpr Size kUsual = alignof(std::max_align_t);

void* operator new(Size size) { return allocate(size, kUsual); }
void* operator new[](Size size) { return allocate(size, kUsual); }
void* operator new(Size size, const std::nothrow_t&) noexcept { return allocate_or_fail(size, kUsual); }
void* operator new[](Size size, const std::nothrow_t&) noexcept { return allocate_or_fail(size, kUsual); }
void* operator new(Size size, Alignment alignment) { return allocate(size, static_cast<Size>(alignment)); }
void* operator new[](Size size, Alignment alignment) { return allocate(size, static_cast<Size>(alignment)); }
void* operator new(Size size, Alignment alignment, const std::nothrow_t&) noexcept {
  return allocate_or_fail(size, static_cast<Size>(alignment));
}
void* operator new[](Size size, Alignment alignment, const std::nothrow_t&) noexcept {
  return allocate_or_fail(size, static_cast<Size>(alignment));
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

void fail_allocation_after(std::size_t count) { g_good = count; }
void fail_no_allocation() { g_good = SIZE_MAX; }

}  // namespace marrow::test

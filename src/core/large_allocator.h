// An allocator for large, short-lived arrays: asks the system for large pages. Internal.
//
// Memory that is new to a process comes to it a page at a time, each with a detour through the kernel; with pages of
// 2 MiB that is hardly noticed. Systems without them, and small arrays, get ordinary memory.
#pragma once

#include <cstddef>
#include <new>

namespace marrow {

// Returns memory to be given back with free_large; throws std::bad_alloc.
[[nodiscard]] void* allocate_large(std::size_t bytes);
void free_large(void* memory) noexcept;

template <typename T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <typename Other>
  LargeAllocator(const LargeAllocator<Other>&) {}  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(allocate_large(count * sizeof(T)));
  }
  // What is to be written anyway is not made zero first.
  template <typename Other>
  void construct(Other* at) {
    ::new (static_cast<void*>(at)) Other;
  }
  void deallocate(T* memory, std::size_t) noexcept { free_large(memory); }
  bool operator==(const LargeAllocator&) const { return true; }
};

}  // namespace marrow

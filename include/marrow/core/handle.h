// Value handles with a generation, and the pool that gives them out.
//
// A handle is an index and the generation of the slot it was given for. When the slot is released its generation goes
// up, so an old handle is found out instead of reaching somebody else's object. A zero handle is null.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "marrow/core/assert.h"

namespace marrow {

// `Tag` keeps handles to different things apart. Plain data, 8 bytes, all zero is null.
template <typename Tag>
struct Handle {
  std::uint32_t index = 0;       // slot + 1; 0 is null
  std::uint32_t generation = 0;  // that of the slot when the handle was made

  [[nodiscard]] bool is_null() const { return index == 0; }
  friend bool operator==(Handle a, Handle b) { return a.index == b.index && a.generation == b.generation; }
  friend bool operator!=(Handle a, Handle b) { return !(a == b); }
};

// Owns objects and gives out handles to them. A pointer from `get` is good until the next `add`. Not thread-safe.
template <typename T, typename Tag = T>
class HandlePool {
 public:
  using HandleType = Handle<Tag>;

  HandlePool() = default;
  HandlePool(const HandlePool&) = default;
  HandlePool& operator=(const HandlePool&) = default;
  HandlePool(HandlePool&& other) noexcept
      : slots_(std::move(other.slots_)), free_(std::move(other.free_)), size_(std::exchange(other.size_, 0)) {}
  HandlePool& operator=(HandlePool&& other) noexcept {
    slots_ = std::move(other.slots_);
    free_ = std::move(other.free_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  // Makes room so that the next `count` objects in all need no allocation.
  void reserve(std::size_t count) {
    slots_.reserve(count);
    free_.reserve(count);
  }

  // Stores an object. Slots released last are used again first.
  [[nodiscard]] HandleType add(T value) {
    std::uint32_t slot;
    if (!free_.empty()) {
      slot = free_.back();
      free_.pop_back();
    } else {
      MARROW_ASSERT(slots_.size() < 0xffffffffu, "a HandlePool holds at most 2^32 - 1 objects");
      slot = static_cast<std::uint32_t>(slots_.size());
      slots_.emplace_back();
      free_.reserve(slots_.capacity());  // so that remove() never allocates
    }
    slots_[slot].value.emplace(std::move(value));
    ++size_;
    return {slot + 1, slots_[slot].generation};
  }

  // Returns the object, or nullptr if the handle is null, released or not of this pool.
  [[nodiscard]] T* get(HandleType handle) { return const_cast<T*>(static_cast<const HandlePool*>(this)->get(handle)); }
  [[nodiscard]] const T* get(HandleType handle) const {
    if (handle.index == 0 || handle.index > slots_.size()) return nullptr;
    const Slot& slot = slots_[handle.index - 1];
    return slot.value.has_value() && slot.generation == handle.generation ? &*slot.value : nullptr;
  }

  // Destroys the object; every handle to it becomes stale. Returns false if the handle already was.
  bool remove(HandleType handle) {
    if (get(handle) == nullptr) return false;
    Slot& slot = slots_[handle.index - 1];
    slot.value.reset();
    --size_;
    // A slot whose generations are used up is retired, so that no handle can ever come true again.
    if (++slot.generation != 0) free_.push_back(handle.index - 1);
    return true;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Slot {
    std::optional<T> value;
    std::uint32_t generation = 1;
  };
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  std::size_t size_ = 0;
};

}  // namespace marrow

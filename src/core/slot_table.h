// Slots with generations: the rules behind every handle. Internal.
//
// A table has numbered slots. A slot is free, in use or retired. The rules, for every table:
//   - The generations of a slot begin at 1. Freeing a slot raises its generation, so a stale reference never matches
//     again.
//   - A slot whose generations are used up is retired: it is never used again.
//   - The lowest free slot is used next.
//   - Generation 0 is null and matches nothing.
//
// SlotTable is for one thread at a time. SlotState and FreeSlots hold the rules for tables with other needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "marrow/core/assert.h"

namespace marrow {

// A slot and one of its generations.
struct SlotRef {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0 is null

  explicit operator bool() const { return generation != 0; }
};

// The generation of a slot, and whether the slot is in use. One word, so that it can be read and written atomically.
class SlotState {
 public:
  static constexpr std::uint32_t kGenerationEnd = 0x7fffffffu;  // no slot is used with this generation

  SlotState() = default;
  friend bool operator==(SlotState, SlotState) = default;
  explicit SlotState(std::uint32_t generation, bool in_use = false)
      : word_(std::min(generation, kGenerationEnd) * 2 + (in_use ? 1 : 0)) {}

  [[nodiscard]] std::uint32_t generation() const { return word_ / 2; }
  [[nodiscard]] bool in_use() const { return word_ % 2 != 0; }

  // Whether a reference to this generation matches; and whether it did before the slot was freed.
  [[nodiscard]] bool is_alive(std::uint32_t g) const { return in_use() && generation() == g; }
  [[nodiscard]] bool is_dead(std::uint32_t g) const { return g != 0 && g < generation(); }

  [[nodiscard]] SlotState taken() const { return SlotState(generation(), true); }
  [[nodiscard]] SlotState freed() const { return SlotState(generation() + 1); }

 private:
  std::uint32_t word_ = 2;
};

// The free slots of a table.
class FreeSlots {
 public:
  // Retires slots whose generation is `end` or more.
  explicit FreeSlots(std::uint32_t end = SlotState::kGenerationEnd) : end_(end) {}

  // Whether a slot can be used with a generation.
  [[nodiscard]] bool is_usable(std::uint32_t generation) const { return generation != 0 && generation < end_; }

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::uint32_t lowest() const { return heap_.front(); }

  // Adds a slot, unless its state says that it is in use or retired.
  void add(std::uint32_t slot, SlotState state) {
    if (state.in_use() || !is_usable(state.generation())) return;
    heap_.push_back(slot);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  // Removes the lowest and returns it.
  std::uint32_t take() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const std::uint32_t slot = heap_.back();
    heap_.pop_back();
    return slot;
  }

  void clear() { heap_.clear(); }
  void set_generation_end(std::uint32_t end) { end_ = end; }

  // Allocates for a table of `slots` slots. After that `add` does not allocate.
  void reserve(std::size_t slots) { heap_.reserve(slots); }
  [[nodiscard]] std::size_t memory_bytes() const { return heap_.capacity() * sizeof(heap_[0]); }

 private:
  std::uint32_t end_;
  std::vector<std::uint32_t> heap_;
};

// A table of values, one for each slot. It never touches a value: the code that takes or frees a slot sets it.
template <typename T>
class SlotTable {
 public:
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }  // all slots
  [[nodiscard]] std::uint32_t live_count() const { return live_count_; }                          // those in use
  [[nodiscard]] std::uint32_t live_end() const { return live_end_; }  // one past the last that is in use

  [[nodiscard]] T& operator[](std::uint32_t slot) { return slots_[slot].value; }
  [[nodiscard]] const T& operator[](std::uint32_t slot) const { return slots_[slot].value; }
  [[nodiscard]] bool is_live(std::uint32_t slot) const { return slots_[slot].state.in_use(); }
  [[nodiscard]] std::uint32_t generation(std::uint32_t slot) const { return slots_[slot].state.generation(); }

  // Whether a reference matches a slot in use.
  [[nodiscard]] bool is_alive(SlotRef ref) const {
    return ref.slot < slots_.size() && slots_[ref.slot].state.is_alive(ref.generation);
  }

  // Whether a slot can be used with a generation; and whether this one, in use, can be used again.
  [[nodiscard]] bool is_usable(std::uint32_t generation) const { return free_.is_usable(generation); }
  [[nodiscard]] bool can_be_reused(std::uint32_t slot) const { return is_usable(generation(slot) + 1); }

  // Adds free slots up to `size`.
  void grow(std::uint32_t size) {
    reserve(size);
    for (std::uint32_t slot = this->size(); slot < size; ++slot) {
      slots_.emplace_back();
      free_.add(slot, SlotState());
    }
  }

  // Returns the slot that `take` takes: the lowest free one.
  [[nodiscard]] std::optional<std::uint32_t> next_free() const {
    return free_.empty() ? std::nullopt : std::optional(free_.lowest());
  }

  // There must be a free slot. Allocates nothing, and neither does `free`.
  std::uint32_t take() {
    MARROW_ASSERT(!free_.empty(), "a slot is taken from a table without a free one");
    const std::uint32_t slot = free_.take();
    slots_[slot].state = slots_[slot].state.taken();
    ++live_count_;
    live_end_ = std::max(live_end_, slot + 1);
    return slot;
  }

  // The slot must be in use.
  void free(std::uint32_t slot) {
    SlotState& state = slots_[slot].state;
    state = state.freed();
    free_.add(slot, state);
    --live_count_;
    while (live_end_ > 0 && !is_live(live_end_ - 1)) --live_end_;
  }

  // Retires slots when their generation comes to `end`, for references with fewer bits.
  void set_generation_end(std::uint32_t end) {
    free_.set_generation_end(end);
    count_slots();
  }

  // Sets the state of every slot. Those in use must have usable generations. References are good or stale again as they
  // were when the states were these.
  void restore(std::span<const SlotState> states) {
    bool changed = false;
    for (std::uint32_t slot = 0; slot < size(); ++slot) {
      changed = changed || !(slots_[slot].state == states[slot]);
      slots_[slot].state = states[slot];
    }
    if (changed) count_slots();
  }

  void reserve(std::size_t slots) {
    free_.reserve(slots);  // first: it must never be the smaller one
    slots_.reserve(slots);
  }
  [[nodiscard]] std::size_t capacity() const { return slots_.capacity(); }
  [[nodiscard]] std::size_t memory_bytes() const { return capacity() * sizeof(Slot) + free_.memory_bytes(); }

 private:
  struct Slot {
    T value;
    SlotState state;
  };

  void count_slots() {
    free_.clear();
    live_count_ = live_end_ = 0;
    for (std::uint32_t slot = 0; slot < size(); ++slot) {
      free_.add(slot, slots_[slot].state);
      if (!is_live(slot)) continue;
      ++live_count_;
      live_end_ = slot + 1;
    }
  }

  std::vector<Slot> slots_;
  FreeSlots free_;
  std::uint32_t live_count_ = 0, live_end_ = 0;
};

}  // namespace marrow

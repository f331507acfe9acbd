// SharedSlotTable: a slot table in which any thread finds values without a lock. Internal.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "src/ffi/imports.h"

namespace marrow::ffi {

// Values, by the rules of core/slot_table.h. Values may be found on any thread at any time; adding and removing takes a
// lock. A value must not be removed while another thread uses it. A reference fits in the given numbers of bits.
template <typename T, unsigned kSlotBits, unsigned kGenerationBits>
class SharedSlotTable {
 public:
  SharedSlotTable() = default;
  ~SharedSlotTable() {
    for (const std::atomic<Slot*>& chunk : chunks_) delete[] chunk.load();
  }
  SharedSlotTable(const SharedSlotTable&) = delete;
  SharedSlotTable& operator=(const SharedSlotTable&) = delete;

  // Returns nothing if the table is full.
  [[nodiscard]] std::optional<SlotRef> add(const T& value) {
    const std::lock_guard lock(mutex_);
    if (free_.empty() && !add_chunk()) return std::nullopt;
    const std::uint32_t slot = free_.take();
    Slot& at = *slot_at(slot);
    const SlotState state = at.state.load(std::memory_order_relaxed).taken();
    at.value = value;
    at.state.store(state, std::memory_order_release);
    return SlotRef{slot, state.generation()};
  }

  // Returns the value; null if it was removed or never was there.
  [[nodiscard]] T* find(SlotRef ref) {
    Slot* const at = slot_at(ref.slot);
    const bool found = at != nullptr && at->state.load(std::memory_order_acquire).is_alive(ref.generation);
    return found ? &at->value : nullptr;
  }

  // Whether a reference was given out whose value was removed.
  [[nodiscard]] bool is_dead(SlotRef ref) {
    Slot* const at = slot_at(ref.slot);
    return at != nullptr && at->state.load(std::memory_order_acquire).is_dead(ref.generation);
  }

  void remove(SlotRef ref) {
    const std::lock_guard lock(mutex_);
    if (find(ref) == nullptr) return;
    Slot& at = *slot_at(ref.slot);
    const SlotState state = at.state.load(std::memory_order_relaxed).freed();
    at.state.store(state, std::memory_order_release);
    free_.add(ref.slot, state);
  }

 private:
  static constexpr std::uint32_t kSlots = 1u << kSlotBits, kChunk = 1024;
  static_assert(kSlots % kChunk == 0 && std::atomic<SlotState>::is_always_lock_free);

  struct Slot {
    std::atomic<SlotState> state{};
    T value{};
  };

  Slot* slot_at(std::uint32_t slot) {
    if (slot >= kSlots) return nullptr;
    Slot* const chunk = chunks_[slot / kChunk].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : chunk + slot % kChunk;
  }

  // Adds free slots. Returns false if there are as many as references can tell apart.
  bool add_chunk() {
    if (size_ == kSlots) return false;
    free_.reserve(size_ + kChunk);  // so that remove() never allocates
    chunks_[size_ / kChunk].store(new Slot[kChunk], std::memory_order_release);
    for (const std::uint32_t end = size_ + kChunk; size_ < end; ++size_) free_.add(size_, SlotState());
    return true;
  }

  std::mutex mutex_;
  std::array<std::atomic<Slot*>, kSlots / kChunk> chunks_{};
  FreeSlots free_{1u << kGenerationBits};
  std::uint32_t size_ = 0;
};

}  // namespace marrow::ffi

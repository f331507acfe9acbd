// SlotTable: values that handles refer to, found without a lock. Internal.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace marrow::ffi {

// Where a value is, and which of the values that have been there.
struct Place {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0 for no place

  explicit operator bool() const { return generation != 0; }
};

// Gives values a place each. Values may be found on any thread at any time; adding and removing takes a lock. A value
// must not be removed while another thread uses it. A slot whose generations are used up is retired, so that no place
// is ever given out twice.
template <typename T, unsigned kSlotBits, unsigned kGenerationBits>
class SlotTable {
 public:
  static constexpr std::uint32_t kSlots = 1u << kSlotBits;
  static constexpr std::uint32_t kGenerationEnd = 1u << kGenerationBits;

  SlotTable() = default;
  ~SlotTable() {
    for (const std::atomic<Slot*>& chunk : chunks_) delete[] chunk.load();
  }
  SlotTable(const SlotTable&) = delete;
  SlotTable& operator=(const SlotTable&) = delete;

  // Returns nothing if the table is full.
  [[nodiscard]] std::optional<Place> add(const T& value) {
    const std::lock_guard lock(mutex_);
    std::uint32_t slot = used_;
    if (!free_.empty()) {
      slot = free_.back();
      free_.pop_back();
    } else {
      if (used_ == kSlots) return std::nullopt;
      std::atomic<Slot*>& chunk = chunks_[used_ / kChunk];
      if (chunk.load(std::memory_order_relaxed) == nullptr) {
        free_.reserve(used_ + kChunk);  // so that remove() never allocates
        chunk.store(new Slot[kChunk], std::memory_order_release);
      }
      ++used_;
    }
    Slot& at = *slot_at(slot);
    const std::uint32_t generation = at.state.load(std::memory_order_relaxed) / 2;
    at.value = value;
    at.state.store(generation * 2 + 1, std::memory_order_release);
    return Place{slot, generation};
  }

  // Returns the value; null if it was removed or never was there.
  [[nodiscard]] T* find(Place place) {
    Slot* const at = slot_at(place.slot);
    const bool there = at != nullptr && at->state.load(std::memory_order_acquire) == place.generation * 2 + 1;
    return there ? &at->value : nullptr;
  }

  // Whether a place that holds nothing was given out before.
  [[nodiscard]] bool is_dead(Place place) {
    Slot* const at = slot_at(place.slot);
    return place && at != nullptr && place.generation < at->state.load(std::memory_order_acquire) / 2;
  }

  void remove(Place place) {
    const std::lock_guard lock(mutex_);
    if (find(place) == nullptr) return;
    const std::uint32_t next = place.generation + 1;
    slot_at(place.slot)->state.store(next * 2, std::memory_order_release);
    if (next < kGenerationEnd) free_.push_back(place.slot);
  }

 private:
  static constexpr std::uint32_t kChunk = 1024;
  static_assert(kGenerationBits < 31 && kSlots % kChunk == 0);

  struct Slot {
    std::atomic<std::uint32_t> state{2};  // twice the generation, and 1 if there is a value
    T value{};
  };

  Slot* slot_at(std::uint32_t slot) {
    if (slot >= kSlots) return nullptr;
    Slot* const chunk = chunks_[slot / kChunk].load(std::memory_order_acquire);
    return chunk == nullptr ? nullptr : chunk + slot % kChunk;
  }

  std::mutex mutex_;
  std::array<std::atomic<Slot*>, kSlots / kChunk> chunks_{};
  std::vector<std::uint32_t> free_;
  std::uint32_t used_ = 0;
};

}  // namespace marrow::ffi

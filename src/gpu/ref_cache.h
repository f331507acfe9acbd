// RefCache: which palettes were added in this frame. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "marrow/gpu/palette_buffer.h"

namespace marrow {

struct VersionedKey {
  PaletteKey key;
  std::uint64_t version = 0;

  friend bool operator==(const VersionedKey& a, const VersionedKey& b) {
    return a.key == b.key && a.version == b.version;
  }
};

// A hash table with open addressing. Entries of other frames count as free, so that a new frame clears nothing.
class RefCache {
 public:
  // To begin with there is room for so many; it grows.
  explicit RefCache(std::size_t count);

  // Returns the ref of a palette that was inserted in this frame; one of frame 0 if none was.
  [[nodiscard]] PaletteRef find(const VersionedKey& key, std::uint64_t frame) const;

  // Adds one that is not there. Its frame is the present one.
  void insert(const VersionedKey& key, PaletteRef ref);

 private:
  struct Entry {
    VersionedKey key;
    PaletteRef ref;
  };

  [[nodiscard]] std::size_t place_of(const VersionedKey& key, std::uint64_t frame) const;
  void grow(std::uint64_t frame);

  std::vector<Entry> entries_;  // a power of two
  std::uint64_t frame_ = 0;     // of the last insertion
  std::size_t count_ = 0;       // of that frame
};

}  // namespace marrow

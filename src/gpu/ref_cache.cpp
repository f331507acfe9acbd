#include "src/gpu/ref_cache.h"

namespace marrow {

RefCache::RefCache(std::size_t count) {
  std::size_t size = 8;
  while (size < 2 * count) size *= 2;
  entries_.resize(size);
}

// Where the palette is, or where it would go.
std::size_t RefCache::place_of(const VersionedKey& key, std::uint64_t frame) const {
  const std::size_t mask = entries_.size() - 1;
  const std::uint64_t both = (key.key.owner * 64 + key.key.skin) ^ (key.version << 40);
  auto at = static_cast<std::size_t>((both * 0x9e3779b97f4a7c15u) >> 20) & mask;  // Knuth's multiplicative hash
  while (entries_[at].ref.frame == frame && !(entries_[at].key == key)) at = (at + 1) & mask;
  return at;
}

PaletteRef RefCache::find(const VersionedKey& key, std::uint64_t frame) const {
  const Entry& entry = entries_[place_of(key, frame)];
  return entry.ref.frame == frame ? entry.ref : PaletteRef{};
}

void RefCache::insert(const VersionedKey& key, PaletteRef ref) {
  if (ref.frame != frame_) {
    frame_ = ref.frame;
    count_ = 0;
  }
  if (2 * ++count_ > entries_.size()) grow(ref.frame);
  entries_[place_of(key, ref.frame)] = {key, ref};
}

void RefCache::grow(std::uint64_t frame) {
  std::vector<Entry> old(2 * entries_.size());
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.ref.frame == frame) entries_[place_of(entry.key, frame)] = entry;
  }
}

}  // namespace marrow

#include "marrow/gpu/palette_buffer.h"

#include <string>
#include <utility>

#include "src/gpu/block_arena.h"
#include "src/gpu/ref_cache.h"

namespace marrow {

struct PaletteBuffer::Impl {
  PaletteStorage storage;
  std::uint32_t max_bones;
  BlockArena arena;
  RefCache cache;
};

PaletteBuffer::PaletteBuffer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PaletteBuffer::PaletteBuffer(PaletteBuffer&&) noexcept = default;
PaletteBuffer& PaletteBuffer::operator=(PaletteBuffer&&) noexcept = default;
PaletteBuffer::~PaletteBuffer() = default;

Result<PaletteBuffer> PaletteBuffer::create(const Device& device, const PaletteBufferOptions& options) {
  if (options.max_bones == 0) return Error{ErrorCode::invalid_argument, "there must be a bone at least", {}};
  const Result<PaletteStorage> storage = choose_storage(options.max_bones, device.limits, options.storage);
  if (!storage) return storage.error();
  BlockArenaOptions arena;
  arena.storage = *storage;
  arena.visible_bytes = std::size_t{options.max_bones} * bone_bytes(*storage);
  arena.blocks = options.palettes;
  arena.copies = options.copies;
  return PaletteBuffer(std::unique_ptr<Impl>(
      new Impl{*storage, options.max_bones, BlockArena(device, arena), RefCache(options.palettes)}));
}

PaletteStorage PaletteBuffer::storage() const { return impl_->storage; }
std::uint32_t PaletteBuffer::max_bones() const { return impl_->max_bones; }
void PaletteBuffer::begin_frame() { impl_->arena.begin_frame(); }
UploadCounters PaletteBuffer::counters() const { return impl_->arena.counters(); }
Result<void> PaletteBuffer::upload() { return impl_->arena.upload(); }

Result<PaletteRef> PaletteBuffer::add(std::span<const Affine> bones) {
  if (bones.size() > impl_->max_bones) {
    return Error{ErrorCode::limit_exceeded,
                 "the palette has " + std::to_string(bones.size()) + " bones, and the buffer was made for " +
                     std::to_string(impl_->max_bones),
                 {}};
  }
  const Result<BlockArena::Block> block = impl_->arena.add(bones.size() * bone_bytes(impl_->storage));
  if (!block) return block.error();
  pack_bones(bones, impl_->storage, block->bytes);
  return PaletteRef{impl_->arena.frame(), block->offset, static_cast<std::uint32_t>(bones.size())};
}

Result<PaletteRef> PaletteBuffer::add(PaletteKey key, std::uint64_t version, std::span<const Affine> bones) {
  const PaletteRef known = impl_->cache.find({key, version}, impl_->arena.frame());
  if (known.frame == impl_->arena.frame()) return known;
  Result<PaletteRef> added = add(bones);
  if (added) impl_->cache.insert({key, version}, *added);
  return added;
}

Result<BufferBinding> PaletteBuffer::binding(PaletteRef ref) const {
  const std::uint32_t each = bone_bytes(impl_->storage);
  const Result<void> there = impl_->arena.check(ref.frame, ref.offset, std::size_t{ref.bones} * each);
  if (!there) return there.error();
  return BufferBinding{impl_->arena.handle(), ref.offset, std::size_t{impl_->max_bones} * each, ref.offset / each};
}

}  // namespace marrow

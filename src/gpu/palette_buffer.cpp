#include "marrow/gpu/palette_buffer.h"

#include <string>
#include <utility>

#include "src/gpu/block_arena.h"

namespace marrow {

struct PaletteBuffer::Impl {
  PaletteStorage storage;
  std::uint32_t max_bones;
  bool fill;
  BlockArena arena;

  [[nodiscard]] Result<std::uint32_t> count_of(std::span<const Affine> bones) const;
  void pack(std::span<const Affine> bones, std::span<std::byte> out) const;
};

// Returns how many bones a palette takes in the buffer.
Result<std::uint32_t> PaletteBuffer::Impl::count_of(std::span<const Affine> bones) const {
  if (bones.size() > max_bones) {
    return Error{ErrorCode::limit_exceeded,
                 "the palette has " + std::to_string(bones.size()) + " bones, and the buffer was made for " +
                     std::to_string(max_bones),
                 {}};
  }
  return fill ? max_bones : static_cast<std::uint32_t>(bones.size());
}

void PaletteBuffer::Impl::pack(std::span<const Affine> bones, std::span<std::byte> out) const {
  const std::size_t each = bone_bytes(storage);
  const Affine identity;
  pack_bones(bones, storage, out.first(bones.size() * each));
  for (std::size_t at = bones.size() * each; at < out.size(); at += each) {
    pack_bones(std::span(&identity, 1), storage, out.subspan(at, each));
  }
}

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
  return PaletteBuffer(
      std::unique_ptr<Impl>(new Impl{*storage, options.max_bones, options.fill, BlockArena(device, arena)}));
}

PaletteStorage PaletteBuffer::storage() const { return impl_->storage; }
std::uint32_t PaletteBuffer::max_bones() const { return impl_->max_bones; }
void PaletteBuffer::begin_frame() { impl_->arena.begin_frame(); }
UploadCounters PaletteBuffer::counters() const { return impl_->arena.counters(); }
Result<void> PaletteBuffer::upload() { return impl_->arena.upload(); }

Result<PaletteRef> PaletteBuffer::add(std::span<const Affine> bones) {
  const Result<std::uint32_t> count = impl_->count_of(bones);
  if (!count) return count.error();
  const Result<BlockArena::Added> added = impl_->arena.add(std::size_t{*count} * bone_bytes(impl_->storage));
  if (!added) return added.error();
  impl_->pack(bones, added->bytes);
  return PaletteRef{impl_->arena.frame(), added->block, *count};
}

Result<PaletteRef> PaletteBuffer::add(PaletteKey key, std::uint64_t version, std::span<const Affine> bones) {
  const Result<std::uint32_t> count = impl_->count_of(bones);
  if (!count) return count.error();
  const Result<BlockArena::Added> added =
      impl_->arena.add({key.owner, key.skin}, version, std::size_t{*count} * bone_bytes(impl_->storage));
  if (!added) return added.error();
  if (added->stale) impl_->pack(bones, added->bytes);
  return PaletteRef{impl_->arena.frame(), added->block, *count};
}

Result<BufferBinding> PaletteBuffer::binding(PaletteRef ref) const {
  const Result<std::uint32_t> offset = impl_->arena.offset_of(ref.frame, ref.block);
  if (!offset) return offset.error();
  const std::uint32_t each = bone_bytes(impl_->storage);
  return BufferBinding{impl_->arena.handle(), *offset, std::size_t{impl_->max_bones} * each, *offset / each};
}

}  // namespace marrow

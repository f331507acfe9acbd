// Snapshots of mixers and instances in the caller's memory. Internal.
#pragma once

#include "src/ffi/arguments.h"

namespace marrow::ffi {

// `of` has snapshot_size, save and restore.
template <typename Saved>
marrow_status save_block(const Saved& of, void* out, std::uint64_t capacity, std::uint64_t* count) {
  const std::uint64_t enough = of.snapshot_size();
  if (out == nullptr) return check_output(enough, out, capacity, count).status;
  const Result<std::size_t> saved =
      of.save({static_cast<std::byte*>(out), static_cast<std::size_t>(std::min(capacity, enough))});
  if (!saved && saved.error().code != ErrorCode::size_mismatch) return fail(saved.error());
  if (count != nullptr) *count = saved ? *saved : enough;
  return saved ? MARROW_OK : short_buffer();
}

template <typename Saved>
marrow_status restore_block(Saved& of, const void* block, std::uint64_t size) {
  if (block == nullptr) return null_pointer("block");
  if (size > SIZE_MAX) return fail(MARROW_ERROR_LIMIT_EXCEEDED, "the block is larger than the address space", "size");
  const Result<void> restored = of.restore({static_cast<const std::byte*>(block), static_cast<std::size_t>(size)});
  return restored ? MARROW_OK : fail(restored.error());
}

}  // namespace marrow::ffi

#include "marrow/gpu/palette_storage.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "marrow/core/assert.h"

namespace marrow {
namespace {

// So that a number of a bone fits in 32 bits, also times its bytes as a signed one.
constexpr std::uint32_t kMaxTextureRows = 32768;
constexpr std::uint32_t kMaxStorageBones = 1u << 25;

// How many bones there can be, as a clause.
std::string what_it_holds(PaletteStorage storage, const DeviceLimits& limits) {
  const std::uint32_t most = max_bones(storage, limits);
  if (most > 0) return "holds " + std::to_string(most) + " on this device";
  return "is not there on this device";
}

}  // namespace

const char* to_string(PaletteStorage storage) {
  switch (storage) {
    case PaletteStorage::uniform_3x4: return "uniform_3x4";
    case PaletteStorage::uniform_4x4: return "uniform_4x4";
    case PaletteStorage::texture_3x4: return "texture_3x4";
    case PaletteStorage::texture_4x4: return "texture_4x4";
    case PaletteStorage::storage_3x4: return "storage_3x4";
  }
  return "unknown";
}

std::uint32_t max_bones(PaletteStorage storage, const DeviceLimits& limits) {
  const std::uint32_t each = bone_bytes(storage);
  switch (storage) {
    case PaletteStorage::uniform_3x4: return limits.uniform_bytes / each;
    case PaletteStorage::uniform_4x4: return std::min(kMaxBones4x4, limits.uniform_bytes / each);
    case PaletteStorage::texture_3x4:
    case PaletteStorage::texture_4x4: {
      const std::uint32_t width = kBonesPerTextureRow * each / 16;
      return limits.texture_size < width ? 0 : std::min(limits.texture_size, kMaxTextureRows) * kBonesPerTextureRow;
    }
    case PaletteStorage::storage_3x4:
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(limits.storage_bytes / each, kMaxStorageBones));
  }
  return 0;
}

Result<PaletteStorage> choose_storage(std::uint32_t bones, const DeviceLimits& limits,
                                      std::optional<PaletteStorage> wanted) {
  if (wanted) {
    if (bones <= max_bones(*wanted, limits)) return *wanted;
    return Error{ErrorCode::limit_exceeded,
                 std::to_string(bones) + " bones were asked for in " + to_string(*wanted) + ", which " +
                     what_it_holds(*wanted, limits),
                 {}};
  }
  std::string tried;
  for (const PaletteStorage storage :
       {PaletteStorage::uniform_3x4, PaletteStorage::storage_3x4, PaletteStorage::texture_3x4}) {
    if (bones <= max_bones(storage, limits)) return storage;
    tried += std::string(tried.empty() ? ": " : ", ") + to_string(storage) + " " + what_it_holds(storage, limits);
  }
  return Error{ErrorCode::limit_exceeded, std::to_string(bones) + " bones do not fit anywhere" + tried, {}};
}

void pack_bones(std::span<const Affine> bones, PaletteStorage storage, std::span<std::byte> out) {
  MARROW_ASSERT(out.size() == bones.size() * bone_bytes(storage), "the memory must be as large as the bones are");
  if (bones.empty()) return;
  if (bone_bytes(storage) == sizeof(Affine)) {
    std::memcpy(out.data(), bones.data(), out.size());
    return;
  }
  std::byte* at = out.data();
  for (const Affine& bone : bones) {
    float columns[4][4];
    for (int column = 0; column < 4; ++column) {
      for (int row = 0; row < 3; ++row) columns[column][row] = bone.m[row][column];
      columns[column][3] = column == 3 ? 1.0f : 0.0f;
    }
    std::memcpy(at, columns, sizeof columns);
    at += sizeof columns;
  }
}

}  // namespace marrow

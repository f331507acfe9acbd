// Where a palette lies on a GPU, and how it is written there.
//
//   storage       a bone takes                       for
//   uniform_3x4   three rows, 48 bytes               341 bones in the 16 KB that every device has, more where there is
//                                                    more
//   uniform_4x4   a column-major 4x4, 64 bytes       up to 128 bones, on request
//   texture_3x4   three texels of RGBA32F, the rows  any number: 256 bones in each row of the texture
//   texture_4x4   four texels, the columns of 4x4    the same, on request
//   storage_3x4   three rows, 48 bytes               any number, where shaders can read storage buffers
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "marrow/core/result.h"
#include "marrow/math/types.h"

namespace marrow {

enum class PaletteStorage : std::uint8_t { uniform_3x4, uniform_4x4, texture_3x4, texture_4x4, storage_3x4 };

// Returns the storage's name, e.g. "uniform_3x4".
[[nodiscard]] const char* to_string(PaletteStorage storage);

inline constexpr std::uint32_t kBonesOf16KiB = 341;   // of uniform_3x4
inline constexpr std::uint32_t kMaxBones4x4 = 128;    // of uniform_4x4
inline constexpr std::uint32_t kMaxBoundBones = 256;  // of the buffers of skeleton-bound skinning
inline constexpr std::uint32_t kBonesPerTextureRow = 256;

// What a device can do. The values here are what every OpenGL ES 3.0 and WebGL 2 device can.
struct DeviceLimits {
  std::uint32_t uniform_bytes = 16384;    // that a shader can see of a uniform buffer
  std::uint32_t uniform_alignment = 256;  // of a part of a buffer that is bound, in bytes
  std::uint32_t texture_size = 2048;      // of a side; 0 if vertex shaders cannot read float textures
  std::uint64_t storage_bytes = 0;        // that a shader can see of a storage buffer; 0 if there are none
  std::uint32_t storage_alignment = 256;
};

[[nodiscard]] constexpr bool is_texture(PaletteStorage storage) {
  return storage == PaletteStorage::texture_3x4 || storage == PaletteStorage::texture_4x4;
}

// Bytes of one bone.
[[nodiscard]] constexpr std::uint32_t bone_bytes(PaletteStorage storage) {
  return storage == PaletteStorage::uniform_4x4 || storage == PaletteStorage::texture_4x4 ? 64 : 48;
}

// Returns how many bones a palette can have at most.
[[nodiscard]] std::uint32_t max_bones(PaletteStorage storage, const DeviceLimits& limits);

// Returns where palettes of so many bones go: in a uniform buffer if they fit, else in a storage buffer if there are
// any, else in a texture; or where `wanted` says. Fails, with the numbers, if they do not fit there.
[[nodiscard]] Result<PaletteStorage> choose_storage(std::uint32_t bones, const DeviceLimits& limits,
                                                    std::optional<PaletteStorage> wanted = {});

// Writes matrices as the storage has them, bone_bytes for each.
void pack_bones(std::span<const Affine> bones, PaletteStorage storage, std::span<std::byte> out);

}  // namespace marrow

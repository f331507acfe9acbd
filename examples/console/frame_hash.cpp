#include "frame_hash.h"

#include <span>

#include "marrow/core/hash.h"

namespace marrow::console {
namespace {

void add(Hasher& hasher, const Affine& matrix) {
  for (const auto& row : matrix.m) hasher.add(std::span<const float>(row));
}

}  // namespace

std::uint64_t frame_hash(const GuestHost& host) {
  Hasher hasher;
  hasher.add(std::uint64_t{host.draws().size()});
  for (const GuestDraw& draw : host.draws()) {
    hasher.add(draw.mesh->hash);
    hasher.add(draw.skeleton == nullptr ? 0 : draw.skeleton->hash);
    hasher.add(std::uint64_t{draw.bone_count});
    for (const Affine& bone : host.bones(draw)) add(hasher, bone);
    add(hasher, draw.transform);
  }
  return hasher.finish();
}

}  // namespace marrow::console

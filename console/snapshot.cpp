#include "snapshot.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>

#include "marrow/core/hash.h"

namespace marrow::console {
namespace {

bool same_bits(const Affine& a, const Affine& b) {
  using Bits = std::array<std::uint32_t, 12>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

// What was loaded never changes, so it is the same where it was made of the same.
template <typename T>
std::uint64_t hash_or_none(const std::shared_ptr<const T>& loaded) {
  return loaded == nullptr ? 0 : loaded->hash;
}
template <typename T>
bool same_loaded(const std::vector<std::shared_ptr<const T>>& a, const std::vector<std::shared_ptr<const T>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return hash_or_none(x) == hash_or_none(y); });
}

std::string difference(const GuestState& a, const GuestState& b) {
  // Names all fields, so a new field does not compile before it is compared.
  const auto& [skeletons, meshes, loaded_bytes, bound_skeleton, bone_count, bones, transform] = a;
  if (!same_loaded(skeletons, b.skeletons)) return "the loaded skeletons";
  if (!same_loaded(meshes, b.meshes)) return "the loaded meshes";
  if (loaded_bytes != b.loaded_bytes) return "the size of what is loaded";
  if (bound_skeleton != b.bound_skeleton) return "the bound skeleton";
  if (bone_count != b.bone_count) return "the number of bones";
  for (std::size_t i = 0; i < bones.size(); ++i) {
    if (!same_bits(bones[i], b.bones[i])) return "bone " + std::to_string(i) + " of the host";
  }
  if (!same_bits(transform, b.transform)) return "the transform";
  return {};
}

}  // namespace

std::uint64_t hash_of(const GuestSnapshot& snapshot) {
  const auto& [memory, globals, host] = snapshot;
  Hasher hasher;
  hasher.add(std::uint64_t{memory.size()});
  hasher.add(hash_bulk(memory));
  for (const GlobalBits& global : globals) {
    hasher.add(global[0]);
    hasher.add(global[1]);
  }
  hasher.add(hash_of(host));
  return hasher.finish();
}

std::string difference(const GuestSnapshot& a, const GuestSnapshot& b) {
  const auto& [memory, globals, host] = a;
  if (memory.size() != b.memory.size()) return "the size of the memory";
  if (!memory.empty() && std::memcmp(memory.data(), b.memory.data(), memory.size()) != 0) {
    const auto [at, other] = std::mismatch(memory.begin(), memory.end(), b.memory.begin());
    return "byte " + std::to_string(at - memory.begin()) + " of the memory";
  }
  if (globals.size() != b.globals.size()) return "the number of globals";
  for (std::size_t i = 0; i < globals.size(); ++i) {
    if (globals[i] != b.globals[i]) return "global " + std::to_string(i);
  }
  return difference(host, b.host);
}

void Drawing::copy_from(const GuestHost& host) {
  const std::span<const GuestDraw> drawn = host.draws();
  draws.assign(drawn.begin(), drawn.end());
  first_bones.clear();
  bones.clear();
  for (const GuestDraw& draw : drawn) {
    const std::span<const Affine> of_draw = host.bones(draw);
    first_bones.push_back(static_cast<std::uint32_t>(bones.size()));
    bones.insert(bones.end(), of_draw.begin(), of_draw.end());
  }
}

std::string difference(const Drawing& a, const Drawing& b) {
  if (a.draws.size() != b.draws.size()) return "the number of draws";
  for (std::size_t i = 0; i < a.draws.size(); ++i) {
    const std::string of_draw = " of draw " + std::to_string(i);
    const auto& [mesh, skeleton, first_bone, bone_count, transform] = a.draws[i];
    const GuestDraw& other = b.draws[i];
    if (hash_or_none(mesh) != hash_or_none(other.mesh)) return "the mesh" + of_draw;
    if (hash_or_none(skeleton) != hash_or_none(other.skeleton)) return "the skeleton" + of_draw;
    if (!same_bits(transform, other.transform)) return "the transform" + of_draw;
    if (bone_count != other.bone_count) return "the number of bones" + of_draw;
    for (std::uint32_t bone = 0; bone < bone_count; ++bone) {
      if (same_bits(a.bones[a.first_bones[i] + bone], b.bones[b.first_bones[i] + bone])) continue;
      return "bone " + std::to_string(bone) + of_draw;
    }
  }
  return {};
}

}  // namespace marrow::console

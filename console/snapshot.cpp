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
  Hasher hasher;
  hasher.add(std::uint64_t{snapshot.memory.size()});
  hasher.add(hash_bulk(snapshot.memory));
  for (const GlobalBits& global : snapshot.globals) {
    hasher.add(global[0]);
    hasher.add(global[1]);
  }
  hasher.add(hash_of(snapshot.host));
  return hasher.finish();
}

std::string difference(const GuestSnapshot& a, const GuestSnapshot& b) {
  if (a.memory.size() != b.memory.size()) return "the size of the memory";
  if (!a.memory.empty() && std::memcmp(a.memory.data(), b.memory.data(), a.memory.size()) != 0) {
    const auto [at, other] = std::mismatch(a.memory.begin(), a.memory.end(), b.memory.begin());
    return "byte " + std::to_string(at - a.memory.begin()) + " of the memory";
  }
  if (a.globals.size() != b.globals.size()) return "the number of globals";
  for (std::size_t i = 0; i < a.globals.size(); ++i) {
    if (a.globals[i] != b.globals[i]) return "global " + std::to_string(i);
  }
  return difference(a.host, b.host);
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
    const GuestDraw &x = a.draws[i], &y = b.draws[i];
    if (hash_or_none(x.mesh) != hash_or_none(y.mesh)) return "the mesh" + of_draw;
    if (hash_or_none(x.skeleton) != hash_or_none(y.skeleton)) return "the skeleton" + of_draw;
    if (!same_bits(x.transform, y.transform)) return "the transform" + of_draw;
    if (x.bone_count != y.bone_count) return "the number of bones" + of_draw;
    for (std::uint32_t bone = 0; bone < x.bone_count; ++bone) {
      if (same_bits(a.bones[a.first_bones[i] + bone], b.bones[b.first_bones[i] + bone])) continue;
      return "bone " + std::to_string(bone) + of_draw;
    }
  }
  return {};
}

}  // namespace marrow::console

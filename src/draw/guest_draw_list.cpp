#include "src/draw/guest_draw_list.h"

#include <algorithm>
#include <array>

#include "src/draw/draw_list.h"
#include "src/guest/guest_mesh.h"

namespace marrow {
namespace {

// Matrices as the shader has them: 256, the rest of which are the identity.
std::array<Affine, kMaxGuestBones> filled(std::span<const Affine> given) {
  std::array<Affine, kMaxGuestBones> all;
  std::copy(given.begin(), given.end(), all.begin());
  return all;
}

// Whether nobody else has it any more.
constexpr auto is_dead = [](const auto& entry) { return entry.second.first.use_count() == 1; };

}  // namespace

Result<GuestDrawList> GuestDrawList::create(const GlDevice& device) {
  const PaletteBufferOptions matrices{.max_bones = kMaxGuestBones, .storage = PaletteStorage::uniform_3x4};
  Result<PaletteBuffer> bones = PaletteBuffer::create(device.device(), matrices);
  if (!bones) return bones.error();
  Result<PaletteBuffer> inverse_binds = PaletteBuffer::create(device.device(), matrices);
  if (!inverse_binds) return inverse_binds.error();
  return GuestDrawList(device, std::move(*bones), std::move(*inverse_binds));
}

Result<const GlMesh*> GuestDrawList::mesh_of(const std::shared_ptr<const GuestMesh>& mesh) {
  if (const auto found = meshes_.find(mesh.get()); found != meshes_.end()) return &found->second.second;
  Result<GlMesh> made = GlMesh::create(device_, mesh->vertices, mesh->indices, *guest_format(mesh->flags, false));
  if (!made) return made.error();
  return &meshes_.emplace(mesh.get(), std::pair(mesh, std::move(*made))).first->second.second;
}

Result<PaletteRef> GuestDrawList::bones_of(const GuestHost& host, const GuestDraw& draw) {
  if (last_bones_ && last_first_bone_ == draw.first_bone && last_bone_count_ == draw.bone_count) return *last_bones_;
  Result<PaletteRef> ref = bones_.add(filled(host.bones(draw)));
  if (!ref) return ref;
  last_bones_ = *ref;
  last_first_bone_ = draw.first_bone;
  last_bone_count_ = draw.bone_count;
  return ref;
}

Result<PaletteRef> GuestDrawList::add_inverse_binds(const GuestSkeleton& skeleton) {
  return inverse_binds_.add(filled(skeleton.inverse_binds));
}

Result<PaletteRef> GuestDrawList::skeleton_of(const std::shared_ptr<const GuestSkeleton>& skeleton) {
  if (const auto found = skeletons_.find(skeleton.get()); found != skeletons_.end()) return found->second.second;
  Result<PaletteRef> ref = add_inverse_binds(*skeleton);
  if (ref) skeletons_.emplace(skeleton.get(), std::pair(skeleton, *ref));
  return ref;
}

Result<void> GuestDrawList::forget_dead() {
  std::erase_if(meshes_, is_dead);
  // Inverse binds lie in one buffer, which is written anew once most of it is for nothing.
  const auto dead = static_cast<std::size_t>(std::count_if(skeletons_.begin(), skeletons_.end(), is_dead));
  if (2 * dead <= skeletons_.size()) return {};
  std::erase_if(skeletons_, is_dead);
  inverse_binds_.begin_frame();
  for (auto& [skeleton, entry] : skeletons_) {
    const Result<PaletteRef> ref = add_inverse_binds(*skeleton);
    if (!ref) return ref.error();
    entry.second = *ref;
  }
  return {};
}

Result<MeshDraw> GuestDrawList::draw_of(const GuestHost& host, const GuestDraw& draw) {
  const Result<const GlMesh*> mesh = mesh_of(draw.mesh);
  if (!mesh) return mesh.error();
  MeshDraw out;
  out.mesh = *mesh;
  out.world = draw.transform;
  if ((draw.mesh->flags & kGuestSkinned) == 0) return out;
  const Result<PaletteRef> bones = bones_of(host, draw);
  if (!bones) return bones.error();
  out.bones = *bones;
  if (draw.skeleton != nullptr) {
    const Result<PaletteRef> skeleton = skeleton_of(draw.skeleton);
    if (!skeleton) return skeleton.error();
    out.inverse_binds = *skeleton;
  }
  std::array<Affine, kMaxGuestBones> palette;
  guest_palette(host, draw, palette);
  out.bones_mirror = mirrors(std::span<const Affine>(palette).first(draw.bone_count));
  return out;
}

Result<MeshList> GuestDrawList::collect(const GuestHost& host) {
  draws_.clear();
  bones_.begin_frame();
  last_bones_.reset();
  if (Result<void> forgotten = forget_dead(); !forgotten) return forgotten.error();
  for (const GuestDraw& draw : host.draws()) {
    const Result<MeshDraw> made = draw_of(host, draw);
    if (!made) return made.error();
    draws_.push_back(*made);
  }
  if (Result<void> uploaded = bones_.upload(); !uploaded) return uploaded.error();
  if (Result<void> uploaded = inverse_binds_.upload(); !uploaded) return uploaded.error();
  return MeshList{draws_, &bones_, &inverse_binds_};
}

}  // namespace marrow

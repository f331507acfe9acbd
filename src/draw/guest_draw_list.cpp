#include "src/draw/guest_draw_list.h"

#include "marrow/math/affine.h"

namespace marrow {
namespace {

// Inverse binds never change.
constexpr std::uint64_t kBindsVersion = 1;

// Whether neither the host nor a copy of its state has the entry any more.
constexpr auto is_dead = [](const auto& entry) { return entry.second.first.use_count() == 1; };

}  // namespace

GuestDrawList::Mirrors GuestDrawList::find_mirrors(std::span<const Affine> matrices) {
  Mirrors out;
  for (std::size_t i = 0; i < matrices.size(); ++i) out[i] = determinant(matrices[i]) < 0;
  return out;
}

Result<GuestDrawList> GuestDrawList::create(const GlDevice& device) {
  const PaletteBufferOptions matrices{
      .max_bones = kMaxGuestBones, .storage = PaletteStorage::uniform_3x4, .fill = true};
  Result<PaletteBuffer> bones = PaletteBuffer::create(device.device(), matrices);
  if (!bones) return bones.error();
  Result<PaletteBuffer> inverse_binds = PaletteBuffer::create(device.device(), matrices);
  if (!inverse_binds) return inverse_binds.error();
  return GuestDrawList(device, std::move(*bones), std::move(*inverse_binds));
}

Result<const GlMesh*> GuestDrawList::mesh_of(const std::shared_ptr<const GuestMesh>& mesh) {
  if (const auto found = meshes_.find(mesh.get()); found != meshes_.end()) return &found->second.second;
  Result<GlMesh> made = GlMesh::create(device_, mesh->vertices, mesh->indices, guest_vertex_format(*mesh));
  if (!made) return made.error();
  return &meshes_.emplace(mesh.get(), std::pair(mesh, std::move(*made))).first->second.second;
}

Result<GuestDrawList::FrameBones> GuestDrawList::bones_of(const GuestHost& host, const GuestDraw& draw) {
  if (last_ && last_->first == draw.first_bone && last_->count == draw.bone_count) return *last_;
  const std::span<const Affine> bones = host.bones(draw);
  const Result<PaletteRef> ref = bones_.add(bones);
  if (!ref) return ref.error();
  last_ = FrameBones{draw.first_bone, draw.bone_count, *ref, find_mirrors(bones)};
  return *last_;
}

const GuestDrawList::Mirrors& GuestDrawList::mirrors_of(const std::shared_ptr<const GuestSkeleton>& skeleton) {
  const auto found = skeletons_.find(skeleton.get());
  if (found != skeletons_.end()) return found->second.second;
  const Mirrors mirrors = find_mirrors(skeleton->inverse_binds);
  return skeletons_.emplace(skeleton.get(), std::pair(skeleton, mirrors)).first->second.second;
}

Result<MeshDraw> GuestDrawList::draw_of(const GuestHost& host, const GuestDraw& draw) {
  const Result<const GlMesh*> mesh = mesh_of(draw.mesh);
  if (!mesh) return mesh.error();
  MeshDraw out;
  out.mesh = *mesh;
  out.world = draw.transform;
  if ((draw.mesh->flags & kGuestSkinned) == 0) return out;
  const Result<FrameBones> bones = bones_of(host, draw);
  if (!bones) return bones.error();
  out.bones = bones->ref;
  Mirrors mirrors = bones->mirrors;
  if (draw.skeleton != nullptr) {
    const Result<PaletteRef> binds =
        inverse_binds_.add({draw.skeleton->serial, 0}, kBindsVersion, draw.skeleton->inverse_binds);
    if (!binds) return binds.error();
    out.inverse_binds = *binds;
    mirrors ^= mirrors_of(draw.skeleton);  // the product of two matrices that mirror does not
  }
  const Mirrors given = ~Mirrors() >> (kMaxGuestBones - draw.bone_count);
  out.bones_mirror = 2 * (mirrors & given).count() > draw.bone_count;
  return out;
}

Result<MeshList> GuestDrawList::collect(const GuestHost& host) {
  draws_.clear();
  bones_.begin_frame();
  inverse_binds_.begin_frame();
  last_.reset();
  std::erase_if(meshes_, is_dead);
  std::erase_if(skeletons_, is_dead);
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

// The list of bones that exported vertices and frames go by, and how the model's joints lead to it. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "marrow/export/exported.h"

namespace marrow {

struct BoneList {
  std::vector<ExportedBone> bones;
  std::vector<Affine> above;                      // for each bone: what stands still above a root; else the identity
  std::vector<std::int32_t> bone_of_joint;        // kNone for those that are no bones
  std::vector<std::int32_t> rigid_bone_of_joint;  // the bone for what hangs on a joint: one whose bind can be undone

  struct SkinUse {
    bool used = false;
    std::vector<std::uint32_t> bones;  // for each joint of the skin
    bool moved = false;                // by `bind`, its vertices are to be
    Affine bind;
  };
  std::vector<SkinUse> skins;  // for each of the model
};

// Fails as export_bones does.
[[nodiscard]] Result<BoneList> list_bones(const Model& model, const ExportBones& options);

// Returns the joint whose bone a node without a skin follows; kNone if it hangs on none. Only nodes that stand still
// are between the two.
[[nodiscard]] std::int32_t carrier_of(const Model& model, const BoneList& list, std::size_t node);

// Returns true if the mesh of a node is part of the export, as far as the bones decide.
[[nodiscard]] bool takes_part(const BoneList& list, const ExportBones& options, const ModelNode& node);

// Returns true if a part of a node's mesh is bent by the node's skin.
[[nodiscard]] bool is_bent(const ModelNode& node, const MeshPart& part);

// Returns a hash of the names, parents and rest transforms.
[[nodiscard]] std::uint64_t skeleton_id(const std::vector<ExportedBone>& bones);

}  // namespace marrow

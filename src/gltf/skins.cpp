#include "marrow/math/affine.h"
#include "src/gltf/accessors.h"
#include "src/gltf/imports.h"
#include "src/gltf/nodes.h"

namespace marrow {
namespace {

bool read_inverse_binds(JsonValue number, std::size_t joint_count, const PlacePath& path, Accessors& accessors,
                        Load& load, std::vector<Affine>& out) {
  std::int32_t index = kNone;
  if (!load.read_index(number, accessors.count(), "accessor", index, path, "inverseBindMatrices")) return false;
  if (index == kNone) return true;  // identities
  const auto at = static_cast<std::size_t>(index);
  Accessor accessor;
  if (!accessors.find(at, accessor)) return false;
  if (accessor.components != 16) {
    return load.fail(ErrorCode::malformed, "inverse bind matrices are of type MAT4", path, "inverseBindMatrices");
  }
  if (accessor.count < joint_count) {
    return load.fail(ErrorCode::size_mismatch,
                     "there are " + std::to_string(joint_count) + " joints but " + std::to_string(accessor.count) +
                         " inverse bind matrices",
                     path, "inverseBindMatrices");
  }
  if (accessor.count > joint_count) {
    load.warn("there are " + std::to_string(accessor.count - joint_count) +
                  " inverse bind matrices more than joints; they are left out",
              path, "inverseBindMatrices");
  }
  std::vector<float> storage;
  std::span<const float> floats;
  if (!accessors.floats(at, accessor, storage, floats)) return false;
  bool odd = false;
  for (std::size_t i = 0; i < joint_count; ++i) {
    const float* m = floats.data() + 16 * i;
    odd = odd || m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1;
    out.push_back(turned(from_column_major(m), load.options().up));
  }
  if (odd) load.warn("the last row of a matrix is not 0 0 0 1; it is taken to be", path, "inverseBindMatrices");
  return true;
}

}  // namespace

bool mark_skin_joints(const GltfDocument& document, Load& load, std::vector<bool>& wanted) {
  for (std::size_t i = 0; i < document.skins.size(); ++i) {
    const PlacePath path("skins", i);
    const JsonValue joints = document.skins[i]["joints"];
    if (!load.expect(joints, JsonKind::array, path, "joints")) return false;
    std::size_t k = 0;
    for (const JsonValue joint : joints.elements()) {
      const PlacePath at(path, "joints", k++);
      std::int32_t node = kNone;
      if (!load.read_index(joint, document.nodes.size(), "node", node, at, {})) return false;
      wanted[static_cast<std::size_t>(node)] = true;
    }
    if (k == 0) load.warn("the skin has no joints", path, "joints");
  }
  return true;
}

bool read_skins(const GltfDocument& document, const GltfNodes& nodes, const Skeleton& skeleton, Accessors& accessors,
                Load& load, std::vector<Skin>& out) {
  for (std::size_t i = 0; i < document.skins.size(); ++i) {
    const PlacePath path("skins", i);
    JsonValue name, joint_numbers, matrices;
    pick(document.skins[i], {{"name", &name}, {"joints", &joint_numbers}, {"inverseBindMatrices", &matrices}});
    std::vector<std::uint32_t> joints;
    joints.reserve(joint_numbers.size());
    for (const JsonValue number : joint_numbers.elements()) {
      const ModelNode& node = nodes.nodes[static_cast<std::size_t>(number.number())];
      joints.push_back(static_cast<std::uint32_t>(node.joint));
    }
    std::vector<Affine> inverse_binds;
    if (!read_inverse_binds(matrices, joints.size(), path, accessors, load, inverse_binds)) return false;
    Result<Skin> skin = Skin::create(skeleton, joints, inverse_binds, name.string());
    if (!skin) return load.fail(skin.error().code, skin.error().message, path, "inverseBindMatrices");
    out.push_back(*skin);
  }
  return true;
}

}  // namespace marrow

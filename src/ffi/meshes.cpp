// What is in a model beside its skeleton: nodes, meshes, materials.
#include "src/ffi/arguments.h"
#include "src/ffi/part.h"
#include "src/ffi/registry.h"

using namespace marrow;
using namespace marrow::ffi;

namespace {

template <typename Body>
marrow_status with_part(marrow_model model, std::uint32_t mesh, std::uint32_t part, const Body& body) noexcept {
  return with_item(model, &Model::meshes, mesh, "mesh", [&](const Mesh& m) -> marrow_status {
    MARROW_FFI_TRY(check_index(part, m.parts.size(), "part"));
    return body(m.parts[part]);
  });
}

}  // namespace

marrow_status marrow_model_get_node(marrow_model model, uint32_t model_node, marrow_node_info* info) noexcept {
  return with_item(model, &Model::nodes, model_node, "model_node", [&](const ModelNode& node) -> marrow_status {
    MARROW_FFI_TRY(check_info(info));
    write_info(info, {0, node.parent, node.joint, node.mesh, node.skin, node.shown ? 1u : 0u,
                      same_bits<marrow_transform>(node.rest)});
    return MARROW_OK;
  });
}

marrow_status marrow_model_node_name(marrow_model model, uint32_t model_node, char* out, uint64_t capacity,
                                     uint64_t* count) noexcept {
  return with_item(model, &Model::nodes, model_node, "model_node",
                   [&](const ModelNode& node) { return copy_text_out(node.name, out, capacity, count); });
}

marrow_status marrow_model_mesh_name(marrow_model model, uint32_t mesh, char* out, uint64_t capacity,
                                     uint64_t* count) noexcept {
  return with_item(model, &Model::meshes, mesh, "mesh",
                   [&](const Mesh& m) { return copy_text_out(m.name, out, capacity, count); });
}

marrow_status marrow_model_mesh_parts(marrow_model model, uint32_t mesh, uint32_t* part_count) noexcept {
  return with_item(model, &Model::meshes, mesh, "mesh", [&](const Mesh& m) -> marrow_status {
    if (part_count == nullptr) return null_pointer("part_count");
    *part_count = static_cast<std::uint32_t>(m.parts.size());
    return MARROW_OK;
  });
}

marrow_status marrow_model_get_part(marrow_model model, uint32_t mesh, uint32_t part, marrow_part_info* info) noexcept {
  return with_part(model, mesh, part, [&](const MeshPart& p) -> marrow_status {
    MARROW_FFI_TRY(check_info(info));
    write_info(info, info_of(*p.vertices, p.indices.size(), p.topology, p.material));
    return MARROW_OK;
  });
}

marrow_status marrow_model_part_floats(marrow_model model, uint32_t mesh, uint32_t part, uint32_t attribute,
                                       uint32_t set, float* out, uint64_t capacity, uint64_t* count) noexcept {
  return with_part(model, mesh, part,
                   [&](const MeshPart& p) { return copy_floats(*p.vertices, attribute, set, out, capacity, count); });
}

marrow_status marrow_model_part_joints(marrow_model model, uint32_t mesh, uint32_t part, uint16_t* out,
                                       uint64_t capacity, uint64_t* count) noexcept {
  return with_part(model, mesh, part,
                   [&](const MeshPart& p) { return copy_out(all_of(p.vertices->joints), out, capacity, count); });
}

marrow_status marrow_model_part_indices(marrow_model model, uint32_t mesh, uint32_t part, uint32_t* out,
                                        uint64_t capacity, uint64_t* count) noexcept {
  return with_part(model, mesh, part,
                   [&](const MeshPart& p) { return copy_out(all_of(p.indices), out, capacity, count); });
}

marrow_status marrow_model_get_material(marrow_model model, uint32_t material, marrow_material_info* info) noexcept {
  return with_item(model, &Model::materials, material, "material", [&](const Material& m) -> marrow_status {
    MARROW_FFI_TRY(check_info(info));
    write_info(info, {0,
                      m.double_sided ? 1u : 0u,
                      m.unlit ? 1u : 0u,
                      static_cast<std::uint32_t>(m.alpha_mode),
                      {m.base_color.x, m.base_color.y, m.base_color.z, m.base_color.w},
                      {m.emissive.x, m.emissive.y, m.emissive.z},
                      m.metallic,
                      m.roughness,
                      m.alpha_cutoff});
    return MARROW_OK;
  });
}

marrow_status marrow_model_material_name(marrow_model model, uint32_t material, char* out, uint64_t capacity,
                                         uint64_t* count) noexcept {
  return with_item(model, &Model::materials, material, "material",
                   [&](const Material& m) { return copy_text_out(m.name, out, capacity, count); });
}

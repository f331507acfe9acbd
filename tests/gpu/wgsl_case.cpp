#include "gpu/wgsl_case.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "gpu/skinning_case.h"
#include "marrow/gpu/morph_buffer.h"
#include "marrow/gpu/shaders.h"
#include "marrow/math/affine.h"
#include "marrow/math/box.h"
#include "marrow/math/quat.h"
#include "marrow/skin/skinning.h"

namespace marrow::test {
namespace {

using Json = nlohmann::json;

// A shader that an engine has of its own, with the text of a technique pasted before it.
constexpr const char* kEngineShader = R"(
struct EngineVertex {
  @location(0) position: vec3<f32>,
  @location(1) normal: vec3<f32>,
  @location(3) joints: vec4<u32>,
  @location(4) weights: vec4<f32>,
  @location(5) tangent: vec4<f32>,
}

struct EngineFragment {
  @builtin(position) clip_position: vec4<f32>,
  @location(0) position: vec3<f32>,
  @location(1) normal: vec3<f32>,
  @location(2) tangent: vec2<f32>,
  @location(3) depth: f32,
}

@vertex
fn vertex_main(in: EngineVertex) -> EngineFragment {
  let skin = marrow_skin(in.joints, in.weights);
  let tangent = marrow_tangent(skin, in.tangent);
  let sum = ((tangent.x + 2.0 * tangent.y) + 4.0 * tangent.z) + 8.0 * tangent.w;
  return EngineFragment(vec4<f32>(0.0, 0.0, 0.5, 1.0), marrow_position(skin, in.position),
                        marrow_normal(skin, in.normal), vec2<f32>(sum, 0.0), 0.0);
}
)";

template <typename T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

// How many bones the arrays of the shader have; 0 if that is up to the buffer.
std::uint32_t declared_bones(const WgslCase& c) {
  switch (c.storage) {
    case PaletteStorage::uniform_3x4: return c.max_bones > 0 ? c.max_bones : kBonesOf16KiB;
    case PaletteStorage::uniform_4x4: return c.max_bones > 0 ? c.max_bones : kMaxBones4x4;
    default: return c.max_bones > kMaxBoundBones ? 0 : c.max_bones > 0 ? c.max_bones : kMaxBoundBones;
  }
}

std::string technique_name(const WgslCase& c) {
  return std::string(to_string(c.storage)) + (declared_bones(c) == 0 ? ", any number" : "") +
         (c.pasted ? ", pasted" : "");
}

std::string shader_text(const WgslCase& c) {
  const SkinTechnique technique = {c.storage, c.bound};
  if (c.pasted) return std::string(must(skin_include(technique, ShaderLanguage::wgsl, c.max_bones))) + kEngineShader;
  return must(vertex_shader({technique, c.max_bones, c.morphs, c.format.normal == NormalEncoding::oct32},
                            ShaderLanguage::wgsl));
}

// ---- How the vertices are read -----------------------------------------------------------------------------------

const char* webgpu_format(VertexType type) {
  switch (type) {
    case VertexType::f32x2: return "float32x2";
    case VertexType::f32x3: return "float32x3";
    case VertexType::f32x4: return "float32x4";
    case VertexType::f16x4: return "float16x4";
    case VertexType::unorm16x2: return "unorm16x2";
    case VertexType::unorm16x4: return "unorm16x4";
    case VertexType::unorm8x4: return "unorm8x4";
    case VertexType::snorm16x2: return "snorm16x2";
    case VertexType::u8x4: return "uint8x4";
    case VertexType::u16x4: return "uint16x4";
  }
  throw std::runtime_error("a vertex type has no name");
}

Json buffer_layout(const VertexFormat& format) {
  const VertexLayout layout = vertex_layout(format);
  Json attributes = Json::array();
  for (const VertexAttribute& a : layout.attributes) {
    attributes.push_back(
        {{"shaderLocation", attribute_location(a.semantic)}, {"offset", a.offset}, {"format", webgpu_format(a.type)}});
  }
  return {{"arrayStride", layout.stride}, {"attributes", attributes}};
}

// Packing has made joints without weight 0. Engines have others.
void scatter_joints(std::vector<std::byte>& packed, const Vertices& vertices, const VertexFormat& format) {
  const VertexLayout layout = vertex_layout(format);
  const auto joints = std::find_if(layout.attributes.begin(), layout.attributes.end(),
                                   [](const VertexAttribute& a) { return a.semantic == VertexSemantic::joints; });
  const std::size_t each = joints->size / 4;
  for (std::size_t i = 0; i < vertices.weights.size(); ++i) {
    std::byte* at = packed.data() + i / 4 * layout.stride + joints->offset + i % 4 * each;
    if (vertices.weights[i] == 0) std::memset(at, 0xff, each);
  }
}

// ---- What goes into buffers --------------------------------------------------------------------------------------

// The bytes of a case, and where in them its sections are.
struct Sections {
  std::vector<std::byte> bytes;
  Json places = Json::object();

  template <typename T>
  void add(const char* name, std::span<const T> values) {
    const auto data = std::as_bytes(values);
    places[name] = {{"offset", bytes.size()}, {"size", data.size()}};
    bytes.insert(bytes.end(), data.begin(), data.end());
    bytes.resize((bytes.size() + 15) / 16 * 16);
  }
};

// Scales the bones of a case, and returns its palette.
std::vector<Affine> scale_bones(SkinningCase& skinning, float scale) {
  std::vector<Affine> palette;
  for (std::size_t i = 0; i < skinning.bones.size(); ++i) {
    Affine& bone = skinning.bones[i];
    for (auto& row : bone.m) {
      for (float& x : row) x *= scale;
    }
    palette.push_back(skinning.inverse_binds.empty() ? bone : multiply(bone, skinning.inverse_binds[i]));
  }
  return palette;
}

// Bones as they lie in a buffer that is as large as the shader declares.
std::vector<std::byte> bone_buffer(std::span<const Affine> bones, const WgslCase& c) {
  const std::size_t each = bone_bytes(c.storage);
  std::vector<std::byte> bytes(bones.size() * each);
  pack_bones(bones, c.storage, bytes);
  if (declared_bones(c) > 0) bytes.resize(declared_bones(c) * each);
  return bytes;
}

void add_bones(const SkinningCase& skinning, const WgslCase& c, Sections& out) {
  out.add<std::byte>("bones", bone_buffer(skinning.bones, c));
  if (c.storage != PaletteStorage::storage_3x4) return;
  std::vector<Affine> inverse_binds = skinning.inverse_binds;
  if (!c.bound) {  // what would be seen if raw bones were multiplied by it
    Affine sevens;
    for (auto& row : sevens.m) std::fill(std::begin(row), std::end(row), 7.0f);
    inverse_binds.assign(std::max(1u, declared_bones(c)), sevens);
  }
  out.add<std::byte>("inverse_binds", bone_buffer(inverse_binds, c));
}

void add_morphs(const Vertices& vertices, std::span<const float> weights, Sections& out) {
  out.add<Vec4>("morph_deltas", pack_morph_deltas(vertices));
  std::vector<std::byte> block(morph_block_bytes(static_cast<std::uint32_t>(vertices.targets.size())));
  pack_morph_weights(vertices, weights, block);
  out.add<std::byte>("morphs", block);
}

// Adds where the CPU puts the vertices; returns the size of the whole.
double add_expected(const Vertices& vertices, std::span<const float> weights, std::span<const Affine> palette,
                    const WgslCase& c, Sections& out) {
  const std::size_t count = vertices.positions.size();
  Vertices skinned;
  skinned.positions.resize(count);
  skinned.normals.resize(count);
  std::vector<Vec4> tangents(vertices.tangents.size());
  skin_vertices(vertices, weights, palette, {skinned.positions, skinned.normals, tangents});
  if (!c.pasted) skin_rigidly(skinned, {}, world_matrix(), {skinned.positions, skinned.normals, {}});
  std::vector<float> expected;
  Box box;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = skinned.positions[i], n = skinned.normals[i];
    box = enclose(box, p);
    float depth = 0, sum = 0;
    if (c.pasted) {
      sum = ((tangents[i].x + 2 * tangents[i].y) + 4 * tangents[i].z) + 8 * tangents[i].w;
    } else {
      depth = -transform_point(view_matrix(), p).z;
      sum = vertices.uvs[0][i].x + 4 * vertices.uvs[0][i].y;
    }
    expected.insert(expected.end(), {p.x, p.y, p.z, depth, n.x, n.y, n.z, sum});
  }
  out.add<float>("expected", expected);
  return std::hypot(static_cast<double>(box.high.x) - box.low.x, static_cast<double>(box.high.y) - box.low.y,
                    static_cast<double>(box.high.z) - box.low.z);
}

}  // namespace

std::string case_name(const WgslCase& c) {
  std::string name = technique_name(c) + ", " + std::to_string(c.bones) + " bones";
  if (c.max_bones > 0) name += " of at most " + std::to_string(c.max_bones);
  if (c.storage == PaletteStorage::storage_3x4) name += c.bound ? ", bound" : ", raw";
  name += c.format.joints == JointEncoding::u8x4 ? ", u8 joints" : ", u16 joints";
  if (c.format.normal == NormalEncoding::oct32) name += ", packed";
  if (c.morphs > 0) name += c.morphed_normals ? ", morphs" : ", morphs without normals";
  if (c.stray_joints) name += ", some joints beyond the bones";
  if (c.mirrored) name += ", mirrored";
  if (c.scale != 1) name += c.scale < 1 ? ", tiny" : ", huge";
  return name;
}

WgslCaseFiles make_wgsl_case(const WgslCase& c, std::uint64_t number) {
  SkinningCase skinning = make_skinning_case({c.bones, c.bound, c.morphs, 2 * number + (c.mirrored ? 2 : 1)});
  const std::vector<Affine> palette = scale_bones(skinning, c.scale);
  Array<Vec2>& uvs = skinning.vertices.uvs[0];
  for (std::size_t i = 0; i < uvs.size(); ++i) {
    uvs[i] = {static_cast<float>(i % 17) / 17, static_cast<float>(i % 11) / 11};
  }
  if (!c.morphed_normals) {
    for (MorphTarget& target : skinning.vertices.targets) target.normals.clear();
  }

  // What the CPU skins is what the GPU reads.
  std::vector<std::byte> packed = must(pack_vertices(skinning.vertices, c.format));
  if (c.stray_joints) scatter_joints(packed, skinning.vertices, c.format);
  Vertices vertices = must(unpack_vertices(packed, c.format));
  vertices.targets = skinning.vertices.targets;

  Sections sections;
  sections.add<std::byte>("vertices", packed);
  add_bones(skinning, c, sections);
  if (c.morphs > 0) add_morphs(vertices, skinning.morph_weights, sections);
  const double size = add_expected(vertices, skinning.morph_weights, palette, c, sections);
  return {shader_text(c), std::move(sections.bytes),
          Json{{"name", case_name(c)},
               {"technique", technique_name(c)},
               {"uniform", c.storage != PaletteStorage::storage_3x4},
               {"fixed", declared_bones(c) > 0},
               {"bone_bytes", bone_bytes(c.storage)},
               {"mode", c.bound ? 1 : 0},
               {"vertices", vertices.positions.size()},
               {"layout", buffer_layout(c.format)},
               {"size", size},
               {"sections", sections.places}}};
}

// Nothing stays where it was, and the object is mirrored and stretched.
Affine world_matrix() { return to_affine({{3, -2, 1}, from_axis_angle({1, 2, 3}, 0.8f), {-1.25f, 0.75f, 1.5f}}); }
Affine view_matrix() { return to_affine({{0.5f, 1, -6}, from_axis_angle({-2, 1, 1}, 1.1f), {1, 1, 1}}); }

}  // namespace marrow::test

#include "src/export/json_code.h"

#include "marrow/core/version.h"
#include "src/export/code_text.h"
#include "src/export/imports.h"

namespace marrow {
namespace {

constexpr std::size_t kIndicesInRow = 24;

void write_origin(JsonWriter& json, const CodeOptions& options) {
  json.line().member("generator", "marrow " + std::string(library_version()));
  if (!options.source.empty()) json.line().member("source", options.source);
  if (!options.command.empty()) json.line().member("command", options.command);
  if (!options.name.empty()) json.line().member("name", options.name);
}

void write_notes(JsonWriter& json, const std::vector<std::string>& notes) {
  json.line().key("notes").array();
  for (const std::string& note : notes) json.line().value(note);
  json.end();
}

void write_bones(JsonWriter& json, std::span<const ExportedBone> bones) {
  json.line().key("bones").array();
  for (const ExportedBone& bone : bones) {
    json.line().object().member("name", bone.name).member("parent", bone.parent);
    json.member("node", bone.node);
    json.key("rest_local").values(std::span<const float>(&bone.rest.m[0][0], 12));
    json.key("inverse_bind").values(std::span<const float>(&bone.inverse_bind.m[0][0], 12)).end();
  }
  json.line().end();
}

void write_vertices(JsonWriter& json, const ExportedMesh& mesh) {
  json.line().member("vertex_format", mesh.flags).member("vertex_stride", mesh.stride);
  json.member("vertex_count", mesh.vertex_count).member("index_count", mesh.indices.size());
  json.line().key("attributes").array();
  for (const VertexAttribute& attribute : vertex_layout(mesh.format).attributes) {
    json.line().object().member("name", to_string(attribute.semantic)).member("type", to_string(attribute.type));
    json.member("offset", attribute.offset).end();
  }
  json.line().end();
  json.line().key("packing_error").object().member("position", mesh.error.position.error);
  json.member("uv", mesh.error.uv.error).member("color", mesh.error.color.error);
  json.member("normal_radians", mesh.error.normal.error).member("weight", mesh.error.weight.error).end();
  json.line().key("vertices").array();
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (i % mesh.stride == 0) json.line();
    json.value(std::to_integer<unsigned>(mesh.vertices[i]));
  }
  json.line().end().line().key("indices").array();
  for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
    if (i % kIndicesInRow == 0) json.line();
    json.value(mesh.indices[i]);
  }
  json.line().end();
}

void write_animation(JsonWriter& json, const ExportedAnimation& animation) {
  json.line().object().member("name", animation.name).member("duration", animation.duration);
  json.member("frame_count", animation.times.size()).member("fps", animation.fps);
  json.member("bone_count", animation.bones.size()).member("skeleton_id", "0x" + hex_text(animation.skeleton_id));
  json.line().member("error", animation.error).member("relative_error", animation.relative_error);
  write_notes(json, animation.notes);
  write_bones(json, animation.bones);
  json.line().key("times").values(std::span(animation.times));
  json.line().key("animated_bones").values(std::span(animation.animated));
  json.line().key("interpolation").array();
  for (const ExportedInterpolation interpolation : animation.interpolation) json.value(static_cast<int>(interpolation));
  json.end().line().member("keyframe", animation.trs ? "trs" : "matrix").key("keyframes").array();
  const std::size_t size = keyframe_size(animation);
  for (std::size_t i = 0; i < animation.keyframes.size(); ++i) {
    if (i % size == 0) json.line();
    json.value(animation.keyframes[i]);
  }
  json.line().end().end();
}

}  // namespace

const char* to_string(VertexType type) {
  switch (type) {
    case VertexType::f32x2: return "f32x2";
    case VertexType::f32x3: return "f32x3";
    case VertexType::f32x4: return "f32x4";
    case VertexType::f16x4: return "f16x4";
    case VertexType::unorm16x2: return "unorm16x2";
    case VertexType::unorm16x4: return "unorm16x4";
    case VertexType::unorm8x4: return "unorm8x4";
    case VertexType::snorm16x2: return "snorm16x2";
    case VertexType::u8x4: return "u8x4";
    case VertexType::u16x4: return "u16x4";
  }
  return "";
}

const char* to_string(VertexSemantic semantic) {
  switch (semantic) {
    case VertexSemantic::position: return "position";
    case VertexSemantic::uv: return "uv";
    case VertexSemantic::color: return "color";
    case VertexSemantic::normal: return "normal";
    case VertexSemantic::tangent: return "tangent";
    case VertexSemantic::joints: return "bones";
    case VertexSemantic::weights: return "weights";
  }
  return "";
}

std::string mesh_json(const ExportedMesh& mesh, const CodeOptions& options) {
  std::string text;
  {
    JsonWriter json(&text);
    json.object();
    write_origin(json, options);
    json.line().member("up", mesh.up == Up::y ? "y" : "z");
    write_notes(json, mesh.notes);
    write_vertices(json, mesh);
    json.line().key("parts").array();
    for (const ExportedPart& part : mesh.parts) {
      const float color[] = {part.color.x, part.color.y, part.color.z, part.color.w};
      json.line().object().member("node", part.node).member("material", part.material);
      json.key("color").values(std::span<const float>(color));
      json.member("first_index", part.first_index).member("index_count", part.index_count);
      json.member("first_vertex", part.first_vertex).member("vertex_count", part.vertex_count);
      json.member("node_index", part.node_index).member("part_index", part.part_index);
      json.member("rigid", part.rigid).end();
    }
    json.line().end();
    json.line()
        .member("bone_count", mesh.skeleton.bones.size())
        .member("skeleton_id", "0x" + hex_text(mesh.skeleton.id));
    write_bones(json, mesh.skeleton.bones);
    json.line().end();
  }
  return text;
}

std::string animation_json(std::span<const ExportedAnimation> animations, const CodeOptions& options) {
  std::string text;
  {
    JsonWriter json(&text);
    json.object();
    write_origin(json, options);
    json.line().key("animations").array();
    for (const ExportedAnimation& animation : animations) write_animation(json, animation);
    json.line().end().line().end();
  }
  return text;
}

}  // namespace marrow

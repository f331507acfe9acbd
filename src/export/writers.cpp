#include "marrow/export/writers.h"

#include <cstdio>

#include "src/export/code_text.h"
#include "src/export/code_writer.h"
#include "src/export/imports.h"
#include "src/export/json_code.h"

namespace marrow {
namespace {

constexpr std::size_t kInRow = 12;

std::string two_digits(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g", value);
  return digits;
}

std::string bone_comment(std::span<const ExportedBone> bones, std::size_t bone) {
  return std::to_string(bone) + " " + bones[bone].name;
}

std::string count_of(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string layout_sentence(const ExportedMesh& mesh) {
  std::string out = "Each vertex has " + std::to_string(mesh.stride) + " bytes, little endian:";
  for (const VertexAttribute& attribute : vertex_layout(mesh.format).attributes) {
    out += std::string(attribute.offset == 0 ? " " : ", ") + to_string(attribute.semantic) + " (" +
           to_string(attribute.type) + ", " +
           (attribute.semantic == VertexSemantic::normal && attribute.type == VertexType::snorm16x2 ? "octahedral, "
                                                                                                    : "") +
           "at " + std::to_string(attribute.offset) + ")";
  }
  return out + ".";
}

std::string loss_sentence(const PackingError& error) {
  return "What packing lost at most: positions " + two_digits(error.position.error) + " units, uvs " +
         two_digits(error.uv.error) + ", normals " + two_digits(error.normal.error) + " radians, weights " +
         two_digits(error.weight.error) + ".";
}

void write_matrices(CodeWriter& code, std::string_view name, std::span<const ExportedBone> bones,
                    Affine ExportedBone::*matrix) {
  code.begin_array(name, CodeType::f32, bones.size() * 12);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    for (const auto& row : (bones[b].*matrix).m) {
      for (const float x : row) code.element(x);
    }
    code.end_row(bone_comment(bones, b));
  }
  code.end_array();
}

void write_vertices(CodeWriter& code, const ExportedMesh& mesh) {
  code.heading("VERTEX_FORMAT is the sum of what vertices have: uv 1, color 2, normal 4, bones and weights 8.");
  code.comment(layout_sentence(mesh));
  code.comment(loss_sentence(mesh.error));
  code.number("VERTEX_FORMAT", CodeType::u32, mesh.flags);
  code.number("VERTEX_STRIDE", CodeType::u32, mesh.stride);
  code.number("VERTEX_COUNT", CodeType::u32, mesh.vertex_count);
  code.begin_array("VERTICES", CodeType::u8, mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    code.hex_element(std::to_integer<std::uint8_t>(mesh.vertices[i]));
    if ((i + 1) % mesh.stride == 0) code.end_row();
  }
  code.end_array();
  code.heading("Triangles.");
  code.number("INDEX_COUNT", CodeType::u32, mesh.indices.size());
  code.begin_array("INDICES", CodeType::u16, mesh.indices.size());
  for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
    code.element(std::int64_t{mesh.indices[i]});
    if ((i + 1) % kInRow == 0 || i + 1 == mesh.indices.size()) code.end_row();
  }
  code.end_array();
}

void write_parts(CodeWriter& code, const ExportedMesh& mesh) {
  code.heading("Parts: runs of the indices with one material each. Colors are linear red, green, blue and alpha.");
  code.number("PART_COUNT", CodeType::u32, mesh.parts.size());
  const auto write_counts = [&](std::string_view name, std::uint32_t ExportedPart::*member) {
    code.begin_array(name, CodeType::u32, mesh.parts.size());
    for (const ExportedPart& part : mesh.parts) {
      code.element(std::int64_t{part.*member});
      code.end_row(part.node);
    }
    code.end_array();
  };
  write_counts("PART_FIRST_INDEX", &ExportedPart::first_index);
  write_counts("PART_INDEX_COUNT", &ExportedPart::index_count);
  code.begin_array("PART_MATERIALS", CodeType::text, mesh.parts.size());
  for (const ExportedPart& part : mesh.parts) {
    code.element(part.material);
    code.end_row();
  }
  code.end_array();
  code.begin_array("PART_COLORS", CodeType::f32, mesh.parts.size() * 4);
  for (const ExportedPart& part : mesh.parts) {
    for (const float x : {part.color.x, part.color.y, part.color.z, part.color.w}) code.element(x);
    code.end_row();
  }
  code.end_array();
}

void write_bones(CodeWriter& code, const ExportedBones& skeleton) {
  const std::span<const ExportedBone> bones = skeleton.bones;
  code.heading("Bones, parents before their children: parent * local, from the first to the last, is model space.");
  code.comment("SKELETON_ID is that of the animations that fit.");
  code.number("BONE_COUNT", CodeType::u32, bones.size());
  code.number("SKELETON_ID", CodeType::u64, skeleton.id);
  code.comment("Matrices have 12 numbers, row by row, with the translation at the end of each row.");
  write_matrices(code, "INVERSE_BIND_MATRICES", bones, &ExportedBone::inverse_bind);
  code.comment("-1 for a bone without a parent.");
  code.begin_array("BONE_PARENTS", CodeType::i32, bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b) {
    code.element(std::int64_t{bones[b].parent});
    code.end_row(bone_comment(bones, b));
  }
  code.end_array();
  code.comment("The rest pose, relative to the parents.");
  write_matrices(code, "BONE_REST_LOCAL", bones, &ExportedBone::rest);
  code.begin_array("BONE_NAMES", CodeType::text, bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b) {
    code.element(bones[b].name);
    code.end_row(std::to_string(b));
  }
  code.end_array();
}

std::string error_sentence(const ExportedAnimation& animation) {
  return "What resampling lost: between the frames, with rotations along the shorter arc, no bone and no vertex is "
         "farther "
         "than " +
         two_digits(animation.error) + " units from where the clip has it, " + two_digits(animation.relative_error) +
         " of the model's size.";
}

void write_keyframes(CodeWriter& code, const ExportedAnimation& animation) {
  const std::size_t bones = animation.bones.size(), size = keyframe_size(animation);
  code.comment(animation.trs
                   ? "For each frame, for each bone: translation x y z, rotation x y z w, scale x y z, relative to the "
                     "parent."
                   : "For each frame, for each bone: a matrix relative to the parent, row by row.");
  code.number("KEYFRAME_SIZE", CodeType::u32, size);
  code.begin_array("KEYFRAMES", CodeType::f32, animation.keyframes.size());
  for (std::size_t f = 0; f < animation.times.size(); ++f) {
    const std::string time = number_text(animation.times[f]);
    code.row_comment("frame " + std::to_string(f) + ", " + time + " s");
    for (std::size_t b = 0; b < bones; ++b) {
      const float* from = animation.keyframes.data() + (f * bones + b) * size;
      for (std::size_t i = 0; i < size; ++i) code.element(from[i]);
      code.end_row(bone_comment(animation.bones, b));
    }
  }
  code.end_array();
}

void write_animation(CodeWriter& code, const ExportedAnimation& animation) {
  const std::size_t bones = animation.bones.size();
  code.heading("Animation \"" + animation.name + "\": " + count_of(animation.times.size(), "frame", "frames") + " of " +
               count_of(bones, "bone", "bones") + ".");
  code.comment(error_sentence(animation));
  for (const std::string& note : animation.notes) code.comment(note + ".");
  code.text("ANIMATION_NAME", animation.name);
  code.number("ANIMATION_DURATION", animation.duration);
  code.number("ANIMATION_FRAME_COUNT", CodeType::u32, animation.times.size());
  code.comment("Frames a second; 0 where they are not even.");
  code.number("ANIMATION_FPS", animation.fps);
  code.number("ANIMATION_BONE_COUNT", CodeType::u32, bones);
  code.number("ANIMATION_SKELETON_ID", CodeType::u64, animation.skeleton_id);
  code.number("ANIMATION_ERROR", static_cast<float>(animation.error));
  code.number("ANIMATION_ERROR_RELATIVE", static_cast<float>(animation.relative_error));
  code.comment("Seconds. The first frame is at 0, the last at the duration.");
  code.begin_array("KEYFRAME_TIMES", CodeType::f32, animation.times.size());
  for (std::size_t f = 0; f < animation.times.size(); ++f) {
    code.element(animation.times[f]);
    if ((f + 1) % kInRow == 0 || f + 1 == animation.times.size()) code.end_row();
  }
  code.end_array();
  write_keyframes(code, animation);
  code.comment("The bones that are not at rest in all frames.");
  code.number("ANIMATED_BONE_COUNT", CodeType::u32, animation.animated.size());
  code.begin_array("ANIMATED_BONES", CodeType::u32, animation.animated.size());
  for (const std::uint32_t bone : animation.animated) {
    code.element(std::int64_t{bone});
    code.end_row(animation.bones[bone].name);
  }
  code.end_array();
  std::size_t steps = 0;
  for (const ExportedInterpolation how : animation.interpolation) steps += how == ExportedInterpolation::step ? 1 : 0;
  code.comment("From frame to frame: 0 step, 1 linear (2, a cubic spline, is never written: it is resampled).");
  code.comment("INTERPOLATION is that of most bones.");
  code.number("INTERPOLATION", CodeType::u32, steps * 2 > bones ? 0 : 1);
  code.begin_array("INTERPOLATIONS", CodeType::u8, bones);
  for (std::size_t b = 0; b < bones; ++b) {
    code.element(static_cast<std::int64_t>(animation.interpolation[b]));
    code.end_row(bone_comment(animation.bones, b));
  }
  code.end_array();
}

}  // namespace

std::string mesh_code(const ExportedMesh& mesh, const CodeOptions& options) {
  if (options.language == Language::json) return mesh_json(mesh, options);
  CodeWriter code(options);
  code.heading(count_of(mesh.vertex_count, "vertex", "vertices") + ", " +
               count_of(mesh.indices.size() / 3, "triangle", "triangles") + ", " +
               count_of(mesh.skeleton.bones.size(), "bone", "bones") + "; " + (mesh.up == Up::y ? "y" : "z") +
               " is up.");
  for (const std::string& note : mesh.notes) code.comment(note + ".");
  write_vertices(code, mesh);
  write_parts(code, mesh);
  if (!mesh.skeleton.bones.empty()) write_bones(code, mesh.skeleton);
  return code.finish();
}

std::string animation_code(std::span<const ExportedAnimation> animations, const CodeOptions& options) {
  if (options.language == Language::json) return animation_json(animations, options);
  CodeWriter code(options);
  std::vector<std::string_view> names;
  for (const ExportedAnimation& animation : animations) names.emplace_back(animation.name);
  const std::vector<std::string> prefixes = identifiers(names, "clip");
  for (std::size_t i = 0; i < animations.size(); ++i) {
    if (animations.size() > 1) code.set_prefix(prefixes[i]);
    write_animation(code, animations[i]);
  }
  return code.finish();
}

}  // namespace marrow

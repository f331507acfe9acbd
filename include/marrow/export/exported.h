// Models as plain arrays, for programs that have their data in their source: game consoles, WASM guests, demos.
//
//   const auto mesh = export_mesh(model, {});                   // packed vertices, indices, the bones
//   const auto walk = export_animation(model, 0, {});           // a matrix for each bone and frame
//   std::string code = mesh_code(*mesh, {.language = Language::rust});   // writers.h
//
// The bones of an export are in one list for all of the model's skins: every joint that a skin has, and every node that
// lies between two of them or is moved by a clip above or below them. Parents come before their children, and vertices
// name bones by their place in the list. What stands still above the topmost bones is part of their own transforms, so
// that parent * local from the first bone to the last gives model space. Where that would take shear, which transforms
// of translation, rotation and scale do not have, the nodes above are bones too. The list depends on the model and on
// ExportBones alone: a mesh and the clips of one model fit together, whichever clips are exported.
//
// A joint that skins bind in different ways is one bone, and for each other way a further one below it with a
// transform of its own that is always the identity; these are at the end of the list.
//
// Plain data that owns its memory. The functions change nothing, and may run on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/math/types.h"
#include "marrow/model/model.h"
#include "marrow/skin/vertex_formats.h"

namespace marrow {

inline constexpr std::size_t kMaxExportBones = 256;       // what a byte counts
inline constexpr std::size_t kMaxExportVertices = 65535;  // what 16 bits count, without the one that restarts strips

// Which attributes the vertices have; positions are always there.
enum ExportFlags : std::uint32_t { kExportUv = 1, kExportColor = 2, kExportNormal = 4, kExportSkinned = 8 };

// What the bones are taken from.
struct ExportBones {
  // A skin alone, with the meshes that it bends and nothing else; without it, all skins that shown meshes have (all of
  // the model, where these have none), and what hangs on their joints.
  std::optional<std::uint32_t> skin;

  // Of a model without skins, the nodes that clips move, and meshes follow them. Clips are always exported so.
  bool rigid = false;
};

struct ExportedBone {
  std::string name;
  std::int32_t parent = kNoParent;  // always before it
  std::uint32_t joint = 0;          // of the model's skeleton
  std::int32_t node = kNone;        // of the model; kNone for a joint that is no node
  bool copy = false;                // one of those at the end of the list: the same joint, bound another way
  Affine rest;                      // relative to the parent; of a bone without one, to the model
  Affine inverse_bind;              // where no skin has one: the inverse of the bone's matrix at rest
};

struct ExportedBones {
  std::vector<ExportedBone> bones;
  std::uint64_t id = 0;  // a hash of all but the inverse binds: equal for lists that fit together
};

// Returns the bones of a model. Fails if there is no such skin, on more than 256 bones, and on matrices whose products
// are not finite.
[[nodiscard]] Result<ExportedBones> export_bones(const Model& model, const ExportBones& options = {});

struct MeshExportOptions {
  ExportBones bones;
  std::vector<std::uint32_t> meshes;               // those to export; empty for all. The bones are the same
  bool uvs = true, colors = true, normals = true;  // where a mesh has them
  bool floats = false;                             // positions, uvs, colors and normals as 32-bit floats
};

// A run of triangles with one material.
struct ExportedPart {
  std::string node, material;
  Vec4 color{1, 1, 1, 1};  // of the material; linear
  std::uint32_t first_index = 0, index_count = 0;
  std::uint32_t first_vertex = 0, vertex_count = 0;
  std::uint32_t node_index = 0, part_index = 0;  // where in the model it is from
  bool rigid = false;                            // it hangs on one bone
};

struct ExportedMesh {
  std::uint32_t flags = 0;  // ExportFlags
  VertexFormat format;
  std::uint32_t stride = 0, vertex_count = 0;
  std::vector<std::byte> vertices;
  std::vector<std::uint16_t> indices;  // triangles
  std::vector<ExportedPart> parts;
  ExportedBones skeleton;  // empty for a mesh without bones
  Up up = Up::z;
  PackingError error;              // what packing lost
  std::vector<std::string> notes;  // sentences on what is not as in the model
};

// Returns all triangles that a model shows, in one array of vertices. Vertices of a skin are where the skin binds them;
// those of a mesh without a skin are put where its nodes are at rest, and follow the bone that they hang on. Morph
// targets are taken at their weights at rest. Vertices keep their four strongest joints. Texture coordinates are those
// that the material's picture is laid on by, moved by whole numbers where that takes them into 0 to 1.
//
// What hangs on no bone of a model that has some, and what is not made of triangles, is left out with a note. Fails, as
// export_bones does, if nothing is left, on more than 65,535 vertices, and on what does not fit into the format: naming
// the mesh, and what to do.
[[nodiscard]] Result<ExportedMesh> export_mesh(const Model& model, const MeshExportOptions& options = {});

struct AnimationExportOptions {
  ExportBones bones;
  std::optional<double> fps;  // even frames, as many a second or a little more; without it, the times of the keys

  // Without a rate, frames are added between the keys (for cubic splines, and turns that matrices do not tell) until
  // the error is below this part of the model's size; up to 64 between two.
  double tolerance = 1e-4;

  bool trs = false;  // translation, rotation and scale instead of matrices
};

enum class ExportedInterpolation : std::uint8_t { step, linear };

struct ExportedAnimation {
  std::string name;
  float duration = 0;  // seconds
  float fps = 0;       // 0 where the frames are not even
  bool trs = false;

  // The first at 0, the last at the duration. Two that are neighbours as floats make a jump.
  std::vector<float> times;

  // For each frame and bone, relative to the bone's parent: 12 numbers, a matrix row by row; or with `trs` 10, a
  // translation, a rotation x y z w and a scale.
  std::vector<float> keyframes;
  std::vector<ExportedBone> bones;
  std::uint64_t skeleton_id = 0;
  std::vector<std::uint32_t> animated;  // the bones that move in the course of the clip, or are not at rest

  // For each bone. A step holds the frame before.
  std::vector<ExportedInterpolation> interpolation;

  // What the frames lose: how far any vertex, or any bone, can be from where the clip has it, at any time. It was
  // looked for at eight times between any two frames or keys, with a margin of a twentieth, and a bound for what
  // sampling in float loses is added: that goes by the distance from the origin that the bones reach.
  double error = 0;           // in model units
  double relative_error = 0;  // in parts of the model's size, the diagonal of the box around it at rest
  std::vector<std::string> notes;
};

// Returns how many numbers a bone has in a frame.
[[nodiscard]] inline std::size_t keyframe_size(const ExportedAnimation& animation) { return animation.trs ? 10 : 12; }

// Returns a clip as frames. Steps stay steps: bones of which nothing but steps is animated have them, and where a bone
// has a step beside something smooth there are two frames for it (with a rate there are not, and the error says so).
// Fails, as export_bones does, on a model without bones, on a rate that is not above zero, and on more than 2^26
// matrices.
[[nodiscard]] Result<ExportedAnimation> export_animation(const Model& model, std::uint32_t clip,
                                                         const AnimationExportOptions& options = {});

// Exports clips of one model: lists the bones, and looks at the vertices that follow them, once for all.
class AnimationExporter {
 public:
  // Fails as export_bones does, on a model without bones, and on a rate that is not above zero.
  [[nodiscard]] static Result<AnimationExporter> create(const Model& model, const AnimationExportOptions& options = {});
  AnimationExporter(AnimationExporter&&) noexcept;
  AnimationExporter& operator=(AnimationExporter&&) noexcept;
  ~AnimationExporter();

  // As export_animation.
  [[nodiscard]] Result<ExportedAnimation> export_clip(std::uint32_t clip) const;

 private:
  struct Impl;
  explicit AnimationExporter(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

// Writes the bones' transforms relative to their parents at a time, as the exported arrays are meant to be sampled: of
// the frames around it, matrices taken apart, rotations along the shorter arc, all else straight; a step is the frame
// before. At the time of a frame it is that frame. `local` is as long as the bones.
void sample_exported(const ExportedAnimation& animation, double time_s, std::span<Affine> local);

// Writes parent * local for all bones.
void exported_to_model(std::span<const ExportedBone> bones, std::span<const Affine> local,
                       std::span<Affine> model_from_bone);

}  // namespace marrow

// Runs vertex shaders on OpenGL without a screen, and reads back what they make of each vertex.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/gl_platform.h"
#include "gpu/skinning_case.h"
#include "marrow/draw/gl_mesh.h"
#include "marrow/gpu/gl_device.h"
#include "marrow/gpu/gl_skinning.h"

namespace marrow::test {

// The value of a result that must have one.
template <typename T>
T required(Result<T> result) {
  REQUIRE_MESSAGE(result.ok(), (result ? "" : to_string(result.error())));
  return std::move(*result);
}
inline void required(const Result<void>& result) {
  REQUIRE_MESSAGE(result.ok(), (result ? "" : to_string(result.error())));
}

// A context that is current, and a device in it.
class GlContext {
 public:
  explicit GlContext(GlKind kind = GlKind::es_3_0);
  [[nodiscard]] const GlDevice& device() const { return *device_; }
  [[nodiscard]] ShaderLanguage language() const;

  // The next error that OpenGL has, 0 if none.
  [[nodiscard]] unsigned int error() const;

 private:
  PlatformContext context_;
  std::unique_ptr<GlDevice> device_;
};

struct Captured {
  std::vector<Vec3> positions, normals;
  // Of whole shaders alone.
  std::vector<Vec2> uvs;
  std::vector<float> depths;
  std::vector<Vec4> clip_positions;
};

// A program of a vertex shader whose outputs v_world_position and v_world_normal are kept for each vertex; of a whole
// shader all others, too. Requires that it compiles.
enum class Outputs { moved, all };
class CaptureProgram {
 public:
  CaptureProgram(const GlContext& context, const std::string& vertex_shader, Outputs outputs = Outputs::moved);
  CaptureProgram(const CaptureProgram&) = delete;
  CaptureProgram& operator=(const CaptureProgram&) = delete;
  ~CaptureProgram();

  [[nodiscard]] unsigned int name() const { return program_; }

  // Frame and object of the whole shaders: where the object is, and what the camera makes of the world; the projection
  // column by column.
  struct View {
    Affine view;
    float projection[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  };
  void bind_frame(const Affine& world = {}) { bind_frame(world, View{}); }
  void bind_frame(const Affine& world, const View& view);

  // What the program makes of the vertices of a mesh, with what is bound.
  [[nodiscard]] Captured run(const GlMesh& mesh);

 private:
  const GlContext& context_;
  Outputs outputs_;
  unsigned int program_ = 0, frame_buffer_ = 0;
};

// A shader as an engine would write it around what it pastes. No max_bones: as many as the technique has.
[[nodiscard]] std::string own_shader(ShaderLanguage language, SkinTechnique technique, std::uint32_t max_bones,
                                     std::uint32_t max_morphs);

// The vertices of a case as floats.
[[nodiscard]] GlMesh make_mesh(const GlContext& context, const SkinningCase& c, JointEncoding joints);

}  // namespace marrow::test

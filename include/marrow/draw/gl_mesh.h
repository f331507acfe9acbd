// GlMesh: a mesh in buffers of OpenGL, packed as a VertexFormat says, with its attributes where marrow's shaders have
// them: 0 position, 1 normal, 2 uv, 3 joints, 4 weights, and 5 tangent, 6 color where the format has them. To make one
// leaves no vertex array and its own GL_ARRAY_BUFFER bound.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "marrow/core/result.h"
#include "marrow/gpu/gl_device.h"
#include "marrow/model/mesh.h"
#include "marrow/skin/vertex_formats.h"
#include "marrow/skin/vertices.h"

namespace marrow {

class GlMesh {
 public:
  // Fails, naming the vertex or index, on vertices that pack_vertices refuses (so on a weight that is no number, and a
  // joint that does not fit), on indices past the last vertex or that are no whole triangles, lines or points, and if
  // the device's memory is full.
  [[nodiscard]] static Result<GlMesh> create(const GlDevice& device, const Vertices& vertices,
                                             std::span<const std::uint32_t> indices, const VertexFormat& format,
                                             Topology topology = Topology::triangles);
  GlMesh(GlMesh&& other) noexcept;
  GlMesh& operator=(GlMesh&& other) noexcept;
  ~GlMesh();

  // Binds its vertex array, which stays bound, and draws everything, with the program in use.
  void draw() const;

  // The same without the indices: every vertex once, as a point.
  void draw_points() const;

  // For GlSkinning::bind, which refuses a mesh that was packed without joints: kNoJoints.
  [[nodiscard]] std::uint32_t largest_joint() const { return largest_joint_; }
  [[nodiscard]] std::uint32_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::uint32_t index_count() const { return index_count_; }

 private:
  GlMesh() = default;

  std::shared_ptr<gl::Context> context_;
  unsigned int array_ = 0, buffers_[2] = {};  // of vertices and indices
  unsigned int mode_ = 0, index_type_ = 0;
  std::uint32_t vertex_count_ = 0, index_count_ = 0, largest_joint_ = kNoJoints;
};

}  // namespace marrow

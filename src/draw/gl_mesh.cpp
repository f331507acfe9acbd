#include "marrow/draw/gl_mesh.h"

#include <string>
#include <utility>
#include <vector>

#include "marrow/gpu/shaders.h"
#include "src/draw/imports.h"

namespace marrow {
namespace {

// The type of an attribute, as OpenGL names it.
struct GlType {
  gl::Int numbers;
  gl::Enum type;
  gl::Bool normalized;
  bool whole;  // read as integers
};
GlType gl_type(VertexType type) {
  switch (type) {
    case VertexType::f32x2: return {2, gl::kFloat, 0, false};
    case VertexType::f32x3: return {3, gl::kFloat, 0, false};
    case VertexType::f32x4: return {4, gl::kFloat, 0, false};
    case VertexType::f16x4: return {4, gl::kHalfFloat, 0, false};
    case VertexType::unorm16x2: return {2, gl::kUnsignedShort, 1, false};
    case VertexType::unorm16x4: return {4, gl::kUnsignedShort, 1, false};
    case VertexType::unorm8x4: return {4, gl::kUnsignedByte, 1, false};
    case VertexType::snorm16x2: return {2, gl::kShort, 1, false};
    case VertexType::u8x4: return {4, gl::kUnsignedByte, 0, true};
    case VertexType::u16x4: return {4, gl::kUnsignedShort, 0, true};
  }
  return {};
}

void set_attributes(const gl::Functions& gl, const VertexLayout& layout) {
  const auto stride = static_cast<gl::Size>(layout.stride);
  for (const VertexAttribute& attribute : layout.attributes) {
    const std::uint32_t location = attribute_location(attribute.semantic);
    const GlType type = gl_type(attribute.type);
    // OpenGL takes offsets as pointers.  NOLINTNEXTLINE(performance-no-int-to-ptr)
    const void* offset = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(attribute.offset));
    gl.EnableVertexAttribArray(location);
    if (type.whole) {
      gl.VertexAttribIPointer(location, type.numbers, type.type, stride, offset);
    } else {
      gl.VertexAttribPointer(location, type.numbers, type.type, type.normalized, stride, offset);
    }
  }
}

Result<void> check_indices(std::span<const std::uint32_t> indices, std::size_t vertices, std::uint32_t corners) {
  if (indices.size() % corners != 0) {
    return Error{ErrorCode::size_mismatch,
                 std::to_string(indices.size()) + " indices are not a multiple of " + std::to_string(corners),
                 "indices"};
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= vertices) {
      return Error{ErrorCode::invalid_argument,
                   "there is no vertex " + std::to_string(indices[i]) + ": there are " + std::to_string(vertices),
                   {"indices", i}};
    }
  }
  return {};
}

void fill(const gl::Functions& gl, gl::Enum target, gl::Uint buffer, std::span<const std::byte> bytes) {
  gl.BindBuffer(target, buffer);
  gl.BufferData(target, static_cast<std::ptrdiff_t>(bytes.size()), bytes.data(), gl::kStaticDraw);
}

constexpr std::size_t kMaxShort = 65535;  // vertices; index 65535 would restart a primitive in WebGL

}  // namespace

Result<GlMesh> GlMesh::create(const GlDevice& device, const Vertices& vertices, std::span<const std::uint32_t> indices,
                              const VertexFormat& format, Topology topology) {
  const std::size_t count = vertices.positions.size();
  const std::uint32_t corners = topology == Topology::triangles ? 3 : topology == Topology::lines ? 2 : 1;
  if (const Result<void> good = check_indices(indices, count, corners); !good) return good.error();
  const Result<std::vector<std::byte>> packed = pack_vertices(vertices, format);
  if (!packed) return packed.error();

  if (device.is_lost()) return lost_error();
  const gl::Functions& gl = device.context()->functions;
  GlMesh made;
  made.context_ = device.context();
  made.mode_ = topology == Topology::triangles ? gl::kTriangles
               : topology == Topology::lines   ? gl::kLines
                                               : gl::kPoints;
  made.vertex_count_ = static_cast<std::uint32_t>(count);
  made.index_count_ = static_cast<std::uint32_t>(indices.size());
  made.largest_joint_ = format.joints == JointEncoding::none ? kNoJoints : marrow::largest_joint(vertices);
  device.context()->drop_errors();
  gl.GenVertexArrays(1, &made.array_);
  gl.GenBuffers(2, made.buffers_);
  gl.BindVertexArray(made.array_);
  fill(gl, gl::kArrayBuffer, made.buffers_[0], *packed);
  set_attributes(gl, vertex_layout(format));
  if (count <= kMaxShort) {
    const std::vector<std::uint16_t> narrow(indices.begin(), indices.end());
    made.index_type_ = gl::kUnsignedShort;
    fill(gl, gl::kElementArrayBuffer, made.buffers_[1], std::as_bytes(std::span(narrow)));
  } else {
    made.index_type_ = gl::kUnsignedInt;
    fill(gl, gl::kElementArrayBuffer, made.buffers_[1], std::as_bytes(indices));
  }
  gl.BindVertexArray(0);
  if (!device.context()->no_error()) return device_memory_error(packed->size());
  return made;
}

GlMesh::GlMesh(GlMesh&& other) noexcept : GlMesh() { *this = std::move(other); }

GlMesh& GlMesh::operator=(GlMesh&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(array_, other.array_);
  std::swap(buffers_, other.buffers_);
  mode_ = other.mode_;
  index_type_ = other.index_type_;
  vertex_count_ = other.vertex_count_;
  index_count_ = other.index_count_;
  largest_joint_ = other.largest_joint_;
  return *this;
}

GlMesh::~GlMesh() {
  if (array_ == 0 || context_->lost) return;
  context_->functions.DeleteVertexArrays(1, &array_);
  context_->functions.DeleteBuffers(2, buffers_);
}

void GlMesh::draw() const {
  context_->functions.BindVertexArray(array_);
  context_->functions.DrawElements(mode_, static_cast<gl::Size>(index_count_), index_type_, nullptr);
}

void GlMesh::draw_points() const {
  context_->functions.BindVertexArray(array_);
  context_->functions.DrawArrays(gl::kPoints, 0, static_cast<gl::Size>(vertex_count_));
}

}  // namespace marrow

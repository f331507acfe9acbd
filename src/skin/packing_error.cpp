#include "marrow/skin/vertex_formats.h"
#include "src/skin/imports.h"

namespace marrow {
namespace {

void keep_larger(PackingError::Worst& worst, double error, std::size_t vertex) {
  const double size = error < 0 ? -error : error;
  if (size > worst.error) worst = {size, vertex};
}

double difference(float a, float b) { return static_cast<double>(a) - static_cast<double>(b); }

double angle_between(Vec3d a, Vec3d b) {
  const double sine = length(cross(a, b));
  return sine > 0 ? det::atan2_d(sine, dot(a, b)) : 0;
}

void measure_weights(const Vertices& given, const Vertices& packed, std::size_t vertex, PackingError::Worst& worst) {
  const std::size_t first = vertex * given.influences;
  double sum = 0;
  for (std::size_t i = 0; i < given.influences; ++i) sum += static_cast<double>(given.weights[first + i]);
  for (std::size_t i = 0; i < given.influences; ++i) {
    const double exact = static_cast<double>(given.weights[first + i]) / sum;
    keep_larger(worst, static_cast<double>(packed.weights[vertex * 4 + i]) - exact, vertex);
  }
}

}  // namespace

Result<PackingError> packing_error(const Vertices& vertices, const VertexFormat& format) {
  const Result<std::vector<std::byte>> bytes = pack_vertices(vertices, format);
  if (!bytes) return bytes.error();
  const Result<Vertices> unpacked = unpack_vertices(*bytes, format);
  if (!unpacked) return unpacked.error();
  return exactly([&] {
    PackingError worst;
    for (std::size_t i = 0; i < vertices.positions.size(); ++i) {
      const Vertices& given = vertices;
      const Vertices& packed = *unpacked;
      keep_larger(worst.position, length(subtract(widen(packed.positions[i]), widen(given.positions[i]))), i);
      if (format.uv == UvEncoding::unorm16x2) {
        keep_larger(worst.uv, difference(packed.uvs[0][i].x, given.uvs[0][i].x), i);
        keep_larger(worst.uv, difference(packed.uvs[0][i].y, given.uvs[0][i].y), i);
      }
      if (format.color == ColorEncoding::unorm8x4) {
        keep_larger(worst.color, difference(packed.colors[i].x, given.colors[i].x), i);
        keep_larger(worst.color, difference(packed.colors[i].y, given.colors[i].y), i);
        keep_larger(worst.color, difference(packed.colors[i].z, given.colors[i].z), i);
        keep_larger(worst.color, difference(packed.colors[i].w, given.colors[i].w), i);
      }
      if (format.normal == NormalEncoding::oct32) {
        keep_larger(worst.normal, angle_between(widen(packed.normals[i]), widen(given.normals[i])), i);
      }
      if (format.tangent == TangentEncoding::oct32) {
        const Vec4 &a = packed.tangents[i], &b = given.tangents[i];
        keep_larger(worst.tangent, angle_between({a.x, a.y, a.z}, {b.x, b.y, b.z}), i);
      }
      if (format.joints != JointEncoding::none && format.weights != WeightEncoding::f32x4) {
        measure_weights(given, packed, i, worst.weight);
      }
    }
    return worst;
  });
}

}  // namespace marrow

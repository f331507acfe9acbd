#include "marrow/skin/vertex_formats.h"

namespace marrow {
namespace {

std::uint32_t size_of(VertexType type) {
  switch (type) {
    case VertexType::unorm16x2:
    case VertexType::unorm8x4:
    case VertexType::snorm16x2:
    case VertexType::u8x4: return 4;
    case VertexType::f32x2:
    case VertexType::f16x4:
    case VertexType::unorm16x4:
    case VertexType::u16x4: return 8;
    case VertexType::f32x3: return 12;
    case VertexType::f32x4: return 16;
  }
  return 0;
}

VertexType type_of(WeightEncoding encoding) {
  switch (encoding) {
    case WeightEncoding::f32x4: return VertexType::f32x4;
    case WeightEncoding::unorm8x4: return VertexType::unorm8x4;
    case WeightEncoding::unorm16x4: return VertexType::unorm16x4;
  }
  return VertexType::f32x4;
}

}  // namespace

VertexLayout vertex_layout(const VertexFormat& format) {
  VertexLayout layout;
  const auto add = [&](VertexSemantic semantic, VertexType type) {
    layout.attributes.push_back({semantic, type, layout.stride, size_of(type)});
    layout.stride += size_of(type);
  };
  const bool half = format.position == PositionEncoding::f16x4;
  add(VertexSemantic::position, half ? VertexType::f16x4 : VertexType::f32x3);
  if (format.uv != UvEncoding::none) {
    add(VertexSemantic::uv, format.uv == UvEncoding::f32x2 ? VertexType::f32x2 : VertexType::unorm16x2);
  }
  if (format.color != ColorEncoding::none) {
    add(VertexSemantic::color, format.color == ColorEncoding::f32x4 ? VertexType::f32x4 : VertexType::unorm8x4);
  }
  if (format.normal != NormalEncoding::none) {
    add(VertexSemantic::normal, format.normal == NormalEncoding::f32x3 ? VertexType::f32x3 : VertexType::snorm16x2);
  }
  if (format.tangent != TangentEncoding::none) {
    add(VertexSemantic::tangent, format.tangent == TangentEncoding::f32x4 ? VertexType::f32x4 : VertexType::snorm16x2);
  }
  if (format.joints != JointEncoding::none) {
    add(VertexSemantic::joints, format.joints == JointEncoding::u8x4 ? VertexType::u8x4 : VertexType::u16x4);
    add(VertexSemantic::weights, type_of(format.weights));
  }
  return layout;
}

}  // namespace marrow

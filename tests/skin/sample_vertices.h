// Vertices with every attribute, for the tests of vertex formats.
#pragma once

#include <cmath>

#include "fixtures/random.h"
#include "marrow/skin/influences.h"
#include "marrow/skin/vertex_formats.h"

namespace marrow::test {

// Returns vertices that every format can hold, of four influences: positions within a metre or two, joints up to 255.
inline Vertices sample_vertices(std::size_t count, std::uint64_t seed = 1) {
  Random random(seed);
  // Multiples of 2^-20, so that compilers that fuse products and sums make the same.
  const auto number = [&] { return (static_cast<float>(random.below(1u << 22)) - 0x1p21f) * 0x1p-20f; };
  const auto fraction = [&] { return static_cast<float>(random.below((1u << 20) + 1)) * 0x1p-20f; };
  Vertices v;
  v.uvs.resize(1);
  v.influences = 4;
  for (std::size_t i = 0; i < count; ++i) {
    v.positions.push_back({number(), number(), number()});
    v.normals.push_back({number(), number(), number() + 0x1p-21f});
    v.tangents.push_back({number() + 0x1p-21f, number(), number(), i % 2 == 0 ? 1.0f : -1.0f});
    v.uvs[0].push_back({fraction(), fraction()});
    v.colors.push_back({fraction(), fraction(), fraction(), fraction()});
    float left = 1;
    for (std::size_t k = 0; k < 4; ++k) {
      const float weight = k == 3 ? left : left * static_cast<float>(random.below(257)) / 256;
      left -= weight;
      v.weights.push_back(weight);
      v.joints.push_back(weight > 0 ? static_cast<std::uint16_t>(random.below(256)) : std::uint16_t{0});
    }
  }
  return v;
}

// Everything there is, in the smallest encodings.
inline constexpr VertexFormat kEverythingPacked = {
    PositionEncoding::f16x4, UvEncoding::unorm16x2, ColorEncoding::unorm8x4, NormalEncoding::oct32,
    TangentEncoding::oct32,  JointEncoding::u8x4,   WeightEncoding::unorm8x4};

// Calls `call` with each of the formats there are.
template <typename Call>
void for_each_format(const Call& call) {
  for (int i = 0; i < 2 * 3 * 3 * 3 * 3 * 3 * 3; ++i) {
    int rest = i;
    const auto next = [&](int count) {
      const int digit = rest % count;
      rest /= count;
      return digit;
    };
    VertexFormat format;
    format.position = static_cast<PositionEncoding>(next(2));
    format.uv = static_cast<UvEncoding>(next(3));
    format.color = static_cast<ColorEncoding>(next(3));
    format.normal = static_cast<NormalEncoding>(next(3));
    format.tangent = static_cast<TangentEncoding>(next(3));
    format.joints = static_cast<JointEncoding>(next(3));
    format.weights = static_cast<WeightEncoding>(next(3));
    call(format);
  }
}

}  // namespace marrow::test

// The decoder over libmeshoptimizer: what its encoder made, and streams that are broken.
#include "marrow/gltf/meshopt_decoder.h"

#include <doctest/doctest.h>
#include <meshoptimizer.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace marrow {
namespace {

constexpr std::array<std::uint32_t, 12> kTriangles = {0, 1, 2, 2, 1, 3, 4, 3, 1, 0, 2, 5};

template <typename T>
std::vector<unsigned char> packed(const std::vector<T>& values, std::size_t count) {
  const std::size_t stride = values.size() * sizeof(T) / count;
  meshopt_encodeVertexVersion(0);
  std::vector<unsigned char> out(meshopt_encodeVertexBufferBound(count, stride));
  out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), values.data(), count, stride));
  return out;
}

// Decodes to numbers; fails the test if that does not work.
template <typename T>
std::vector<T> decoded(const std::vector<unsigned char>& bytes, std::size_t count, std::size_t stride, MeshoptMode mode,
                       MeshoptFilter filter = MeshoptFilter::none) {
  std::vector<T> out(count * stride / sizeof(T));
  const Result<void> done = meshopt_decoder()({mode, filter, count, stride, std::as_bytes(std::span(bytes))},
                                              std::as_writable_bytes(std::span(out)));
  const std::string why = done.ok() ? "" : to_string(done.error());
  CAPTURE(why);
  REQUIRE(done.ok());
  return out;
}

std::string error_of(std::span<const unsigned char> bytes, std::size_t count, std::size_t stride, MeshoptMode mode) {
  std::vector<std::byte> out(count * stride);
  const Result<void> done = meshopt_decoder()({mode, MeshoptFilter::none, count, stride, std::as_bytes(bytes)}, out);
  return done.ok() ? "" : done.error().message;
}

TEST_CASE("attributes and indices come out as they were packed") {
  for (const std::size_t count : {1u, 3u, 4u, 17u, 300u}) {
    CAPTURE(count);
    std::vector<float> values(count * 3);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i)) * 10;
    CHECK(decoded<float>(packed(values, count), count, 12, MeshoptMode::attributes) == values);
  }
  const std::vector<std::uint32_t> indices(kTriangles.begin(), kTriangles.end());
  std::vector<unsigned char> sequence(meshopt_encodeIndexSequenceBound(12, 6));
  sequence.resize(meshopt_encodeIndexSequence(sequence.data(), sequence.size(), indices.data(), 12));
  CHECK(decoded<std::uint32_t>(sequence, 12, 4, MeshoptMode::indices) == indices);
  const std::vector<std::uint16_t> narrow(kTriangles.begin(), kTriangles.end());
  CHECK(decoded<std::uint16_t>(sequence, 12, 2, MeshoptMode::indices) == narrow);
  // Triangles may begin with another of their corners.
  std::vector<unsigned char> triangles(meshopt_encodeIndexBufferBound(12, 6));
  triangles.resize(meshopt_encodeIndexBuffer(triangles.data(), triangles.size(), indices.data(), 12));
  const auto got = decoded<std::uint32_t>(triangles, 12, 4, MeshoptMode::triangles);
  for (std::size_t t = 0; t < 12; t += 3) {
    bool same = false;
    for (std::size_t turn = 0; turn < 3; ++turn) {
      same |= got[t] == indices[t + turn] && got[t + 1] == indices[t + (turn + 1) % 3] &&
              got[t + 2] == indices[t + (turn + 2) % 3];
    }
    CHECK(same);
  }
}

TEST_CASE("filters are undone for any number of elements") {
  for (const std::size_t count : {1u, 2u, 5u, 8u}) {
    CAPTURE(count);
    std::vector<float> directions, turns;
    for (std::size_t i = 0; i < count; ++i) {
      const float a = 0.3f + static_cast<float>(i), s = std::sin(a), c = std::cos(a);
      directions.insert(directions.end(), {0.6f * s, 0.8f * s, c, 0});
      turns.insert(turns.end(), {0.6f * s, 0, 0.8f * s, c});
    }
    std::vector<signed char> octahedral(count * 4);
    meshopt_encodeFilterOct(octahedral.data(), count, 4, 8, directions.data());
    const auto normals =
        decoded<signed char>(packed(octahedral, count), count, 4, MeshoptMode::attributes, MeshoptFilter::octahedral);
    for (std::size_t i = 0; i < count * 4; ++i) {
      if (i % 4 != 3) CHECK(static_cast<float>(normals[i]) / 127 == doctest::Approx(directions[i]).epsilon(0.02));
    }
    std::vector<short> quaternions(count * 4);
    meshopt_encodeFilterQuat(quaternions.data(), count, 8, 16, turns.data());
    const auto rotations =
        decoded<short>(packed(quaternions, count), count, 8, MeshoptMode::attributes, MeshoptFilter::quaternion);
    for (std::size_t q = 0; q < count; ++q) {
      float dot = 0;  // q and -q are the same
      for (std::size_t i = 0; i < 4; ++i) dot += static_cast<float>(rotations[4 * q + i]) / 32767 * turns[4 * q + i];
      CHECK(std::abs(dot) == doctest::Approx(1).epsilon(1e-3));
    }
    // mantissa * 2^exponent, the exponent in the highest byte
    std::vector<std::uint32_t> exponential(count, 0xfe000003u);
    const auto numbers =
        decoded<float>(packed(exponential, count), count, 4, MeshoptMode::attributes, MeshoptFilter::exponential);
    for (const float x : numbers) CHECK(x == 0.75f);
  }
}

TEST_CASE("streams that are cut off, broken or of a later version are refused") {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<unsigned char> bytes = packed(values, 4);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK(error_of(std::span(bytes).first(size), 4, 12, MeshoptMode::attributes) == "the compressed data is broken");
  }
  CHECK(error_of(bytes, 3, 4, MeshoptMode::triangles) == "the compressed data is broken");
  bytes[0] = 0xa1;
  CHECK(error_of(bytes, 4, 12, MeshoptMode::attributes) ==
        "the data is of meshopt coding version 1, which this build's libmeshoptimizer cannot decode");
}

}  // namespace
}  // namespace marrow

#include "marrow/skin/vertices.h"

#include "src/skin/imports.h"

namespace marrow {
namespace {

std::span<const float> floats_of(const Array<Vec2>& v) { return {&v.data()->x, v.size() * 2}; }
std::span<const float> floats_of(const Array<Vec3>& v) { return {&v.data()->x, v.size() * 3}; }
std::span<const float> floats_of(const Array<Vec4>& v) { return {&v.data()->x, v.size() * 4}; }

// Fails unless `values` is empty, or has `count` elements that are all usable.
template <typename Vec>
Result<void> check_array(const Array<Vec>& values, std::size_t count, const PlacePath& path) {
  if (values.empty()) return {};
  if (values.size() != count) {
    const Place place = path.place();
    return Error{ErrorCode::size_mismatch,
                 "there are " + std::to_string(count) + " positions but " + std::to_string(values.size()) + " " +
                     to_string(place),
                 place};
  }
  const std::span<const float> floats = floats_of(values);
  for (std::size_t i = 0; i < floats.size(); ++i) {
    if (is_usable(floats[i])) continue;
    const std::size_t vertex = i * count / floats.size();
    return Error{ErrorCode::not_finite, "a value is not finite or beyond 1e18", path.place() / vertex};
  }
  return {};
}

Result<void> check_influences(const Vertices& v) {
  const std::size_t expected = v.positions.size() * v.influences;
  if (v.joints.size() != expected || v.weights.size() != expected) {
    return Error{ErrorCode::size_mismatch,
                 std::to_string(v.positions.size()) + " vertices with " + std::to_string(v.influences) +
                     " influences each need " + std::to_string(expected) + " joints and weights, but there are " +
                     std::to_string(v.joints.size()) + " and " + std::to_string(v.weights.size()),
                 "weights"};
  }
  if (v.influences == 0) return {};
  for (std::size_t vertex = 0; vertex < v.positions.size(); ++vertex) {
    double sum = 0;
    for (std::uint32_t i = 0; i < v.influences; ++i) {
      const float weight = v.weights[vertex * v.influences + i];
      if (!is_weight(weight)) {
        return Error{ErrorCode::invalid_argument, "a weight is negative or not finite", {"weights", vertex}};
      }
      sum += static_cast<double>(weight);
    }
    if (!(sum >= 1 - 1e-3 && sum <= 1 + 1e-3)) {
      return Error{ErrorCode::invalid_argument,
                   "the weights of a vertex sum to " + std::to_string(sum) + ", not to 1",
                   {"weights", vertex}};
    }
  }
  return {};
}

}  // namespace

Result<void> check_vertices(const Vertices& v) {
  const std::size_t count = v.positions.size();
  if (Result<void> r = check_array(v.positions, count, PlacePath("positions")); !r) return r;
  if (Result<void> r = check_array(v.normals, count, PlacePath("normals")); !r) return r;
  if (Result<void> r = check_array(v.tangents, count, PlacePath("tangents")); !r) return r;
  if (Result<void> r = check_array(v.colors, count, PlacePath("colors")); !r) return r;
  for (std::size_t i = 0; i < v.uvs.size(); ++i) {
    if (Result<void> r = check_array(v.uvs[i], count, PlacePath("uvs", i)); !r) return r;
  }
  for (std::size_t i = 0; i < v.targets.size(); ++i) {
    const PlacePath target("targets", i);
    if (Result<void> r = check_array(v.targets[i].positions, count, PlacePath(target, "positions")); !r) return r;
    if (Result<void> r = check_array(v.targets[i].normals, count, PlacePath(target, "normals")); !r) return r;
    if (Result<void> r = check_array(v.targets[i].tangents, count, PlacePath(target, "tangents")); !r) return r;
  }
  return check_influences(v);
}

std::uint32_t largest_joint(const Vertices& v) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < v.joints.size(); ++i) {
    if (v.weights[i] > 0 && v.joints[i] > largest) largest = v.joints[i];
  }
  return largest;
}

}  // namespace marrow

// Triangles and vertices as C callers get them, of models and of what guests draw. Internal.
#pragma once

#include "marrow/model/mesh.h"
#include "src/ffi/arguments.h"

namespace marrow::ffi {

inline marrow_part_info info_of(const Vertices& v, std::size_t index_count, Topology topology, std::int32_t material) {
  const auto count_of = [](const auto& items) { return static_cast<std::uint32_t>(items.size()); };
  return {0,
          static_cast<std::uint32_t>(topology),
          count_of(v.positions),
          static_cast<std::uint32_t>(index_count),
          v.influences,
          count_of(v.uvs),
          count_of(v.targets),
          material};
}

template <typename T>
std::span<const T> all_of(const Array<T>& values) {
  return values;
}

inline marrow_status copy_floats(const Vertices& v, std::uint32_t attribute, std::uint32_t set, float* out,
                                 std::uint64_t capacity, std::uint64_t* count) {
  MARROW_FFI_TRY(check_choice(attribute, MARROW_TARGET_TANGENT, "attribute"));
  const std::size_t sets = attribute >= MARROW_TARGET_POSITION ? v.targets.size()
                           : attribute == MARROW_UV            ? v.uvs.size()
                                                               : 1;
  MARROW_FFI_TRY(check_index(set, sets, "set"));
  const auto copy = [&](const auto& values) { return copy_out(all_of(values), out, capacity, count); };
  switch (attribute) {
    case MARROW_NORMAL: return copy(v.normals);
    case MARROW_TANGENT: return copy(v.tangents);
    case MARROW_UV: return copy(v.uvs[set]);
    case MARROW_COLOR: return copy(v.colors);
    case MARROW_WEIGHTS: return copy(v.weights);
    case MARROW_TARGET_POSITION: return copy(v.targets[set].positions);
    case MARROW_TARGET_NORMAL: return copy(v.targets[set].normals);
    case MARROW_TARGET_TANGENT: return copy(v.targets[set].tangents);
    default: return copy(v.positions);
  }
}

}  // namespace marrow::ffi

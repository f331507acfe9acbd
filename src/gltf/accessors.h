// Typed data in buffers. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/gltf/buffers.h"

namespace marrow {

enum class Component : std::uint16_t { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

// What an accessor says, checked: all of its elements are inside `data`.
struct Accessor {
  std::size_t count = 0;
  std::uint32_t components = 0;  // of an element: 1 to 16
  Component component = Component::f32;
  bool normalized = false;
  const std::byte* data = nullptr;  // null for zeros
  std::size_t stride = 0;
  std::size_t sparse_count = 0;
  Component sparse_component = Component::u32;
  const std::byte* sparse_indices = nullptr;
  const std::byte* sparse_values = nullptr;
};

class Accessors {
 public:
  Accessors(const GltfDocument& document, Buffers& buffers, Load& load)
      : document_(document), buffers_(buffers), load_(load) {}

  [[nodiscard]] std::size_t count() const { return document_.accessors.size(); }

  // Looks an accessor up.
  bool find(std::size_t index, Accessor& out);

  // Finds the elements as floats: where they are if they are floats side by side, else converted, in `storage`.
  bool floats(std::size_t index, const Accessor& accessor, std::vector<float>& storage, std::span<const float>& out);

  // Converts the elements into `out`, which must be large enough.
  bool floats(std::size_t index, const Accessor& accessor, std::span<float> out);

  // The same for whole numbers that are not negative. Fails on floats.
  bool integers(std::size_t index, const Accessor& accessor, std::span<std::uint32_t> out);

 private:
  bool read_sparse(JsonValue sparse, const PlacePath& path, Accessor& out);
  bool part(JsonValue object, std::size_t element_bytes, std::size_t count, const PlacePath& path,
            const std::byte*& out);

  const GltfDocument& document_;
  Buffers& buffers_;
  Load& load_;
};

// Bytes of one component.
[[nodiscard]] std::size_t component_bytes(Component component);

// Returns a component's number as a float: integers divided by their largest if they are normalised.
[[nodiscard]] float normalized_value(float value, Component component);

}  // namespace marrow

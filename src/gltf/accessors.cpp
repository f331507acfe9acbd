#include "src/gltf/accessors.h"

#include <cstring>

namespace marrow {
namespace {

constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 32;

bool is_component(std::uint64_t number) { return number >= 5120 && number <= 5126 && number != 5124; }

std::uint32_t component_count(std::string_view type) {
  if (type == "SCALAR") return 1;
  if (type == "VEC2") return 2;
  if (type == "VEC3") return 3;
  if (type == "VEC4" || type == "MAT2") return 4;
  if (type == "MAT3") return 9;
  if (type == "MAT4") return 16;
  return 0;
}

template <typename T>
T load_as(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

float normalized_as(std::int8_t v) { return v == -128 ? -1.0f : static_cast<float>(v) / 127.0f; }
float normalized_as(std::uint8_t v) { return static_cast<float>(v) / 255.0f; }
float normalized_as(std::int16_t v) { return v == -32768 ? -1.0f : static_cast<float>(v) / 32767.0f; }
float normalized_as(std::uint16_t v) { return static_cast<float>(v) / 65535.0f; }
float normalized_as(std::uint32_t v) { return static_cast<float>(static_cast<double>(v) / 4294967295.0); }
float normalized_as(float v) { return v; }

// Converts `count` elements of `components` numbers each, from rows `stride` bytes apart.
template <typename T, typename Out>
void convert(const std::byte* from, std::size_t stride, std::size_t count, std::uint32_t components, bool normalized,
             Out* out) {
  for (std::size_t i = 0; i < count; ++i, from += stride) {
    for (std::uint32_t c = 0; c < components; ++c) {
      const T value = load_as<T>(from + c * sizeof(T));
      if constexpr (std::is_same_v<Out, float>) {
        *out++ = normalized ? normalized_as(value) : static_cast<float>(value);
      } else {
        *out++ = static_cast<Out>(value);
      }
    }
  }
}

// The same for a component that is known only now. What is to become whole numbers is unsigned already.
template <typename Out>
void convert(Component component, const std::byte* from, std::size_t stride, std::size_t count,
             std::uint32_t components, bool normalized, Out* out) {
  switch (component) {
    case Component::u8: return convert<std::uint8_t>(from, stride, count, components, normalized, out);
    case Component::u16: return convert<std::uint16_t>(from, stride, count, components, normalized, out);
    case Component::u32: return convert<std::uint32_t>(from, stride, count, components, normalized, out);
    default: break;
  }
  if constexpr (std::is_same_v<Out, float>) {
    switch (component) {
      case Component::i8: return convert<std::int8_t>(from, stride, count, components, normalized, out);
      case Component::i16: return convert<std::int16_t>(from, stride, count, components, normalized, out);
      default: return convert<float>(from, stride, count, components, normalized, out);
    }
  }
}

// All of an accessor: what its view has, or zeros, and the exceptions over it.
template <typename Out>
bool convert_all(const Accessor& a, Out* out, std::size_t& bad) {
  const std::size_t element_bytes = a.components * component_bytes(a.component);
  if (a.data != nullptr) {
    convert(a.component, a.data, a.stride, a.count, a.components, a.normalized, out);
  } else {
    std::fill_n(out, a.count * a.components, Out{0});
  }
  std::vector<std::uint32_t> indices(a.sparse_count);
  convert(a.sparse_component, a.sparse_indices, component_bytes(a.sparse_component), a.sparse_count, 1, false,
          indices.data());
  for (std::size_t i = 0; i < a.sparse_count; ++i) {
    if (indices[i] >= a.count) {
      bad = i;
      return false;
    }
    convert(a.component, a.sparse_values + i * element_bytes, element_bytes, 1, a.components, a.normalized,
            out + std::size_t{indices[i]} * a.components);
  }
  return true;
}

}  // namespace

std::size_t component_bytes(Component component) {
  switch (component) {
    case Component::i8:
    case Component::u8: return 1;
    case Component::i16:
    case Component::u16: return 2;
    default: return 4;
  }
}

float normalized_value(float value, Component component) {
  switch (component) {
    case Component::i8: return value <= -127 ? -1.0f : value / 127.0f;
    case Component::u8: return value / 255.0f;
    case Component::i16: return value <= -32767 ? -1.0f : value / 32767.0f;
    case Component::u16: return value / 65535.0f;
    default: return value;
  }
}

bool Accessors::find(std::size_t index, Accessor& out) {
  const PlacePath path("accessors", index);
  JsonValue view_index, offset, component, normalized, count, type, sparse;
  pick(document_.accessors[index], {{"bufferView", &view_index},
                                    {"byteOffset", &offset},
                                    {"componentType", &component},
                                    {"normalized", &normalized},
                                    {"count", &count},
                                    {"type", &type},
                                    {"sparse", &sparse}});
  std::uint64_t number = 0;
  if (!load_.read(component, 1u << 16, number, path, "componentType")) return false;
  if (!is_component(number)) {
    return load_.fail(ErrorCode::malformed, "there is no such type of components", path, "componentType");
  }
  out.component = static_cast<Component>(number);
  out.components = component_count(type.string());
  if (out.components == 0) return load_.fail(ErrorCode::malformed, "there is no such type", path, "type");
  out.normalized = normalized.boolean();
  if (!load_.read(count, kMaxCount, out.count, path, "count")) return false;
  if (!count.present()) return load_.fail(ErrorCode::malformed, "no count is stated", path, "count");
  if (sparse.present() && !read_sparse(sparse, path, out)) return false;

  // Columns of matrices of small numbers begin at multiples of four bytes.
  const std::size_t size = component_bytes(out.component), element = out.components * size;
  if (size < 4 && out.components >= 9) {
    return load_.fail(ErrorCode::unsupported, "matrices of small integers cannot be read", path, "componentType");
  }
  if (!view_index.present()) return true;
  std::int32_t view_number = kNone;
  std::uint64_t begin = 0;
  if (!load_.read_index(view_index, document_.buffer_views.size(), "buffer view", view_number, path, "bufferView")) {
    return false;
  }
  if (!load_.read(offset, std::uint64_t{1} << 53, begin, path, "byteOffset")) return false;
  BufferView view;
  if (!buffers_.view(static_cast<std::size_t>(view_number), view)) return false;
  out.stride = view.stride == 0 ? element : view.stride;
  if (out.stride < element) {
    return load_.fail(ErrorCode::malformed, "the stride of its view is shorter than an element", path, "bufferView");
  }
  const std::uint64_t needed = out.count == 0 ? 0 : std::uint64_t{out.count - 1} * out.stride + element;
  if (begin > view.bytes.size() || needed > view.bytes.size() - begin) {
    return load_.fail(ErrorCode::malformed,
                      std::to_string(out.count) + " elements need " + std::to_string(needed) + " bytes from byte " +
                          std::to_string(begin) + " on, but the view has " + std::to_string(view.bytes.size()),
                      path, "count");
  }
  out.data = view.bytes.data() + begin;
  return true;
}

bool Accessors::part(JsonValue object, std::size_t element_bytes, std::size_t count, const PlacePath& path,
                     const std::byte*& out) {
  JsonValue view_index, offset;
  pick(object, {{"bufferView", &view_index}, {"byteOffset", &offset}});
  std::int32_t view_number = kNone;
  std::uint64_t begin = 0;
  if (!load_.read_index(view_index, document_.buffer_views.size(), "buffer view", view_number, path, "bufferView")) {
    return false;
  }
  if (view_number == kNone) return load_.fail(ErrorCode::malformed, "no buffer view is stated", path, "bufferView");
  if (!load_.read(offset, std::uint64_t{1} << 53, begin, path, "byteOffset")) return false;
  BufferView view;
  if (!buffers_.view(static_cast<std::size_t>(view_number), view)) return false;
  const std::uint64_t needed = std::uint64_t{count} * element_bytes;
  if (begin > view.bytes.size() || needed > view.bytes.size() - begin) {
    return load_.fail(ErrorCode::malformed,
                      std::to_string(count) + " elements need " + std::to_string(needed) + " bytes from byte " +
                          std::to_string(begin) + " on, but the view has " + std::to_string(view.bytes.size()),
                      path);
  }
  out = view.bytes.data() + begin;
  return true;
}

bool Accessors::read_sparse(JsonValue sparse, const PlacePath& path, Accessor& out) {
  const PlacePath sparse_path(path, "sparse"), indices_path(sparse_path, "indices"), values_path(sparse_path, "values");
  JsonValue count, indices, values;
  if (!load_.expect_entry(sparse, sparse_path)) return false;
  pick(sparse, {{"count", &count}, {"indices", &indices}, {"values", &values}});
  if (!load_.expect_entry(indices, indices_path) || !load_.expect_entry(values, values_path)) return false;
  if (!load_.read(count, kMaxCount, out.sparse_count, sparse_path, "count")) return false;
  if (out.sparse_count > out.count) {
    return load_.fail(ErrorCode::malformed, "there are more exceptions than elements", sparse_path, "count");
  }
  std::uint64_t number = 0;
  if (!load_.read(indices["componentType"], 1u << 16, number, indices_path, "componentType")) return false;
  if (number != 5121 && number != 5123 && number != 5125) {
    return load_.fail(ErrorCode::malformed, "indices are unsigned integers", indices_path, "componentType");
  }
  out.sparse_component = static_cast<Component>(number);
  const std::size_t element = out.components * component_bytes(out.component);
  return part(indices, component_bytes(out.sparse_component), out.sparse_count, indices_path, out.sparse_indices) &&
         part(values, element, out.sparse_count, values_path, out.sparse_values);
}

bool Accessors::floats(std::size_t index, const Accessor& accessor, std::span<float> out) {
  std::size_t bad = 0;
  if (convert_all(accessor, out.data(), bad)) return true;
  const PlacePath path("accessors", index), sparse(path, "sparse");
  return load_.fail(ErrorCode::malformed, "exception " + std::to_string(bad) + " is for an element beyond the last",
                    sparse, "indices");
}

bool Accessors::floats(std::size_t index, const Accessor& accessor, std::vector<float>& storage,
                       std::span<const float>& out) {
  const bool plain = accessor.component == Component::f32 && accessor.data != nullptr && accessor.sparse_count == 0 &&
                     accessor.stride == accessor.components * sizeof(float);
  if (plain && reinterpret_cast<std::uintptr_t>(accessor.data) % alignof(float) == 0) {
    out = {reinterpret_cast<const float*>(accessor.data), accessor.count * accessor.components};
    return true;
  }
  const PlacePath path("accessors", index);
  if (!load_.spend(std::uint64_t{accessor.count} * accessor.components * sizeof(float), path)) return false;
  storage.resize(accessor.count * accessor.components);
  out = storage;
  return floats(index, accessor, std::span<float>(storage));
}

bool Accessors::integers(std::size_t index, const Accessor& accessor, std::span<std::uint32_t> out) {
  const PlacePath path("accessors", index);
  const Component c = accessor.component;
  if (c != Component::u8 && c != Component::u16 && c != Component::u32) {
    return load_.fail(ErrorCode::malformed, "whole numbers that are not negative are wanted here", path,
                      "componentType");
  }
  std::size_t bad = 0;
  if (convert_all(accessor, out.data(), bad)) return true;
  const PlacePath sparse(path, "sparse");
  return load_.fail(ErrorCode::malformed, "exception " + std::to_string(bad) + " is for an element beyond the last",
                    sparse, "indices");
}

}  // namespace marrow

#include "seed_model.h"

#include "fixtures/gltf_file.h"

namespace marrow::fuzz {

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<std::uint32_t>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out.push_back(i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63]);
    }
  }
  return out;
}

std::string SeedModel::add(std::string_view table, std::string_view json) {
  std::vector<std::string>& entries = tables_[std::string(table)];
  entries.emplace_back(json);
  return std::to_string(entries.size() - 1);
}

void SeedModel::set(std::string_view key, std::string_view json) { members_[std::string(key)] = json; }

std::string SeedModel::place(std::span<const std::byte> bytes) { return gltf_file::place(buffer_, bytes); }

std::string SeedModel::view(std::span<const std::byte> bytes, std::string_view more) {
  return add("bufferViews", "{" + place(bytes) + std::string(more) + "}");
}

std::string SeedModel::accessor(std::string_view view, int component_type, std::string_view type, std::size_t count,
                                std::string_view more) {
  return add("accessors", gltf_file::accessor(view, component_type, type, count, more));
}

template <typename T>
std::string SeedModel::typed(std::string_view type, std::initializer_list<T> values, std::string_view more) {
  const std::string made = view(std::as_bytes(std::span(values.begin(), values.size())));
  return accessor(made, gltf_file::kComponentType<T>, type, values.size() / gltf_file::component_count(type), more);
}

std::string SeedModel::floats(std::string_view type, std::initializer_list<float> values, std::string_view more) {
  return typed(type, values, more);
}
std::string SeedModel::bytes(std::string_view type, std::initializer_list<std::uint8_t> values, std::string_view more) {
  return typed(type, values, more);
}
std::string SeedModel::shorts(std::string_view type, std::initializer_list<std::uint16_t> values,
                              std::string_view more) {
  return typed(type, values, more);
}

std::string SeedModel::json(std::string_view uri_member) const {
  std::string out = R"({"asset":{"version":"2.0"})";
  for (const auto& [key, value] : members_) out.append(",\"").append(key).append("\":").append(value);
  for (const auto& [name, entries] : tables_) {
    out.append(",\"").append(name).append("\":[");
    for (std::size_t i = 0; i < entries.size(); ++i) out.append(i == 0 ? "" : ",").append(entries[i]);
    out.push_back(']');
  }
  if (!buffer_.empty()) {
    out.append(R"(,"buffers":[{"byteLength":)").append(std::to_string(buffer_.size())).append(uri_member).append("}]");
  }
  return out.append("}");
}

std::vector<std::byte> SeedModel::glb() const { return gltf_file::join_glb({json(""), buffer_, !buffer_.empty()}); }
std::string SeedModel::gltf() const {
  return json(R"(,"uri":"data:application/octet-stream;base64,)" + base64(buffer_) + "\"");
}
std::string SeedModel::gltf_beside(std::string_view uri) const { return json(R"(,"uri":")" + std::string(uri) + "\""); }

}  // namespace marrow::fuzz

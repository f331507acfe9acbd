// Making small glTF files by hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace marrow::fuzz {

// A file in the making: tables of JSON objects, and one buffer. Everything is added in order; what adds something
// returns its number in its table, as text for the JSON of what refers to it.
class SeedModel {
 public:
  // Adds an object, `json` with its braces, to a top-level array.
  std::string add(std::string_view table, std::string_view json);

  // Adds a top-level member that is no table, such as "scene".
  void set(std::string_view key, std::string_view json);

  // Adds bytes to the buffer and a view of them. `more` is JSON to add to the view: ,"byteStride":8
  std::string view(std::span<const std::byte> bytes, std::string_view more = {});

  // Adds bytes to the buffer without a view; returns the members that place them: "buffer":0,"byteOffset":4,...
  std::string place(std::span<const std::byte> bytes);

  // Adds an accessor. `type` is such as "VEC3", `more` JSON to add: ,"normalized":true
  std::string accessor(std::string_view view, int component_type, std::string_view type, std::size_t count,
                       std::string_view more = {});

  // The same with a view of its own for the values.
  std::string floats(std::string_view type, std::initializer_list<float> values, std::string_view more = {});
  std::string bytes(std::string_view type, std::initializer_list<std::uint8_t> values, std::string_view more = {});
  std::string shorts(std::string_view type, std::initializer_list<std::uint16_t> values, std::string_view more = {});

  // The whole as a file.
  [[nodiscard]] std::vector<std::byte> glb() const;
  [[nodiscard]] std::string gltf() const;                             // with the buffer in a data URI
  [[nodiscard]] std::string gltf_beside(std::string_view uri) const;  // with the buffer in another file
  [[nodiscard]] const std::vector<std::byte>& buffer() const { return buffer_; }

 private:
  [[nodiscard]] std::string json(std::string_view uri_member) const;
  template <typename T>
  std::string typed(std::string_view type, std::initializer_list<T> values, std::string_view more);

  std::map<std::string, std::vector<std::string>, std::less<>> tables_;
  std::map<std::string, std::string, std::less<>> members_;
  std::vector<std::byte> buffer_;
};

// Bytes as text, padded.
[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

}  // namespace marrow::fuzz

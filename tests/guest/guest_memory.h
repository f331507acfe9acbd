// A guest's memory as tests fill it, and a host that writes down what it says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "marrow/guest/guest_host.h"

namespace marrow::test {

// Puts things one after the other, each at an address that is no multiple of two.
struct GuestMemory {
  std::vector<std::byte> bytes = std::vector<std::byte>(17);

  template <typename T>
  std::uint32_t put(const std::vector<T>& values) {
    if (bytes.size() % 2 == 0) bytes.emplace_back();
    const std::size_t at = bytes.size();
    bytes.resize(at + values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(bytes.data() + at, values.data(), values.size() * sizeof(T));
    return static_cast<std::uint32_t>(at);
  }
  [[nodiscard]] std::uint32_t end() const { return static_cast<std::uint32_t>(bytes.size()); }
};

// A host and the lines that it wrote.
struct LoggedHost {
  std::vector<std::string> lines;
  GuestHost host;

  explicit LoggedHost(GuestOptions options = {}) : host(with_log(options)) {}
  LoggedHost(const LoggedHost&) = delete;
  LoggedHost& operator=(const LoggedHost&) = delete;

  // The lines since the last call, each with its end.
  std::string take() {
    std::string text;
    for (const std::string& line : std::exchange(lines, {})) text += line + "\n";
    return text;
  }

 private:
  GuestOptions with_log(GuestOptions options) {
    options.log = [](LogLevel level, std::string_view message, void* user) {
      const char* kind = level == LogLevel::error ? "error " : "warning ";
      static_cast<LoggedHost*>(user)->lines.push_back(kind + std::string(message));
    };
    options.log_user = this;
    return options;
  }
};

// A matrix that moves.
inline Affine moved(float x, float y, float z) {
  Affine out;
  out.m[0][3] = x;
  out.m[1][3] = y;
  out.m[2][3] = z;
  return out;
}

// A skinned triangle in float vertices: three vertices that follow the bones 0, 1 and 2.
struct SkinnedCorner {
  float position[3] = {};
  std::uint8_t bones[4] = {};
  std::uint8_t weights[4] = {255, 0, 0, 0};
};
inline std::vector<SkinnedCorner> skinned_triangle() {
  std::vector<SkinnedCorner> corners(3);
  for (std::uint8_t i = 0; i < 3; ++i) {
    corners[i].position[i] = 1;
    corners[i].bones[0] = i;
  }
  return corners;
}
inline std::vector<float> plain_triangle() { return {0, 0, 0, 1, 0, 0, 0, 1, 0}; }

}  // namespace marrow::test

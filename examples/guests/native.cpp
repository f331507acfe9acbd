// Runs a guest that was compiled for this machine, and prints a hash of what each frame draws, to be compared with that
// of its WASM: hero_native FRAMES [BUTTONS]
//
// BUTTONS says what is pressed, such as 60:right,20:right+a,40:none/120:left: for so many frames each, player 1 after
// the slash. Then nothing is pressed.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "button_script.h"
#include "marrow/guest/guest_host.h"

// The guest's.
extern "C" {
void init(void);
void update(void);
void render(void);
}

namespace {

using marrow::Affine;

marrow::GuestHost host;
marrow::console::ButtonScript script;
std::uint32_t frame = 0;

// What a call passes, as the host has it from a guest: bytes at an address.
class Memory {
 public:
  template <typename T>
  std::uint32_t put(const T* values, std::size_t size) {
    const std::size_t at = bytes_.size();
    bytes_.resize((at + size + 3) / 4 * 4);
    std::memcpy(bytes_.data() + at, values, size);
    return static_cast<std::uint32_t>(at);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_ = std::vector<std::byte>(16);  // an address of 0 is none
};

// The sizes of position, uv, color, normal, bones with weights.
std::size_t vertex_size(std::uint32_t format, const std::size_t (&sizes)[5]) {
  std::size_t size = sizes[0];
  for (std::uint32_t i = 0; i < 4; ++i) size += (format >> i & 1) != 0 ? sizes[i + 1] : 0;
  return size;
}
std::size_t float_size(std::uint32_t format) { return vertex_size(format, {12, 8, 16, 12, 8}); }
std::size_t packed_size(std::uint32_t format) { return vertex_size(format, {8, 4, 4, 4, 8}); }

}  // namespace

// The console's.
extern "C" {
std::uint32_t load_skeleton(const float* inverse_binds, std::uint32_t bone_count) {
  Memory memory;
  const std::uint32_t at = memory.put(inverse_binds, bone_count * sizeof(Affine));
  return host.load_skeleton(memory.bytes(), at, bone_count);
}
void skeleton_bind(std::uint32_t skeleton) { host.skeleton_bind(skeleton); }
void set_bones(const float* matrices, std::uint32_t count) {
  Memory memory;
  const std::uint32_t at = memory.put(matrices, count * sizeof(Affine));
  host.set_bones(memory.bytes(), at, count);
}
std::uint32_t load_mesh(const float* vertices, std::uint32_t vertex_count, std::uint32_t format) {
  Memory memory;
  const std::uint32_t at = memory.put(vertices, vertex_count * float_size(format));
  return host.load_mesh(memory.bytes(), at, vertex_count, format);
}
std::uint32_t load_mesh_indexed(const float* vertices, std::uint32_t vertex_count, const std::uint16_t* indices,
                                std::uint32_t index_count, std::uint32_t format) {
  Memory memory;
  const std::uint32_t at = memory.put(vertices, vertex_count * float_size(format));
  const std::uint32_t indices_at = memory.put(indices, index_count * sizeof(std::uint16_t));
  return host.load_mesh_indexed(memory.bytes(), at, vertex_count, indices_at, index_count, format);
}
std::uint32_t load_mesh_packed(const std::uint8_t* vertices, std::uint32_t vertex_count, std::uint32_t format) {
  Memory memory;
  const std::uint32_t at = memory.put(vertices, vertex_count * packed_size(format));
  return host.load_mesh_packed(memory.bytes(), at, vertex_count, format);
}
std::uint32_t load_mesh_packed_indexed(const std::uint8_t* vertices, std::uint32_t vertex_count,
                                       const std::uint16_t* indices, std::uint32_t index_count, std::uint32_t format) {
  Memory memory;
  const std::uint32_t at = memory.put(vertices, vertex_count * packed_size(format));
  const std::uint32_t indices_at = memory.put(indices, index_count * sizeof(std::uint16_t));
  return host.load_mesh_packed_indexed(memory.bytes(), at, vertex_count, indices_at, index_count, format);
}
void transform_identity(void) { host.transform_identity(); }
void transform_set(const float* matrix) {
  Memory memory;
  const std::uint32_t at = memory.put(matrix, sizeof(Affine));
  host.transform_set(memory.bytes(), at);
}
void transform_set_position(float x, float y, float z) { host.transform_set_position(x, y, z); }
void draw_mesh(std::uint32_t mesh) { host.draw_mesh(mesh); }
std::uint32_t buttons(std::uint32_t player) {
  return player < marrow::console::kPlayers ? script.at(frame)[player] : 0;
}
}

int main(int argc, char** argv) {
  const std::string_view number = argc > 1 ? argv[1] : "";
  std::uint32_t frames = 0;
  const auto buttons_read = marrow::console::ButtonScript::parse(argc > 2 ? argv[2] : "");
  if (argc < 2 || argc > 3 ||
      std::from_chars(number.data(), number.data() + number.size(), frames).ptr != number.data() + number.size() ||
      !buttons_read) {
    std::fprintf(stderr, "usage: %s FRAMES [BUTTONS, such as 60:right,20:right+a,40:none/120:left]\n", argv[0]);
    return 2;
  }
  script = *buttons_read;
  init();
  for (; frame < frames; ++frame) {
    host.begin_frame();
    update();
    render();
    std::printf("frame %u %016llx\n", frame, static_cast<unsigned long long>(marrow::hash_of_draws(host)));
  }
  return 0;
}

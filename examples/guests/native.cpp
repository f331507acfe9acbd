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

#include "marrow/core/hash.h"
#include "marrow/ffi/guest_host.h"

// The guest's.
extern "C" {
void init(void);
void update(void);
void render(void);
}

namespace {

using marrow::Affine;

marrow::GuestHost host;
std::vector<std::uint32_t> pressed[2];  // for each player and frame
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

std::string_view take(std::string_view& text, char until) {
  const std::size_t end = text.find(until);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

bool read_buttons(std::string_view text) {
  constexpr std::string_view kNames[] = {"left", "right", "up", "down", "a", "b"};
  for (std::vector<std::uint32_t>& frames : pressed) {
    for (std::string_view of_player = take(text, '/'); !of_player.empty();) {
      std::string_view part = take(of_player, ',');
      const std::string_view number = take(part, ':');
      std::uint32_t count = 0, buttons = 0;
      if (std::from_chars(number.data(), number.data() + number.size(), count).ptr != number.data() + number.size() ||
          part.empty() || count > 1'000'000) {
        return false;
      }
      while (!part.empty()) {
        const std::string_view name = take(part, '+');
        bool known = name == "none";
        for (std::uint32_t bit = 0; bit < std::size(kNames); ++bit) {
          if (name != kNames[bit]) continue;
          buttons |= 1u << bit;
          known = true;
        }
        if (!known) return false;
      }
      frames.resize(frames.size() + count, buttons);
    }
  }
  return text.empty();
}

void add(marrow::Hasher& hasher, const Affine& matrix) {
  for (const auto& row : matrix.m) hasher.add(std::span<const float>(row));
}

std::uint64_t frame_hash() {
  marrow::Hasher hasher;
  hasher.add(std::uint64_t{host.draws().size()});
  for (const marrow::GuestDraw& draw : host.draws()) {
    hasher.add(draw.mesh->hash);
    hasher.add(draw.skeleton == nullptr ? 0 : draw.skeleton->hash);
    hasher.add(std::uint64_t{draw.bone_count});
    for (const Affine& bone : host.bones(draw)) add(hasher, bone);
    add(hasher, draw.transform);
  }
  return hasher.finish();
}

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
  return player < 2 && frame < pressed[player].size() ? pressed[player][frame] : 0;
}
}

int main(int argc, char** argv) {
  const std::string_view number = argc > 1 ? argv[1] : "";
  std::uint32_t frames = 0;
  if (argc < 2 || argc > 3 ||
      std::from_chars(number.data(), number.data() + number.size(), frames).ptr != number.data() + number.size() ||
      (argc == 3 && !read_buttons(argv[2]))) {
    std::fprintf(stderr, "usage: %s FRAMES [BUTTONS, such as 60:right,20:right+a,40:none/120:left]\n", argv[0]);
    return 2;
  }
  init();
  for (; frame < frames; ++frame) {
    host.begin_frame();
    update();
    render();
    std::printf("frame %u %016llx\n", frame, static_cast<unsigned long long>(frame_hash()));
  }
  return 0;
}

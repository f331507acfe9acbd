// Run it: scripts/fuzz.sh 60 guest. A finding again: build/asan/fuzz/marrow_guest_fuzzer FILE
//
// Bytes as the memory of a guest and as its calls, with addresses and counts that are right, nearly right and absurd.
// Whatever is called, nothing beyond the memory is read; what is refused is said and changes nothing; what is loaded is
// whole; and a state that was copied can be brought back. A host that is called through C does the same.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "call_source.h"
#include "marrow/guest/guest_host.h"
#include "marrow/marrow_host.h"
#include "marrow/skin/skinning.h"
#include "require.h"

using namespace marrow;
using namespace marrow::fuzz;

namespace {

constexpr GuestOptions kOptions = {.max_loaded_bytes = 1 << 20, .max_draws = 50};

struct Guest {
  CallSource source;
  std::unique_ptr<std::byte[]> memory;  // as large as it is said to be, so that a sanitizer sees what is read beyond
  std::uint32_t size = 0;
  std::uint32_t messages = 0;
  GuestHost host;
  marrow_host c_host = 0;
  std::uint32_t c_messages = 0;

  Guest(const std::uint8_t* data, std::size_t bytes) : source(data, bytes), host(options()) {
    const marrow_host_options c_options = {
        sizeof c_options, kOptions.max_draws, kOptions.max_loaded_bytes,
        [](void* context, std::uint32_t, const char*) { ++static_cast<Guest*>(context)->c_messages; }, this};
    require(marrow_host_create(&c_options, &c_host) == MARROW_OK, "a host is made");
    constexpr std::uint32_t kSizes[] = {0, 1, 47, 48, 1000, 20000, 65536};
    size = kSizes[source.byte() % std::size(kSizes)];
    memory = std::make_unique<std::byte[]>(size);
    // Small numbers as floats and halves, and what the input has here and there.
    const float number = source.number_f();
    for (std::uint32_t i = 0; i + 4 <= size; i += 4) std::memcpy(memory.get() + i, &number, 4);
    for (int i = source.byte(); i > 0 && size > 0; --i) {
      memory[source.word() % size] = static_cast<std::byte>(source.byte());
    }
  }

  ~Guest() { marrow_host_destroy(c_host); }
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  GuestOptions options() {
    GuestOptions own = kOptions;
    own.log_user = this;
    own.log = [](LogLevel, std::string_view message, void* user) {
      require(message.find(": ") != std::string_view::npos, "a message names the call");
      ++static_cast<Guest*>(user)->messages;
    };
    return own;
  }

  [[nodiscard]] std::span<const std::byte> bytes() const { return {memory.get(), size}; }
  std::uint32_t address() {
    const std::uint8_t choice = source.byte();
    if (choice < 8) return 0;
    if (choice < 16) return size - source.byte() % 64;
    if (choice < 20) return static_cast<std::uint32_t>(source.word());
    return static_cast<std::uint32_t>(source.word() % 1024) + 1;
  }
  std::uint32_t count() {
    const std::uint8_t choice = source.byte();
    if (choice < 200) return choice % 66;
    if (choice < 240) return 250 + choice % 16;
    constexpr std::uint32_t kCounts[] = {0x80000000u, 0xffffffffu, 0x7fffffffu, 0x05555556u, 0x15555556u, 5000};
    return choice < 252 ? kCounts[choice % std::size(kCounts)] : static_cast<std::uint32_t>(source.word());
  }
  std::uint32_t corners() { return source.byte() < 200 ? 3 * (source.byte() % 20) : count(); }
  std::uint32_t format() { return source.byte() < 250 ? source.byte() % 16 : source.small(); }
};

bool is_finite(const Affine& a) {
  return std::all_of(&a.m[0][0], &a.m[0][0] + 12, [](float x) { return std::isfinite(x); });
}

bool same(const GuestState& a, const GuestState& b) {
  return a.skeletons == b.skeletons && a.meshes == b.meshes && a.loaded_bytes == b.loaded_bytes &&
         a.bound_skeleton == b.bound_skeleton && a.bone_count == b.bone_count &&
         std::memcmp(&a.bones, &b.bones, sizeof a.bones) == 0 &&
         std::memcmp(&a.transform, &b.transform, sizeof a.transform) == 0;
}

// What must hold of a state at any time.
void check_state(const GuestState& state) {
  require(state.loaded_bytes <= kOptions.max_loaded_bytes, "no more is loaded than is allowed");
  require(state.bound_skeleton <= state.skeletons.size(), "what is bound is there");
  require(is_finite(state.transform), "the transform is finite");
  require(std::all_of(state.bones.begin(), state.bones.end(), is_finite), "bones are finite");
  for (std::size_t i = state.bone_count; i < kMaxGuestBones; ++i) {
    const Affine identity;
    require(std::equal(&state.bones[i].m[0][0], &state.bones[i].m[0][0] + 12, &identity.m[0][0]),
            "bones that are not given are the identity");
  }
}

void check_mesh(const GuestMesh& mesh) {
  require(check_vertices(mesh.vertices).ok(), "vertices are in order");
  require(!mesh.indices.empty() && mesh.indices.size() % 3 == 0, "a mesh has triangles");
  for (const std::uint32_t index : mesh.indices) {
    require(index < mesh.vertices.positions.size(), "an index is that of a vertex");
  }
}

// Everything that a frame has is used.
void use_frame(const GuestHost& host) {
  require(host.draws().size() <= kOptions.max_draws, "no more is drawn than is allowed");
  std::array<Affine, kMaxGuestBones> palette;
  for (const GuestDraw& draw : host.draws()) {
    guest_palette(host, draw, palette);
    std::vector<Vec3> positions(draw.mesh->vertices.positions.size());
    skin_vertices(draw.mesh->vertices, {}, palette, {positions, {}, {}});
  }
}

// Makes one call, also through C.
void call(Guest& g) {
  GuestHost& host = g.host;
  const std::uint32_t messages = g.messages;
  const std::uint8_t which = g.source.byte() % 12;
  const GuestState before = host.state();
  const std::uint32_t at = g.address(), other = g.address(), count = g.count(), corners = g.corners(),
                      format = g.format(), number = g.source.small();
  const float x = g.source.number_f(), y = g.source.number_f(), z = g.source.number_f();
  std::uint32_t handle = 0, c_handle = 0;
  marrow_status status = MARROW_OK;
  const auto in_c = [&](auto function, auto... rest) {
    status = function(g.c_host, g.memory.get(), std::uint64_t{g.size}, rest...);
  };
  switch (which) {
    case 0:
      handle = host.load_skeleton(g.bytes(), at, count);
      in_c(marrow_host_load_skeleton, at, count, &c_handle);
      break;
    case 1:
      handle = host.load_mesh(g.bytes(), at, corners, format);
      in_c(marrow_host_load_mesh, at, corners, format, &c_handle);
      break;
    case 2:
      handle = host.load_mesh_packed(g.bytes(), at, corners, format);
      in_c(marrow_host_load_mesh_packed, at, corners, format, &c_handle);
      break;
    case 3:
      handle = host.load_mesh_indexed(g.bytes(), at, count, other, corners, format);
      in_c(marrow_host_load_mesh_indexed, at, count, other, corners, format, &c_handle);
      break;
    case 4:
      handle = host.load_mesh_packed_indexed(g.bytes(), at, count, other, corners, format);
      in_c(marrow_host_load_mesh_packed_indexed, at, count, other, corners, format, &c_handle);
      break;
    case 5:
      host.skeleton_bind(number);
      status = marrow_host_skeleton_bind(g.c_host, number);
      break;
    case 6:
      host.set_bones(g.bytes(), at, count);
      in_c(marrow_host_set_bones, at, count);
      check_state(host.state());
      break;
    case 7:
      host.transform_set(g.bytes(), at);
      in_c(marrow_host_transform_set, at);
      break;
    case 8:
      host.transform_set_position(x, y, z);
      status = marrow_host_transform_set_position(g.c_host, x, y, z);
      break;
    case 9:
      host.transform_identity();
      status = marrow_host_transform_identity(g.c_host);
      break;
    case 10:
      host.draw_mesh(number);
      status = marrow_host_draw_mesh(g.c_host, number);
      break;
    default: host.begin_frame(); status = marrow_host_begin_frame(g.c_host);
  }
  require(status == MARROW_OK && c_handle == handle && g.c_messages == g.messages, "a call in C does the same");
  if (which > 4) return;
  if (handle == 0) {
    require(g.messages == messages + 1, "what is refused is said");
    require(same(host.state(), before), "what is refused changes nothing");
    return;
  }
  const GuestState& after = host.state();
  require(after.skeletons.size() == before.skeletons.size() + (which == 0 ? 1 : 0) &&
              after.meshes.size() == before.meshes.size() + (which > 0 ? 1 : 0),
          "one thing is loaded");
  require(handle == (which == 0 ? after.skeletons.size() : after.meshes.size()), "a handle is that of what was loaded");
  if (which > 0) check_mesh(*after.meshes.back());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Guest guest(data, size);
  GuestState saved;
  marrow_host_state c_saved = 0;
  require(marrow_host_state_create(&c_saved) == MARROW_OK, "a state is made");
  for (int calls = 0; calls < 200 && !guest.source.empty(); ++calls) {
    const std::uint8_t choice = guest.source.byte();
    if (choice < 8) {
      guest.host.save(saved);
      require(marrow_host_save(guest.c_host, c_saved) == MARROW_OK, "a state is saved");
    } else if (choice < 16) {
      guest.host.restore(saved);
      require(marrow_host_restore(guest.c_host, c_saved) == MARROW_OK, "a state is restored");
      require(same(guest.host.state(), saved), "a state is brought back as it was");
    }
    call(guest);
  }
  check_state(guest.host.state());
  use_frame(guest.host);
  std::uint64_t state = 0, draws = 0;
  require(marrow_host_hash(guest.c_host, &state, &draws) == MARROW_OK && state == hash_of(guest.host.state()) &&
              draws == hash_of_draws(guest.host),
          "the host in C is in the same state, and has drawn the same");
  require(marrow_host_state_destroy(c_saved) == MARROW_OK, "a state ends");
  return 0;
}

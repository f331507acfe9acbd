// The hosts of guests.
#include <array>
#include <string>

#include "marrow/marrow_host.h"
#include "src/ffi/arguments.h"
#include "src/ffi/part.h"
#include "src/ffi/registry.h"

using namespace marrow;
using namespace marrow::ffi;

static_assert(MARROW_HOST_BONES == kMaxGuestBones);
static_assert(MARROW_HOST_UV == +kGuestUv && MARROW_HOST_COLOR == +kGuestColor && MARROW_HOST_NORMAL == +kGuestNormal &&
              MARROW_HOST_SKINNED == +kGuestSkinned);
static_assert(static_cast<int>(LogLevel::info) == MARROW_LOG_INFO &&
              static_cast<int>(LogLevel::warning) == MARROW_LOG_WARNING &&
              static_cast<int>(LogLevel::error) == MARROW_LOG_ERROR);

namespace {

// Tells the caller of a host what a guest did wrong.
void tell(LogLevel level, std::string_view message, void* user) {
  struct Busy {
    bool& flag;
    explicit Busy(bool& of) : flag(of) { flag = true; }
    ~Busy() { flag = false; }
  };
  auto& entry = *static_cast<HostEntry*>(user);
  const Busy busy(entry.busy);
  if (entry.options.log == nullptr) return log_message(level, message);
  const std::string text(message);
  entry.options.log(entry.options.log_context, static_cast<std::uint32_t>(level), text.c_str());
}

GuestOptions options_of(HostEntry& entry, const marrow_host_options& options) {
  GuestOptions own;
  own.max_loaded_bytes = options.max_loaded_bytes;
  own.max_draws = options.max_draws;
  own.log = &tell;
  own.log_user = &entry;
  return own;
}

// The memory of a guest, for body(memory).
template <typename Body>
marrow_status read_memory(const void* memory, std::uint64_t size, const Body& body) {
  if (memory == nullptr && size > 0) return null_pointer("memory");
  body(std::span(static_cast<const std::byte*>(memory), static_cast<std::size_t>(size)));
  return MARROW_OK;
}

// Runs body(host, memory) for a call that makes something, and returns its handle.
template <typename Body>
marrow_status load(marrow_host host, const void* memory, std::uint64_t size, const char* parameter, std::uint32_t* out,
                   const Body& body) noexcept {
  return with_host(host, [&](HostEntry& entry) -> marrow_status {
    if (out == nullptr) return null_pointer(parameter);
    return read_memory(memory, size, [&](auto bytes) { *out = body(entry.host, bytes); });
  });
}

// Runs body(host) for a call that passes numbers alone.
template <typename Body>
marrow_status call(marrow_host host, const Body& body) noexcept {
  return with_host(host, [&](HostEntry& entry) -> marrow_status {
    body(entry.host);
    return MARROW_OK;
  });
}

// Runs body(host, draw) for a draw of the frame.
template <typename Body>
marrow_status with_draw(marrow_host host, std::uint32_t draw, const Body& body) noexcept {
  return with_host(host, [&](const HostEntry& entry) -> marrow_status {
    MARROW_FFI_TRY(check_index(draw, entry.host.draws().size(), "draw"));
    return body(entry.host, entry.host.draws()[draw]);
  });
}

}  // namespace

HostEntry::HostEntry(const marrow_host_options& given) : host(options_of(*this, given)), options(given) {}

marrow_status marrow_host_create(const marrow_host_options* options, marrow_host* host) noexcept {
  return guarded([&]() -> marrow_status {
    marrow_host_options own = MARROW_HOST_OPTIONS_INIT;
    MARROW_FFI_TRY(read_options(options, own, "options"));
    if (host == nullptr) return null_pointer("host");
    return add(std::make_unique<HostEntry>(own), host);
  });
}

marrow_status marrow_host_destroy(marrow_host host) noexcept {
  return guarded([&] { return remove_host(host); });
}

// ---- What a game calls -----------------------------------------------------------------------------------------

marrow_status marrow_host_load_skeleton(marrow_host host, const void* memory, uint64_t memory_size,
                                        uint32_t inverse_binds, uint32_t bone_count, uint32_t* skeleton) noexcept {
  return load(host, memory, memory_size, "skeleton", skeleton,
              [&](GuestHost& own, auto bytes) { return own.load_skeleton(bytes, inverse_binds, bone_count); });
}

marrow_status marrow_host_skeleton_bind(marrow_host host, uint32_t skeleton) noexcept {
  return call(host, [&](GuestHost& own) { own.skeleton_bind(skeleton); });
}

marrow_status marrow_host_set_bones(marrow_host host, const void* memory, uint64_t memory_size, uint32_t matrices,
                                    uint32_t bone_count) noexcept {
  return with_host(host, [&](HostEntry& entry) {
    return read_memory(memory, memory_size, [&](auto bytes) { entry.host.set_bones(bytes, matrices, bone_count); });
  });
}

marrow_status marrow_host_load_mesh(marrow_host host, const void* memory, uint64_t memory_size, uint32_t vertices,
                                    uint32_t vertex_count, uint32_t format, uint32_t* mesh) noexcept {
  return load(host, memory, memory_size, "mesh", mesh,
              [&](GuestHost& own, auto bytes) { return own.load_mesh(bytes, vertices, vertex_count, format); });
}

marrow_status marrow_host_load_mesh_indexed(marrow_host host, const void* memory, uint64_t memory_size,
                                            uint32_t vertices, uint32_t vertex_count, uint32_t indices,
                                            uint32_t index_count, uint32_t format, uint32_t* mesh) noexcept {
  return load(host, memory, memory_size, "mesh", mesh, [&](GuestHost& own, auto bytes) {
    return own.load_mesh_indexed(bytes, vertices, vertex_count, indices, index_count, format);
  });
}

marrow_status marrow_host_load_mesh_packed(marrow_host host, const void* memory, uint64_t memory_size,
                                           uint32_t vertices, uint32_t vertex_count, uint32_t format,
                                           uint32_t* mesh) noexcept {
  return load(host, memory, memory_size, "mesh", mesh,
              [&](GuestHost& own, auto bytes) { return own.load_mesh_packed(bytes, vertices, vertex_count, format); });
}

marrow_status marrow_host_load_mesh_packed_indexed(marrow_host host, const void* memory, uint64_t memory_size,
                                                   uint32_t vertices, uint32_t vertex_count, uint32_t indices,
                                                   uint32_t index_count, uint32_t format, uint32_t* mesh) noexcept {
  return load(host, memory, memory_size, "mesh", mesh, [&](GuestHost& own, auto bytes) {
    return own.load_mesh_packed_indexed(bytes, vertices, vertex_count, indices, index_count, format);
  });
}

marrow_status marrow_host_transform_identity(marrow_host host) noexcept {
  return call(host, [](GuestHost& own) { own.transform_identity(); });
}

marrow_status marrow_host_transform_set(marrow_host host, const void* memory, uint64_t memory_size,
                                        uint32_t matrix) noexcept {
  return with_host(host, [&](HostEntry& entry) {
    return read_memory(memory, memory_size, [&](auto bytes) { entry.host.transform_set(bytes, matrix); });
  });
}

marrow_status marrow_host_transform_set_position(marrow_host host, float x, float y, float z) noexcept {
  return call(host, [&](GuestHost& own) { own.transform_set_position(x, y, z); });
}

marrow_status marrow_host_draw_mesh(marrow_host host, uint32_t mesh) noexcept {
  return call(host, [&](GuestHost& own) { own.draw_mesh(mesh); });
}

// ---- What was drawn --------------------------------------------------------------------------------------------

marrow_status marrow_host_begin_frame(marrow_host host) noexcept {
  return call(host, [](GuestHost& own) { own.begin_frame(); });
}

marrow_status marrow_host_draws(marrow_host host, marrow_host_draw* out, uint64_t capacity, uint64_t* count) noexcept {
  return with_host(host, [&](const HostEntry& entry) -> marrow_status {
    const std::span<const GuestDraw> draws = entry.host.draws();
    const Output output = check_output(draws.size(), out, capacity, count);
    if (!output.write) return output.status;
    for (std::size_t i = 0; i < draws.size(); ++i) {
      const GuestDraw& draw = draws[i];
      const std::uint64_t skeleton = draw.skeleton != nullptr ? draw.skeleton->serial : 0;
      const marrow_host_draw copy = {draw.mesh->serial, skeleton, draw.first_bone, draw.bone_count,
                                     same_bits<marrow_affine>(draw.transform)};
      std::memcpy(out + i, &copy, sizeof copy);
    }
    return MARROW_OK;
  });
}

marrow_status marrow_host_draw_part(marrow_host host, uint32_t draw, marrow_part_info* info) noexcept {
  return with_draw(host, draw, [&](const GuestHost&, const GuestDraw& d) -> marrow_status {
    MARROW_FFI_TRY(check_info(info));
    write_info(info, info_of(d.mesh->vertices, d.mesh->indices.size(), Topology::triangles, MARROW_NONE));
    return MARROW_OK;
  });
}

marrow_status marrow_host_draw_floats(marrow_host host, uint32_t draw, uint32_t attribute, float* out,
                                      uint64_t capacity, uint64_t* count) noexcept {
  return with_draw(host, draw, [&](const GuestHost&, const GuestDraw& d) {
    return copy_floats(d.mesh->vertices, attribute, 0, out, capacity, count);
  });
}

marrow_status marrow_host_draw_joints(marrow_host host, uint32_t draw, uint16_t* out, uint64_t capacity,
                                      uint64_t* count) noexcept {
  return with_draw(host, draw, [&](const GuestHost&, const GuestDraw& d) {
    return copy_out(std::span<const std::uint16_t>(d.mesh->vertices.joints), out, capacity, count);
  });
}

marrow_status marrow_host_draw_indices(marrow_host host, uint32_t draw, uint32_t* out, uint64_t capacity,
                                       uint64_t* count) noexcept {
  return with_draw(host, draw, [&](const GuestHost&, const GuestDraw& d) {
    return copy_out(std::span<const std::uint32_t>(d.mesh->indices), out, capacity, count);
  });
}

marrow_status marrow_host_draw_bones(marrow_host host, uint32_t draw, marrow_affine* out, uint64_t capacity,
                                     uint64_t* count) noexcept {
  return with_draw(host, draw, [&](const GuestHost& own, const GuestDraw& d) {
    return copy_out(own.bones(d), out, capacity, count);
  });
}

marrow_status marrow_host_draw_inverse_binds(marrow_host host, uint32_t draw, marrow_affine* out, uint64_t capacity,
                                             uint64_t* count) noexcept {
  return with_draw(host, draw, [&](const GuestHost&, const GuestDraw& d) {
    const auto binds =
        d.skeleton != nullptr ? std::span<const Affine>(d.skeleton->inverse_binds) : std::span<const Affine>();
    return copy_out(binds, out, capacity, count);
  });
}

marrow_status marrow_host_draw_palette(marrow_host host, uint32_t draw, marrow_affine* out, uint64_t capacity,
                                       uint64_t* count) noexcept {
  return with_draw(host, draw, [&](const GuestHost& own, const GuestDraw& d) {
    std::array<Affine, kMaxGuestBones> palette;
    guest_palette(own, d, palette);
    return copy_out(std::span<const Affine>(palette), out, capacity, count);
  });
}

// ---- Going back ------------------------------------------------------------------------------------------------

marrow_status marrow_host_state_create(marrow_host_state* state) noexcept {
  return guarded([&]() -> marrow_status {
    if (state == nullptr) return null_pointer("state");
    return add(std::make_unique<GuestState>(), state);
  });
}

marrow_status marrow_host_state_destroy(marrow_host_state state) noexcept {
  return guarded([&] { return remove_host_state(state); });
}

marrow_status marrow_host_save(marrow_host host, marrow_host_state state) noexcept {
  return with_host(host, [&](const HostEntry& entry) -> marrow_status {
    GuestState* to = nullptr;
    MARROW_FFI_TRY(find(state, to));
    entry.host.save(*to);
    return MARROW_OK;
  });
}

marrow_status marrow_host_restore(marrow_host host, marrow_host_state state) noexcept {
  return with_host(host, [&](HostEntry& entry) -> marrow_status {
    GuestState* from = nullptr;
    MARROW_FFI_TRY(find(state, from));
    entry.host.restore(*from);
    return MARROW_OK;
  });
}

marrow_status marrow_host_hash(marrow_host host, uint64_t* of_state, uint64_t* of_draws) noexcept {
  return with_host(host, [&](const HostEntry& entry) -> marrow_status {
    if (of_state == nullptr && of_draws == nullptr) return null_pointer("of_state");
    if (of_state != nullptr) *of_state = hash_of(entry.host.state());
    if (of_draws != nullptr) *of_draws = hash_of_draws(entry.host);
    return MARROW_OK;
  });
}

// The host of guests through C: the same as through C++, call for call.
#include <doctest/doctest.h>

#include <cstring>
#include <set>

#include "ffi/life.h"
#include "fixtures/random.h"
#include "guest/guest_memory.h"
#include "marrow/marrow_host.h"

namespace marrow {
namespace {

using test::GuestMemory;

// A host that writes down what it says.
struct Host {
  std::vector<std::string> lines;
  marrow_host handle = 0;

  explicit Host(std::uint64_t max_loaded_bytes = 20000, std::uint32_t max_draws = 3) {
    const marrow_host_options options = {sizeof options, max_draws, max_loaded_bytes, &Host::hear, this};
    MARROW_REQUIRE_OK(marrow_host_create(&options, &handle));
  }
  ~Host() { marrow_host_destroy(handle); }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  static void hear(void* context, std::uint32_t level, const char* message) {
    static_cast<Host*>(context)->lines.push_back((level == MARROW_LOG_ERROR ? "error " : "warning ") +
                                                 std::string(message));
  }
};

// Copies an array of the host. Unlike test::all, the second call passes no count.
template <typename T, typename Get>
std::vector<T> host_array(const Get& get) {
  std::uint64_t count = 0;
  MARROW_REQUIRE_OK(get(nullptr, std::uint64_t{0}, &count));
  std::vector<T> out(count);
  if (count > 0) MARROW_REQUIRE_OK(get(out.data(), count, nullptr));
  return out;
}

// Whether two arrays are the same bits, of whatever types.
template <typename A, typename B>
bool same(const A& a, const B& b) {
  const std::span<const std::byte> x = std::as_bytes(std::span(a)), y = std::as_bytes(std::span(b));
  return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size()) == 0);
}

void check_draw(marrow_host c, std::uint32_t i, const GuestHost& host, const marrow_host_draw& got) {
  const GuestDraw& draw = host.draws()[i];
  const auto floats = [&](std::uint32_t attribute) {
    return host_array<float>([&](auto... out) { return marrow_host_draw_floats(c, i, attribute, out...); });
  };
  CHECK(got.bone_count == draw.bone_count);
  CHECK(got.first_bone == draw.first_bone);
  CHECK((got.skeleton != 0) == (draw.skeleton != nullptr));
  CHECK(std::memcmp(&got.transform, &draw.transform, sizeof got.transform) == 0);
  CHECK(same(host_array<marrow_affine>([&](auto... out) { return marrow_host_draw_bones(c, i, out...); }),
             host.bones(draw)));
  std::array<Affine, kMaxGuestBones> palette;
  guest_palette(host, draw, palette);
  CHECK(same(host_array<marrow_affine>([&](auto... out) { return marrow_host_draw_palette(c, i, out...); }), palette));
  const std::vector<Affine> binds = draw.skeleton != nullptr ? draw.skeleton->inverse_binds : std::vector<Affine>();
  CHECK(same(host_array<marrow_affine>([&](auto... out) { return marrow_host_draw_inverse_binds(c, i, out...); }),
             binds));

  const Vertices& v = draw.mesh->vertices;
  marrow_part_info part{};
  part.struct_size = sizeof part;
  MARROW_REQUIRE_OK(marrow_host_draw_part(c, i, &part));
  CHECK(part.vertex_count == v.positions.size());
  CHECK(part.index_count == draw.mesh->indices.size());
  CHECK(part.topology == MARROW_TRIANGLES);
  CHECK(part.influences == v.influences);
  CHECK(part.uv_count == v.uvs.size());
  CHECK(part.material == MARROW_NONE);
  CHECK(same(floats(MARROW_POSITION), v.positions));
  CHECK(same(floats(MARROW_NORMAL), v.normals));
  CHECK(same(floats(MARROW_COLOR), v.colors));
  CHECK(same(floats(MARROW_WEIGHTS), v.weights));
  if (!v.uvs.empty()) CHECK(same(floats(MARROW_UV), v.uvs[0]));
  CHECK(same(host_array<std::uint16_t>([&](auto... out) { return marrow_host_draw_joints(c, i, out...); }), v.joints));
  CHECK(same(host_array<std::uint32_t>([&](auto... out) { return marrow_host_draw_indices(c, i, out...); }),
             draw.mesh->indices));
}

void check_same(marrow_host c, const GuestHost& host) {
  std::uint64_t state = 0, draws = 0;
  MARROW_REQUIRE_OK(marrow_host_hash(c, &state, &draws));
  CHECK(state == hash_of(host.state()));
  CHECK(draws == hash_of_draws(host));
  const auto drawn = host_array<marrow_host_draw>([&](auto... out) { return marrow_host_draws(c, out...); });
  REQUIRE(drawn.size() == host.draws().size());
  for (std::uint32_t i = 0; i < drawn.size(); ++i) check_draw(c, i, host, drawn[i]);
}

// Memory of floats, halves and bytes that are mostly good for something.
GuestMemory some_memory(test::Random& random) {
  GuestMemory memory;
  std::vector<float> numbers(600);
  for (float& x : numbers) x = static_cast<float>(random.below(64)) / 8 - 4;
  memory.put(numbers);
  std::vector<std::uint16_t> words(400);
  for (std::uint16_t& word : words) word = static_cast<std::uint16_t>(random.below(9));
  memory.put(words);
  return memory;
}

}  // namespace

TEST_CASE("a guest that calls its host through C gets what it gets through C++, log and all") {
  std::size_t drawn = 0, said = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    test::Random random(seed);
    const GuestMemory memory = some_memory(random);
    test::LoggedHost cpp({.max_loaded_bytes = 20000, .max_draws = 3});
    Host c;
    marrow_host_state state = 0;
    MARROW_REQUIRE_OK(marrow_host_state_create(&state));
    GuestState saved;
    const std::span<const std::byte> bytes = memory.bytes;
    const auto pick = [&](std::uint32_t end) { return random.below(end); };
    const auto address = [&] { return pick(12) == 0 ? pick(memory.end() + 99) : pick(memory.end() / 2); };
    for (int call = 0; call < 150; ++call) {
      const std::uint32_t at = address(), other = memory.end() - 1 - 2 * pick(300), count = pick(15),
                          indices = 3 * pick(8), format = pick(17), number = pick(6);
      std::uint32_t expected = 0, got = 0;
      const auto with_memory = [&](auto function, auto... rest) {
        return function(c.handle, bytes.data(), std::uint64_t{bytes.size()}, rest...);
      };
      marrow_status status = MARROW_OK;
      switch (pick(14)) {
        case 0:
          expected = cpp.host.load_skeleton(bytes, at, count);
          status = with_memory(marrow_host_load_skeleton, at, count, &got);
          break;
        case 1:
          expected = cpp.host.load_mesh(bytes, at, 3 * number, format);
          status = with_memory(marrow_host_load_mesh, at, 3 * number, format, &got);
          break;
        case 2:
          expected = cpp.host.load_mesh_packed(bytes, at, 3 * number, format);
          status = with_memory(marrow_host_load_mesh_packed, at, 3 * number, format, &got);
          break;
        case 3:
          expected = cpp.host.load_mesh_indexed(bytes, at, count, other, indices, format);
          status = with_memory(marrow_host_load_mesh_indexed, at, count, other, indices, format, &got);
          break;
        case 4:
          expected = cpp.host.load_mesh_packed_indexed(bytes, at, count, other, indices, format);
          status = with_memory(marrow_host_load_mesh_packed_indexed, at, count, other, indices, format, &got);
          break;
        case 5:
          cpp.host.skeleton_bind(number);
          status = marrow_host_skeleton_bind(c.handle, number);
          break;
        case 6:
          cpp.host.set_bones(bytes, at, count);
          status = with_memory(marrow_host_set_bones, at, count);
          break;
        case 7:
          cpp.host.transform_set(bytes, at);
          status = with_memory(marrow_host_transform_set, at);
          break;
        case 8: {
          const float x = number == 0 ? HUGE_VALF : static_cast<float>(number);
          cpp.host.transform_set_position(1, x, 3);
          status = marrow_host_transform_set_position(c.handle, 1, x, 3);
          break;
        }
        case 9:
          cpp.host.transform_identity();
          status = marrow_host_transform_identity(c.handle);
          break;
        case 10:
          cpp.host.begin_frame();
          status = marrow_host_begin_frame(c.handle);
          break;
        case 11:
          if (number == 0) {
            cpp.host.restore(saved);
            status = marrow_host_restore(c.handle, state);
          } else if (number == 1) {
            cpp.host.save(saved);
            status = marrow_host_save(c.handle, state);
          }
          break;
        default: cpp.host.draw_mesh(number); status = marrow_host_draw_mesh(c.handle, number);
      }
      MARROW_REQUIRE_OK(status);
      REQUIRE(got == expected);
      REQUIRE(c.lines == cpp.lines);
      check_same(c.handle, cpp.host);
      drawn += cpp.host.draws().size();
    }
    said += c.lines.size();
    MARROW_REQUIRE_OK(marrow_host_state_destroy(state));
  }
  CHECK(drawn > 1000);
  CHECK(said > 1000);
}

TEST_CASE("what a guest loads has a number of its own, also when it is loaded again after it was taken back") {
  Host host;
  marrow_host_state state = 0;
  GuestMemory memory;
  const std::uint32_t corners = memory.put(test::plain_triangle());
  std::uint32_t mesh = 0;
  const auto load = [&] {
    MARROW_REQUIRE_OK(marrow_host_load_mesh(host.handle, memory.bytes.data(), memory.end(), corners, 3, 0, &mesh));
    REQUIRE(mesh != 0);
    MARROW_REQUIRE_OK(marrow_host_begin_frame(host.handle));
    MARROW_REQUIRE_OK(marrow_host_draw_mesh(host.handle, mesh));
    MARROW_REQUIRE_OK(marrow_host_draw_mesh(host.handle, mesh));
    const auto drawn =
        host_array<marrow_host_draw>([&](auto... out) { return marrow_host_draws(host.handle, out...); });
    REQUIRE(drawn.size() == 2);
    CHECK(drawn[0].mesh == drawn[1].mesh);
    CHECK(drawn[0].skeleton == 0);
    return drawn[0].mesh;
  };
  MARROW_REQUIRE_OK(marrow_host_state_create(&state));
  MARROW_REQUIRE_OK(marrow_host_save(host.handle, state));
  std::set<std::uint64_t> numbers;
  for (int i = 0; i < 5; ++i) {
    CHECK(numbers.insert(load()).second);
    CHECK(mesh == 1);
    CHECK(numbers.insert(load()).second);
    CHECK(mesh == 2);
    MARROW_REQUIRE_OK(marrow_host_restore(host.handle, state));
  }
  CHECK(numbers.count(0) == 0);
  MARROW_REQUIRE_OK(marrow_host_state_destroy(state));
}

TEST_CASE("a state outlives its host, and what is in it can be drawn by another") {
  marrow_host_state state = 0;
  MARROW_REQUIRE_OK(marrow_host_state_create(&state));
  std::uint64_t expected = 0, got = 0;
  {
    Host host;
    GuestMemory memory;
    const std::uint32_t corners = memory.put(test::plain_triangle());
    std::uint32_t mesh = 0;
    MARROW_REQUIRE_OK(marrow_host_load_mesh(host.handle, memory.bytes.data(), memory.end(), corners, 3, 0, &mesh));
    MARROW_REQUIRE_OK(marrow_host_save(host.handle, state));
    MARROW_REQUIRE_OK(marrow_host_draw_mesh(host.handle, mesh));
    MARROW_REQUIRE_OK(marrow_host_hash(host.handle, nullptr, &expected));
  }
  Host other;
  MARROW_REQUIRE_OK(marrow_host_restore(other.handle, state));
  MARROW_REQUIRE_OK(marrow_host_state_destroy(state));
  MARROW_REQUIRE_OK(marrow_host_draw_mesh(other.handle, 1));
  MARROW_REQUIRE_OK(marrow_host_hash(other.handle, nullptr, &got));
  CHECK(got == expected);
  CHECK(other.lines.empty());
}

TEST_CASE("a log that uses its host is told that it is busy, and one that throws leaves it usable") {
  struct Meddler {
    marrow_host host = 0;
    std::vector<marrow_status> statuses;
  } meddler;
  marrow_host_options options = MARROW_HOST_OPTIONS_INIT;
  options.log_context = &meddler;
  options.log = [](void* context, std::uint32_t, const char*) {
    auto& own = *static_cast<Meddler*>(context);
    own.statuses.push_back(marrow_host_draw_mesh(own.host, 1));
    own.statuses.push_back(marrow_host_destroy(own.host));
    if (own.statuses.size() == 4) throw std::bad_alloc();
  };
  MARROW_REQUIRE_OK(marrow_host_create(&options, &meddler.host));
  MARROW_REQUIRE_OK(marrow_host_draw_mesh(meddler.host, 7));
  CHECK(marrow_host_draw_mesh(meddler.host, 7) == MARROW_ERROR_OUT_OF_MEMORY);
  CHECK(meddler.statuses == std::vector<marrow_status>(4, MARROW_ERROR_BUSY));
  MARROW_REQUIRE_OK(marrow_host_begin_frame(meddler.host));
  MARROW_REQUIRE_OK(marrow_host_destroy(meddler.host));
}

TEST_CASE("a log that throws in the middle of set_bones leaves the bones as they were") {
  GuestMemory memory;
  const std::uint32_t good = memory.put(std::vector<Affine>(2, test::moved(1, 2, 3)));
  const std::uint32_t bad = memory.put(std::vector<float>(36, HUGE_VALF));
  GuestOptions options;
  options.log = [](LogLevel, std::string_view, void*) { throw std::runtime_error("the log is full"); };
  GuestHost host(options);
  host.set_bones(memory.bytes, good, 2);
  const std::uint64_t before = hash_of(host.state());
  CHECK_THROWS(host.set_bones(memory.bytes, bad, 3));
  CHECK(hash_of(host.state()) == before);
  CHECK(host.state().bone_count == 2);
}

TEST_CASE("a host without a log of its own is busy while the library's is told") {
  static marrow_host host;
  static std::vector<marrow_status> statuses;
  MARROW_REQUIRE_OK(marrow_host_create(nullptr, &host));
  set_log_handler([](LogLevel, std::string_view, void*) { statuses.push_back(marrow_host_destroy(host)); });
  MARROW_REQUIRE_OK(marrow_host_draw_mesh(host, 3));
  set_log_handler(nullptr);
  CHECK(statuses == std::vector<marrow_status>{MARROW_ERROR_BUSY});
  MARROW_REQUIRE_OK(marrow_host_destroy(host));
}

TEST_CASE("hashes are told together or one by one") {
  Host host;
  std::uint64_t state = 0, draws = 0, alone = 0;
  MARROW_REQUIRE_OK(marrow_host_hash(host.handle, &state, &draws));
  MARROW_REQUIRE_OK(marrow_host_hash(host.handle, &alone, nullptr));
  CHECK(alone == state);
  MARROW_REQUIRE_OK(marrow_host_hash(host.handle, nullptr, &alone));
  CHECK(alone == draws);
  CHECK(marrow_host_hash(host.handle, nullptr, nullptr) == MARROW_ERROR_NULL_POINTER);
}

TEST_CASE("a guest without memory has none to point into") {
  Host host;
  std::uint32_t skeleton = 5;
  MARROW_REQUIRE_OK(marrow_host_load_skeleton(host.handle, nullptr, 0, 16, 1, &skeleton));
  CHECK(skeleton == 0);
  MARROW_REQUIRE_OK(marrow_host_set_bones(host.handle, nullptr, 0, 0, 0));
  CHECK(host.lines.size() == 1);
}

}  // namespace marrow

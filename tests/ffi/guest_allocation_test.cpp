#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "ffi/life.h"
#include "guest/guest_memory.h"
#include "marrow/marrow_host.h"
#include "support/allocations.h"

namespace marrow {

TEST_CASE("a guest's frame allocates nothing once one was as large, and neither do saving and restoring its state") {
  GuestHost host;
  test::GuestMemory memory;
  const std::uint32_t bones = memory.put(std::vector<Affine>(256)), corners = memory.put(test::skinned_triangle());
  const std::uint32_t skeleton = host.load_skeleton(memory.bytes, bones, 256),
                      mesh = host.load_mesh(memory.bytes, corners, 3, kGuestSkinned);
  REQUIRE(skeleton * mesh == 1);
  GuestState saved[8];
  const auto frame = [&](std::size_t number) {
    host.begin_frame();
    for (int draw = 0; draw < 20; ++draw) {
      host.skeleton_bind(draw % 2 == 0 ? skeleton : 0);
      host.set_bones(memory.bytes, bones, 256);
      host.transform_set(memory.bytes, bones);
      host.draw_mesh(mesh);
    }
    host.save(saved[number % 8]);
    if (number % 3 == 0) host.restore(saved[(number + 1) % 8]);
  };
  for (std::size_t i = 0; i < 8; ++i) host.save(saved[i]);
  frame(0);
  const std::size_t allocations = test::allocations_in([&] {
    for (std::size_t i = 0; i < 50; ++i) frame(i);
  });
  CHECK(allocations == 0);
  CHECK(host.draws().size() == 20);
}

TEST_CASE("neither does it through C") {
  marrow_host host = 0;
  marrow_host_state saved = 0;
  test::GuestMemory memory;
  const std::uint32_t bones = memory.put(std::vector<Affine>(256)), corners = memory.put(test::skinned_triangle());
  const void* const bytes = memory.bytes.data();
  std::uint32_t skeleton = 0, mesh = 0;
  std::vector<marrow_host_draw> draws(20);
  std::vector<marrow_affine> palette(MARROW_HOST_BONES);
  MARROW_REQUIRE_OK(marrow_host_create(nullptr, &host));
  MARROW_REQUIRE_OK(marrow_host_state_create(&saved));
  MARROW_REQUIRE_OK(marrow_host_load_skeleton(host, bytes, memory.end(), bones, 256, &skeleton));
  MARROW_REQUIRE_OK(marrow_host_load_mesh(host, bytes, memory.end(), corners, 3, kGuestSkinned, &mesh));
  int failed = 0;
  const auto call = [&](marrow_status status) { failed += status != MARROW_OK; };
  const auto frame = [&] {
    call(marrow_host_begin_frame(host));
    for (std::uint32_t draw = 0; draw < 20; ++draw) {
      call(marrow_host_skeleton_bind(host, draw % 2 == 0 ? skeleton : 0));
      call(marrow_host_set_bones(host, bytes, memory.end(), bones, 256));
      call(marrow_host_draw_mesh(host, mesh));
      call(marrow_host_draw_palette(host, draw, palette.data(), palette.size(), nullptr));
    }
    call(marrow_host_draws(host, draws.data(), draws.size(), nullptr));
    call(marrow_host_save(host, saved));
    call(marrow_host_restore(host, saved));
  };
  frame();
  CHECK(test::allocations_in([&] {
          for (int i = 0; i < 50; ++i) frame();
        }) == 0);
  CHECK(failed == 0);
  MARROW_REQUIRE_OK(marrow_host_state_destroy(saved));
  MARROW_REQUIRE_OK(marrow_host_destroy(host));
}

TEST_CASE("wherever memory runs out, a host and a state are as they were, and go on") {
  test::GuestMemory memory;
  const std::uint32_t bones = memory.put(std::vector<Affine>(9)), corners = memory.put(test::skinned_triangle()),
                      broken = memory.put(std::vector<float>(12 * 9, HUGE_VALF));
  const void* const bytes = memory.bytes.data();
  const std::uint64_t size = memory.end();

  // A host in which a guest has loaded and drawn so much, with the last skeleton bound; and a state of it.
  struct Loaded {
    marrow_host host = 0;
    marrow_host_state state = 0;

    [[nodiscard]] std::uint64_t digest() const {
      std::uint64_t of_state = 0, of_draws = 0;
      MARROW_REQUIRE_OK(marrow_host_hash(host, &of_state, &of_draws));
      return of_state * 31 + of_draws;
    }
    ~Loaded() {
      marrow_host_destroy(host);
      marrow_host_state_destroy(state);
    }
  };
  const auto make = [&](Loaded& out, std::uint32_t count) {
    std::uint32_t handle = 0;
    marrow_host_options options = MARROW_HOST_OPTIONS_INIT;
    options.log = [](void*, std::uint32_t, const char*) {};
    MARROW_REQUIRE_OK(marrow_host_create(&options, &out.host));
    MARROW_REQUIRE_OK(marrow_host_state_create(&out.state));
    for (std::uint32_t i = 0; i < count; ++i) {
      MARROW_REQUIRE_OK(marrow_host_load_skeleton(out.host, bytes, size, bones, 1 + i % 9, &handle));
      MARROW_REQUIRE_OK(marrow_host_load_mesh(out.host, bytes, size, corners, 3, kGuestSkinned, &handle));
    }
    MARROW_REQUIRE_OK(marrow_host_skeleton_bind(out.host, count));
    MARROW_REQUIRE_OK(marrow_host_set_bones(out.host, bytes, size, bones, 9));
    MARROW_REQUIRE_OK(marrow_host_draw_mesh(out.host, 1));
    MARROW_REQUIRE_OK(marrow_host_save(out.host, out.state));
  };

  const std::function<marrow_status(const Loaded&, const Loaded&)> calls[] = {
      [&](const Loaded& l, const Loaded&) { return marrow_host_set_bones(l.host, bytes, size, broken, 9); },
      [&](const Loaded& l, const Loaded&) { return marrow_host_set_bones(l.host, bytes, size, bones, 300); },
      [&](const Loaded& l, const Loaded&) { return marrow_host_draw_mesh(l.host, 1); },
      [&](const Loaded& l, const Loaded&) { return marrow_host_draw_mesh(l.host, 99); },
      [&](const Loaded& l, const Loaded&) { return marrow_host_skeleton_bind(l.host, 99); },
      [&](const Loaded& l, const Loaded&) {
        std::uint32_t handle = 0;
        return marrow_host_load_skeleton(l.host, bytes, size, broken, 9, &handle);
      },
      [&](const Loaded& l, const Loaded&) {
        std::uint32_t handle = 0;
        return marrow_host_load_mesh(l.host, bytes, size, corners, 3, kGuestSkinned, &handle);
      },
      [](const Loaded& l, const Loaded& other) { return marrow_host_restore(l.host, other.state); },
      [](const Loaded& l, const Loaded& other) {
        const marrow_status status = marrow_host_save(other.host, l.state);
        if (status != MARROW_OK) MARROW_REQUIRE_OK(marrow_host_restore(l.host, l.state));  // what was saved before
        return status;
      },
  };
  std::size_t failures = 0;
  for (const auto& call : calls) {
    for (std::size_t n = 0;; ++n) {
      REQUIRE(n < 100);
      Loaded few, many;
      make(few, 1);
      make(many, 20);
      const std::uint64_t before = few.digest();
      test::fail_allocation_after(n);
      const marrow_status status = call(few, many);
      test::fail_no_allocation();
      if (status == MARROW_OK) break;
      ++failures;
      CHECK(status == MARROW_ERROR_OUT_OF_MEMORY);
      CHECK(few.digest() == before);
      MARROW_REQUIRE_OK(marrow_host_set_bones(few.host, bytes, size, bones, 1));
      MARROW_REQUIRE_OK(marrow_host_draw_mesh(few.host, 1));
    }
  }
  CHECK(failures > 20);
}

}  // namespace marrow

#include <doctest/doctest.h>

#include "ffi/guest_memory.h"
#include "ffi/life.h"
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
    saved[number % 8] = host.state();
    if (number % 3 == 0) host.restore(saved[(number + 1) % 8]);
  };
  for (std::size_t i = 0; i < 8; ++i) saved[i] = host.state();
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

}  // namespace marrow

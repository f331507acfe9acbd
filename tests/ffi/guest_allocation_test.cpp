#include <doctest/doctest.h>

#include "ffi/guest_memory.h"
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

}  // namespace marrow

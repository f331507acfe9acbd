// Saving and restoring a guest allocates nothing, once there are buffers for it.
#include <doctest/doctest.h>

#include "console/fixture.h"
#include "snapshot.h"
#include "support/allocations.h"

namespace marrow::console {
namespace {

TEST_CASE("snapshots of a guest, their hashes and copies of what it drew allocate nothing") {
  Guest guest = test::load(test::kGame);
  GuestSnapshot snapshots[8];
  Drawing drawing;
  // Until the memory is as large as it gets.
  for (std::uint32_t frame = 0; frame < 16; ++frame) {
    REQUIRE(guest.frame({}).ok());
    guest.save(snapshots[frame % 8]);
    drawing.copy_from(guest.host());
  }
  REQUIRE(guest.memory().size() == 5 * 65536);
  std::size_t allocations = 0;
  std::uint64_t hashes = 0;
  for (std::uint32_t frame = 0; frame < 600; ++frame) {
    REQUIRE(guest.frame({frame % 64, frame / 8 % 64}).ok());
    allocations += test::allocations_in([&] {
      guest.save(snapshots[frame % 8]);
      drawing.copy_from(guest.host());
      hashes += hash_of(snapshots[frame % 8]);
      if (frame % 5 == 0) guest.restore(snapshots[(frame + 3) % 8]);
    });
  }
  CHECK(allocations == 0);
  CHECK(hashes != 0);
}

}  // namespace
}  // namespace marrow::console

// Updating a mixer allocates nothing, whatever it plays and however it is commanded.
#include <doctest/doctest.h>

#include "fixtures/random.h"
#include "mixer/scene.h"
#include "support/allocations.h"

namespace marrow {
namespace {

using test::allocations_in;
using test::Character;

TEST_CASE("ten thousand frames of crossfades, layers, events, root motion and snapshots allocate nothing") {
  const Character c;
  const Clip sparse = humanoid::make_clip(c.skeleton, {"sparse", 1.0, 0.6, humanoid::Keys::own});
  const JointMask upper = JointMask::from_branch(c.skeleton, 2, 1);
  const Mark marks[] = {{0.1, "left"}, {0.5, "right"}};
  test::PosedMixer mixer(c.skeleton);
  const Clip clips[] = {c.idle, c.walk, c.run, sparse};
  for (const Clip& clip : clips) {
    (void)mixer.clip_action(clip).value();
    REQUIRE(mixer.set_marks(Marks::create(clip, marks).value()));
  }
  REQUIRE(mixer.set_root_motion({}));
  const Layer layer = mixer.add_layer({.mask = &upper}).value();
  const Action wave = layer.clip_action(c.wave).value();
  int events = 0;
  mixer.on_event([&](const Event& event) {
    ++events;
    if (event.kind == EventKind::finished) mixer.cross_fade_to(c.idle, 0.2);
  });
  std::vector<std::byte> block(mixer.snapshot_size());
  test::Random random(1);
  const auto play = [&](int frames) {
    for (int frame = 0; frame < frames; ++frame) {
      if (frame % 17 == 0) {
        const Clip& next = clips[random.below(4)];
        mixer.cross_fade_to(next, random.range(0, 0.4), {.warp = frame % 2 == 0});
      }
      if (frame % 40 == 0) mixer.current().set_loop(static_cast<Loop>(random.below(3)));
      if (frame % 90 == 0) wave.fade_in(0.3);
      if (frame % 90 == 45) layer.fade_out_all(0.3);
      if (frame % 50 == 0 && !mixer.save(block)) FAIL("not saved");
      if (frame % 50 == 30 && !mixer.restore(block)) FAIL("not restored");
      mixer.update(frame % 100 == 99 ? 1e6 : 1.0 / 60);
    }
  };
  // It grows for as many actions as play at once.
  std::vector<Action> many;
  for (int i = 0; i < 8; ++i) many.push_back(mixer.new_action(c.idle).value().play());
  mixer.update(0);
  for (const Action& action : many) mixer.release(action);
  play(100);
  const std::size_t allocations = allocations_in([&] { play(10'000); });
  CHECK(allocations == 0);
  CHECK(events > 1'000);
}

TEST_CASE("a mixer takes its memory when it is made") {
  const Character c;
  CHECK(allocations_in([&] { const test::PosedMixer mixer(c.skeleton); }) >= 10);
}

}  // namespace
}  // namespace marrow

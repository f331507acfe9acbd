// Many characters in one call: the same bits for any batch, order and number of threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "marrow/core/hash.h"
#include "marrow/scene/scene.h"
#ifdef MARROW_TEST_TBB
#include "marrow/scene/tbb_executor.h"
#endif
#include "fixtures/random.h"
#include "scene/character.h"
#include "support/threads.h"

namespace marrow {
namespace {

using test::Threads;

// Backwards, and one thread.
void run_backwards(void*, const Work& work) {
  for (std::uint32_t job = work.count; job-- > 0;) work.run(work.data, job);
}

// A crowd, a third of it with something in hand, some riding on others; all of them fade from clip to clip.
struct Crowd {
  Scene scene;
  std::vector<Instance> instances;
  std::vector<Node> things;

  explicit Crowd(const Model& model, int count) {
    InstanceOptions options;
    options.mixer = {4, 1, 8, 4};
    for (int i = 0; i < count; ++i) {
      options.local.translation = {static_cast<float>(i), 0, 0};
      options.parent = i % 10 == 9 ? instances.back().bone("chest") : Node();
      instances.push_back(scene.instantiate(model, options));
      const auto clip = [&](int k) { return model.clips()[static_cast<std::size_t>(k % 3)]; };
      instances.back().mixer().play(clip(i)).seek(0.01 * i);
      if (i % 2 == 0) instances.back().mixer().cross_fade_to(clip(i + 1), 0.3 + 0.001 * i);
      if (i % 3 == 0) things.push_back(scene.add_node("thing", options.local, instances.back().bone("hand_R")));
    }
  }

  [[nodiscard]] std::uint64_t hash() const {
    Hasher hasher;
    for (const Instance& instance : instances) {
      hasher.add({instance.palettes()[0].m[0], instance.palettes().size() * 12});
      const Affine world = instance.node().world();
      hasher.add({world.m[0], 12});
    }
    for (const Node& thing : things) {
      const Affine world = thing.world();
      hasher.add({world.m[0], 12});
    }
    return hasher.finish();
  }
};

TEST_CASE("a crowd has the same bits for every executor, batch and order") {
  const Model model = test::make_character();
  constexpr int kCount = 150, kFrames = 20;
  const auto play = [&](const auto& step) {
    Crowd crowd(model, kCount);
    for (int frame = 0; frame < kFrames; ++frame) {
      step(crowd, 1.0 / 60);
      crowd.scene.refresh();
    }
    return crowd.hash();
  };
  const std::uint64_t alone = play([](Crowd& crowd, double dt) {
    for (const Instance& instance : crowd.instances) instance.update(dt);
  });
  CHECK(play([](Crowd& crowd, double dt) { crowd.scene.update(dt); }) == alone);
  CHECK(play([](Crowd& crowd, double dt) {
          update_instances(crowd.instances, dt, {run_backwards, nullptr});
        }) == alone);
  for (const unsigned count : {1u, 2u, 5u}) {
    Threads threads{count};
    CHECK(play([&](Crowd& crowd, double dt) { crowd.scene.update(dt, {Threads::run, &threads}); }) == alone);
  }
  test::Random random(5);
  CHECK(play([&](Crowd& crowd, double dt) {
          std::vector<Instance> order = crowd.instances;
          for (std::size_t i = order.size(); i > 1; --i) {
            std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
          }
          const std::size_t cut = random.below(kCount);
          Threads threads{2};
          update_instances(std::span(order).first(cut), dt, {Threads::run, &threads});
          update_instances(std::span(order).subspan(cut), dt);
        }) == alone);
#ifdef MARROW_TEST_TBB
  CHECK(play([](Crowd& crowd, double dt) { crowd.scene.update(dt, tbb_executor()); }) == alone);
  oneapi::tbb::task_arena arena(2);
  CHECK(play([&](Crowd& crowd, double dt) { crowd.scene.update(dt, tbb_executor(&arena)); }) == alone);
#endif
}

TEST_CASE("threads may update instances by themselves, one each, and read while none changes anything") {
  const Model model = test::make_character();
  Crowd crowd(model, 40), plain(model, 40);
  for (int frame = 0; frame < 10; ++frame) {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < crowd.instances.size(); i += 3) crowd.instances[i].update(0.02);
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::uint64_t read[2] = {};
    std::thread reader([&] { read[0] = crowd.hash(); });
    read[1] = crowd.hash();
    reader.join();
    CHECK(read[0] == read[1]);
    crowd.scene.refresh();
    plain.scene.update(0.02);
    CHECK(crowd.hash() == read[0]);
    CHECK(crowd.hash() == plain.hash());
  }
}

TEST_CASE("a time that is not finite changes nothing in a batch") {
  const Model model = test::make_character();
  Crowd crowd(model, 5);
  crowd.scene.update(0.1);
  const std::uint64_t before = crowd.hash();
  CHECK_FALSE(update_instances(crowd.instances, std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(crowd.scene.update(std::numeric_limits<double>::infinity()));
  CHECK(crowd.hash() == before);
  CHECK(update_instances({}, 0.1));
}

}  // namespace
}  // namespace marrow

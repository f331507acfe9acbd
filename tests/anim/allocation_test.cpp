// Steady state allocates nothing: counted in all of the program, which is why this is one of its own.
#include <doctest/doctest.h>

#include <vector>

#include "anim/random_clip.h"
#include "fixtures/humanoid.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "support/allocations.h"
#include "support/lanes.h"
#include "support/rounds.h"

namespace marrow {
namespace {

using test::allocations_in;

// Clips of a humanoid, between them of every kind of keys that there is.
struct Clips {
  Clips() {
    using enum Interpolation;
    for (const humanoid::Keys keys : {humanoid::Keys::dense, humanoid::Keys::own}) {
      for (const Interpolation interpolation : {step, linear, cubic_spline}) {
        clips.push_back(humanoid::make_clip(skeleton, {"walk", 4.0 / 3, 0.5, keys, interpolation, 1}));
      }
    }
    test::Random random(1);
    for (const double shared : {0.0, 0.5}) {
      test::Recipe recipe;
      recipe.shared = shared;
      recipe.present = 0.7;
      clips.push_back(test::good_clip(skeleton, test::random_tracks(random, skeleton, recipe)));
    }
  }
  Skeleton skeleton = humanoid::make_skeleton(11);
  Skin skin = humanoid::make_skin(skeleton);
  std::vector<Clip> clips;
};

TEST_CASE("the counter counts: objects, arrays, vectors, poses, clips") {
  const Clips scene;
  CHECK(allocations_in([] { ::operator delete(::operator new(4)); }) == 1);
  CHECK(allocations_in([] { ::operator delete[](::operator new[](4)); }) == 1);
  CHECK(allocations_in([] { std::vector<float>(100).at(3) = 1; }) == 1);
  CHECK(allocations_in([&] { const Pose pose(scene.skeleton); }) >= 1);
  CHECK(allocations_in([&] { const Cursor cursor(scene.clips[4]); }) >= 1);
  CHECK(allocations_in([&] { (void)humanoid::make_clip(scene.skeleton, {}); }) >= 100);
}

TEST_CASE("ten thousand frames of sampling, hierarchy and palette allocate nothing, for clips of any kind") {
  const Clips scene;
  test::on_every_lane_count([&] {
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
      CAPTURE(i);
      const Clip& clip = scene.clips[i];
      Cursor cursor(clip);
      Pose pose(scene.skeleton);
      std::vector<Affine> model(scene.skeleton.joint_count()), matrices(scene.skin.size());
      const std::size_t allocations = allocations_in([&] {
        double time = 0;
        for (int frame = 0; frame < test::rounds(10'000); ++frame) {
          // Forward at 60 frames a second, round and round, with a jump now and then.
          time += frame % 100 == 99 ? 0.77 : 1.0 / 60;
          if (time > clip.duration()) time -= clip.duration();
          sample(clip, time, cursor, pose);
          local_to_model(pose, model);
          palette(scene.skin, model, matrices);
        }
      });
      CHECK(allocations == 0);
    }
  });
}

TEST_CASE("single looks, parts of the hierarchy and poses in the caller's memory allocate nothing") {
  const Clips scene;
  alignas(Pose::kAlignment) static std::byte memory[16'384];
  REQUIRE(Pose::required_bytes(scene.skeleton) <= sizeof memory);
  std::vector<Affine> model(scene.skeleton.joint_count());
  Pose other(scene.skeleton);
  const std::size_t allocations = allocations_in([&] {
    for (int i = 0; i < 100; ++i) {
      Pose pose(scene.skeleton, memory);
      for (const Clip& clip : scene.clips) sample(clip, i * 0.01, pose);
      local_to_model(pose, model);
      local_to_model(pose, 3, model);
      other.copy_from(pose);
      pose.set_rest();
      const Pose moved(std::move(pose));
    }
  });
  CHECK(allocations == 0);
}

TEST_CASE("a cursor allocates only for a clip that needs more than those before it") {
  const Clips scene;
  Pose pose(scene.skeleton);
  Cursor cursor;
  for (const Clip& clip : scene.clips) sample(clip, 0.5, cursor, pose);
  CHECK(allocations_in([&] {
          for (int i = 0; i < 100; ++i) {
            for (const Clip& clip : scene.clips) sample(clip, i * 0.01, cursor, pose);
          }
        }) == 0);
}

}  // namespace
}  // namespace marrow

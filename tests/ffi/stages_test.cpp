// Pose stages through C: the bits of C++ on any threads, and what a stage may not do.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <set>
#include <thread>

#include "ffi/sway.h"
#include "ffi/world.h"
#include "marrow/gltf/reader.h"
#include "marrow/scene/scene.h"

namespace marrow {
namespace {

using namespace test;

// ---- Crowds ----------------------------------------------------------------------------------------------------

constexpr std::size_t kCount = 40;

// Two threads that take every other job.
void on_two_threads(void*, std::uint32_t count, void (*run)(void*, std::uint32_t), void* data) {
  const auto take = [&](std::uint32_t first) {
    for (std::uint32_t job = first; job < count; job += 2) run(data, job);
  };
  std::thread other(take, 1);
  take(0);
  other.join();
}

// Characters in C, each with a stage.
struct CCrowd {
  marrow_scene scene = 0;
  std::vector<marrow_instance> instances;
  std::vector<Sway> sways;

  CCrowd() {
    MARROW_REQUIRE_OK(marrow_scene_create(&scene));
    for (std::size_t i = 0; i < kCount; ++i) sways.push_back(sway(i));
    for (std::size_t i = 0; i < kCount; ++i) {
      marrow_instance instance = 0;
      marrow_mixer mixer = 0;
      MARROW_REQUIRE_OK(marrow_instance_create(scene, character(), nullptr, &instance));
      MARROW_REQUIRE_OK(marrow_instance_mixer(instance, &mixer));
      MARROW_REQUIRE_OK(marrow_mixer_play(mixer, 0, clip("walk"), nullptr, nullptr));
      MARROW_REQUIRE_OK(marrow_instance_advance(instance, 0.01 * static_cast<double>(i)));
      (void)add_sway(instance, sways[i]);
      instances.push_back(instance);
    }
  }
  ~CCrowd() { marrow_scene_destroy(scene); }
  CCrowd(const CCrowd&) = delete;
  CCrowd& operator=(const CCrowd&) = delete;
};

struct CppCrowd {
  Model model = load_model(asset("character.glb"))->model;
  Scene scene;
  std::vector<Instance> instances;
  std::vector<Sway> sways;

  CppCrowd() {
    for (std::size_t i = 0; i < kCount; ++i) sways.push_back(sway(i));
    for (std::size_t i = 0; i < kCount; ++i) {
      instances.push_back(scene.instantiate(model));
      instances[i].mixer().play(model.clips()[clip("walk")]);
      instances[i].advance(0.01 * static_cast<double>(i));
      REQUIRE(instances[i].add_stage({"sway", 3, kSwayBytes, sway_in_cpp, &sways[i]}));
    }
  }
};

TEST_CASE("a stage through C has the bits of that through C++, alone and in a batch on two threads") {
  CppCrowd cpp;
  CCrowd alone, batch, scene;
  const marrow_executor threads = {on_two_threads, nullptr};
  for (int frame = 0; frame < 30; ++frame) {
    const double dt = frame % 10 == 9 ? 0 : 1.0 / 60;
    for (const Instance& each : cpp.instances) each.update(dt);
    for (const marrow_instance each : alone.instances) MARROW_REQUIRE_OK(marrow_instance_update(each, dt));
    MARROW_REQUIRE_OK(marrow_update_instances(batch.instances.data(), kCount, dt, &threads));
    MARROW_REQUIRE_OK(marrow_scene_update(scene.scene, dt, &threads));
  }
  const std::vector<float> before = results(Life().hero);
  std::set<std::thread::id> used;
  for (std::size_t i = 0; i < kCount; ++i) {
    CAPTURE(i);
    const std::vector<float> expected = results(cpp.instances[i]);
    CHECK_FALSE(same(expected, before));
    CHECK(same(results(alone.instances[i]), expected));
    CHECK(same(results(batch.instances[i]), expected));
    CHECK(same(results(scene.instances[i]), expected));
    for (const Sway* each : {&alone.sways[i], &batch.sways[i], &scene.sways[i]}) CHECK(each->status == MARROW_OK);
    CHECK(alone.sways[i].thread == std::this_thread::get_id());
    used.insert(batch.sways[i].thread);
  }
  CHECK(used.size() > 1);
}

// ---- What a stage may do ---------------------------------------------------------------------------------------

TEST_CASE("a stage without a name or function, or with too much state, is an error and not added") {
  Life life;
  const auto nothing = [](void*, marrow_pose_edit*) { return std::uint32_t{MARROW_STAGE_UNCHANGED}; };
  const marrow_pose_stage good = {sizeof good, 1, 1 << 20, "good", nothing, nullptr};
  std::uint32_t number = 77;
  const auto check_fails = [&](marrow_status status, const auto& change) {
    marrow_pose_stage stage = good;
    change(stage);
    CHECK(marrow_instance_add_stage(life.hero, &stage, &number) == status);
  };
  check_fails(MARROW_ERROR_NULL_POINTER, [](marrow_pose_stage& stage) { stage.name = nullptr; });
  check_fails(MARROW_ERROR_NULL_POINTER, [](marrow_pose_stage& stage) { stage.run = nullptr; });
  check_fails(MARROW_ERROR_INVALID_ARGUMENT, [](marrow_pose_stage& stage) { stage.name = "look\xff"; });
  check_fails(MARROW_ERROR_INVALID_ARGUMENT, [](marrow_pose_stage& stage) { stage.name = ""; });
  check_fails(MARROW_ERROR_LIMIT_EXCEEDED, [](marrow_pose_stage& stage) { ++stage.state_bytes; });
  check_fails(MARROW_ERROR_LIMIT_EXCEEDED,
              [](marrow_pose_stage& stage) { stage.state_bytes += std::uint64_t{1} << 32; });
  check_fails(MARROW_ERROR_LIMIT_EXCEEDED, [](marrow_pose_stage& stage) { stage.state_bytes = ~std::uint64_t{0}; });
  CHECK(number == 77);
  CHECK(stage_count(life.hero) == 0);
  MARROW_REQUIRE_OK(marrow_instance_add_stage(life.hero, &good, &number));
  CHECK(stage_count(life.hero) == 1);
}

TEST_CASE("a stage is removed once, and its number is not used again") {
  Life life;
  Sway own = sway(0);
  std::set<std::uint32_t> numbers;
  for (int i = 0; i < 10; ++i) {
    const std::uint32_t number = add_sway(life.hero, own);
    CHECK(numbers.insert(number).second);
    MARROW_REQUIRE_OK(marrow_instance_remove_stage(life.hero, number));
    CHECK(marrow_instance_remove_stage(life.hero, number) == MARROW_ERROR_NOT_FOUND);
  }
  CHECK(marrow_instance_remove_stage(life.hero, 0) == MARROW_ERROR_NOT_FOUND);
  own.thread = {};
  MARROW_REQUIRE_OK(marrow_instance_update(life.hero, 0.1));
  CHECK(own.thread == std::thread::id{});
}

TEST_CASE("a transform that cannot be is reported to the stage, and leaves the pose as it is") {
  World w;
  const std::vector<marrow_affine> before = palette(w.life.hero);
  const auto set = [&](const auto& change) {
    marrow_transform after;
    marrow_status status = -1;
    MARROW_REQUIRE_OK(w.in_stage([&](marrow_pose_edit* edit) {
      marrow_transform local;
      if (const marrow_status got = marrow_pose_edit_local(edit, 4, &local); got != MARROW_OK) return got;
      change(local);
      status = marrow_pose_edit_set_local(edit, 4, &local);
      return marrow_pose_edit_local(edit, 4, &after);
    }));
    return std::pair(status, after);
  };
  CHECK(set([](marrow_transform& t) { t.translation[1] = NAN; }).first == MARROW_ERROR_NOT_FINITE);
  CHECK(set([](marrow_transform& t) { t.rotation[3] = INFINITY; }).first == MARROW_ERROR_NOT_FINITE);
  CHECK(set([](marrow_transform& t) { t.scale[0] = -2e18f; }).first == MARROW_ERROR_NOT_FINITE);
  CHECK(set([](marrow_transform& t) { std::memset(t.rotation, 0, sizeof t.rotation); }).first ==
        MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(std::memcmp(palette(w.life.hero).data(), before.data(), before.size() * sizeof before[0]) == 0);
  const auto [status, after] = set([](marrow_transform& t) {
    const float twice[] = {0, 2, 0, 0};
    std::memcpy(t.rotation, twice, sizeof twice);
  });
  CHECK(status == MARROW_OK);
  CHECK(after.rotation[1] == 1);
  CHECK(std::memcmp(palette(w.life.hero).data(), before.data(), before.size() * sizeof before[0]) != 0);
}

TEST_CASE("morph weights that are not finite, or of another number, are reported to the stage") {
  World w;
  const std::uint32_t face = face_joint();
  std::vector<float> before, after;
  std::uint64_t count = 0;
  marrow_status infinite = -1, too_many = -1, none = -1;
  MARROW_REQUIRE_OK(w.in_stage([&](marrow_pose_edit* edit) {
    (void)marrow_pose_edit_morphs(edit, face, nullptr, 0, &count);
    before.resize(count);
    after.resize(count);
    marrow_status status = marrow_pose_edit_morphs(edit, face, before.data(), count, nullptr);
    std::vector<float> wrong(count + 1);
    too_many = marrow_pose_edit_set_morphs(edit, face, wrong.data(), count + 1);
    none = marrow_pose_edit_set_morphs(edit, 0, nullptr, 0);
    wrong[count - 1] = NAN;
    infinite = marrow_pose_edit_set_morphs(edit, face, wrong.data(), count);
    status |= marrow_pose_edit_morphs(edit, face, after.data(), count, nullptr);
    return status;
  }));
  CHECK(infinite == MARROW_ERROR_NOT_FINITE);
  CHECK(too_many == MARROW_ERROR_SIZE_MISMATCH);
  CHECK(none == MARROW_OK);
  CHECK(same(before, after));
}

TEST_CASE("an edit is dead after its call and on other threads, and alive around that of another scene") {
  World w;
  marrow_pose_edit* kept = nullptr;
  double seconds = -1;
  marrow_status elsewhere = -1, inner = -1, outer_in_inner = -1;
  MARROW_REQUIRE_OK(w.in_stage([&](marrow_pose_edit* edit) {
    kept = edit;
    std::thread([&] { elsewhere = marrow_pose_edit_dt(edit, &seconds); }).join();
    struct Inner {
      marrow_pose_edit* outer;
      marrow_status* status;
    } context = {edit, &outer_in_inner};
    const marrow_pose_stage stage = {sizeof stage,
                                     1,
                                     0,
                                     "inner",
                                     [](void* data, marrow_pose_edit*) {
                                       const Inner& self = *static_cast<const Inner*>(data);
                                       double dt = 0;
                                       *self.status = marrow_pose_edit_dt(self.outer, &dt);
                                       return std::uint32_t{MARROW_STAGE_UNCHANGED};
                                     },
                                     &context};
    std::uint32_t number = 0;
    inner = marrow_instance_add_stage(w.other.hero, &stage, &number);
    inner |= marrow_instance_update(w.other.hero, 0.1);
    inner |= marrow_instance_remove_stage(w.other.hero, number);
    return marrow_pose_edit_dt(edit, &seconds);
  }));
  CHECK(elsewhere == MARROW_ERROR_DEAD_HANDLE);
  CHECK(inner == MARROW_OK);
  CHECK(outer_in_inner == MARROW_OK);
  CHECK(seconds == 0);
  seconds = 5;
  CHECK(marrow_pose_edit_dt(kept, &seconds) == MARROW_ERROR_DEAD_HANDLE);
  CHECK(seconds == 5);
}

TEST_CASE("a scene is busy in every function that runs its stages, and not after") {
  World w;
  const marrow_executor executor = {on_two_threads, nullptr};
  std::vector<marrow_status> statuses;
  w.visit = [&](marrow_pose_edit*) {
    statuses.push_back(marrow_scene_destroy(w.life.scene));
    statuses.push_back(marrow_instance_remove_stage(w.life.hero, w.stage));
  };
  const auto check_busy = [&](marrow_status status) {
    CHECK(status == MARROW_OK);
    CHECK(statuses == std::vector<marrow_status>(2, MARROW_ERROR_BUSY));
    statuses.clear();
    CHECK(stage_count(w.life.hero) == 1);
  };
  check_busy(marrow_scene_update(w.life.scene, 0.1, nullptr));
  check_busy(marrow_scene_update(w.life.scene, 0.1, &executor));
  check_busy(marrow_update_instances(&w.life.hero, 1, 0.1, nullptr));
  check_busy(marrow_update_instances(&w.life.hero, 1, 0.1, &executor));
  check_busy(marrow_instance_update(w.life.hero, 0.1));
  check_busy(marrow_instance_finish(w.life.hero));
  MARROW_REQUIRE_OK(marrow_instance_touch(w.life.hero));
  check_busy(marrow_scene_refresh(w.life.scene));
  w.visit = nullptr;
  MARROW_REQUIRE_OK(marrow_instance_remove_stage(w.life.hero, w.stage));
}

TEST_CASE("touch runs the stages again, and a stage alone makes an instance move with its scene") {
  marrow_scene scene = 0;
  marrow_instance thing = 0;
  MARROW_REQUIRE_OK(marrow_scene_create(&scene));
  MARROW_REQUIRE_OK(marrow_instance_create(scene, character(), nullptr, &thing));
  struct Lift {
    float height = 1;
    double dt_s = -1;
    int runs = 0;
  } lift;
  const marrow_pose_stage stage = {sizeof stage,
                                   1,
                                   0,
                                   "lift",
                                   [](void* context, marrow_pose_edit* edit) {
                                     Lift& self = *static_cast<Lift*>(context);
                                     marrow_transform local;
                                     ++self.runs;
                                     marrow_pose_edit_dt(edit, &self.dt_s);
                                     marrow_pose_edit_local(edit, 0, &local);
                                     local.translation[2] = self.height;
                                     marrow_pose_edit_set_local(edit, 0, &local);
                                     return std::uint32_t{MARROW_STAGE_CHANGED};
                                   },
                                   &lift};
  std::uint32_t number = 0;
  const auto height = [&] {
    marrow_affine matrices[kJoints];
    MARROW_REQUIRE_OK(marrow_instance_joint_matrices(thing, matrices, kJoints, nullptr));
    return matrices[0].m[11];
  };
  MARROW_REQUIRE_OK(marrow_instance_add_stage(thing, &stage, &number));
  MARROW_REQUIRE_OK(marrow_scene_update(scene, 0.25, nullptr));
  CHECK(lift.dt_s == 0.25);
  CHECK(height() == 1);
  lift.height = 3;
  const int runs = lift.runs;
  MARROW_REQUIRE_OK(marrow_scene_refresh(scene));
  CHECK(lift.runs == runs);
  MARROW_REQUIRE_OK(marrow_instance_touch(thing));
  MARROW_REQUIRE_OK(marrow_scene_refresh(scene));
  CHECK(lift.runs == runs + 1);
  CHECK(lift.dt_s == 0);
  CHECK(height() == 3);
  MARROW_REQUIRE_OK(marrow_scene_destroy(scene));
}

}  // namespace
}  // namespace marrow

// Stages and animators in threads whose floating-point state is not the default.
#include "support/float_state.h"

#include <doctest/doctest.h>

#include <vector>

#include "marrow/scene/scene.h"
#include "scene/affine_difference.h"
#include "scene/character.h"

#ifdef MARROW_TEST_FLOAT_STATES

namespace marrow {
namespace {

// The place of a joint depends on the rounding direction and on denormals.
Vec3 sensitive_place() {
  volatile float sum = 0, tiny = 1e-20f;
  for (int i = 1; i <= 50; ++i) sum = sum + 1.0f / static_cast<float>(i);
  return {sum, tiny * tiny, 1};
}

// An animator and a stage. They record the state that they are called in.
struct Probe {
  std::vector<test::FloatState> seen;
  double time_s = 0;

  static bool advance(void* self, double dt_s) {
    auto& probe = *static_cast<Probe*>(self);
    probe.seen.push_back(test::get_float_state());
    probe.time_s += dt_s;
    return true;
  }
  static void evaluate(void* self, MixScratch&, Pose& out) {
    auto& probe = *static_cast<Probe*>(self);
    probe.seen.push_back(test::get_float_state());
    out.set_rest();
    out.set_transform(1, {sensitive_place(), {}, {1, 1, static_cast<float>(probe.time_s)}});
  }
  static StageResult run(void* self, PoseEdit& edit) {
    auto& probe = *static_cast<Probe*>(self);
    probe.seen.push_back(test::get_float_state());
    edit.set_local(2, {sensitive_place(), {}, {1, 1, static_cast<float>(1 + edit.dt_s())}});
    return StageResult::changed;
  }
  static inline const AnimatorFunctions kFunctions = [] {
    AnimatorFunctions f;
    f.name = "probe";
    f.advance = advance;
    f.evaluate = evaluate;
    return f;
  }();
};

// An executor whose thread is in another state than that of the caller.
void run_in_state(void* state, const Work& work) {
  test::run_under(*static_cast<test::FloatState*>(state), [&] {
    for (std::uint32_t job = 0; job < work.count; ++job) work.run(work.data, job);
  });
}

// Finishes an instance in each of the ways that there are. Returns the matrices after each.
std::vector<Affine> finish_in_each_way(Probe& probe, test::FloatState state, test::FloatState job_state) {
  const Model model = test::make_character();
  Scene scene;
  const Instance hero = scene.instantiate(model);
  hero.set_animator({&Probe::kFunctions, &probe});
  REQUIRE(hero.add_stage({"probe", 1, 0, Probe::run, &probe}));
  std::vector<Affine> matrices;
  for (int way = 0; way < 5; ++way) {
    const test::FloatState after = test::run_under(state, [&] {
      switch (way) {
        case 0:
          hero.advance(0.1);
          hero.advance(0.2);
          hero.evaluate();
          return hero.finish();
        case 1: hero.update(0.1); return;
        case 2: hero.touch(); return static_cast<void>(scene.refresh());
        case 3: update_instances(scene.instances(), 0.1); return;
        default: scene.update(0.1, {run_in_state, &job_state});
      }
    });
    CHECK(after == state);
    matrices.insert(matrices.end(), hero.palettes().begin(), hero.palettes().end());
  }
  return matrices;
}

TEST_CASE("stages and animators give the same bits whatever floating-point state the host and its threads are in") {
  const test::FloatState plain = test::get_float_state();
  Probe expected;
  const std::vector<Affine> matrices = finish_in_each_way(expected, plain, plain);
  for (const test::FloatState state : test::kHostStates) {
    for (const test::FloatState job_state : {plain, state}) {
      CAPTURE(state);
      CAPTURE(job_state);
      Probe probe;
      CHECK(test::difference(finish_in_each_way(probe, state, job_state), matrices) == "");
      CHECK(probe.seen == expected.seen);
      CHECK(probe.seen == std::vector<test::FloatState>(probe.seen.size(), plain));
    }
  }
  CHECK(expected.seen.size() >= 14);
}

}  // namespace
}  // namespace marrow

#endif

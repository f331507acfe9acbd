#include "marrow/skin/influences.h"

#include <doctest/doctest.h>

#include <limits>

#include "fixtures/random.h"

namespace marrow {
namespace {

TEST_CASE("weights are divided by their sum, and what needed it is told") {
  std::vector<float> weights = {2, 2, 0.25f, 0.75f, 0, 0, -1, 3};
  const WeightReport report = normalize_weights(weights, 2);
  CHECK(weights == std::vector<float>{0.5f, 0.5f, 0.25f, 0.75f, 1, 0, 0, 1});
  CHECK(report.off == 2);
  CHECK(report.zero == 1);
  CHECK(report.negative == 1);
  CHECK(report.worst_sum == 4);
}

TEST_CASE("weights that are not finite count as zero, and tiny ones still sum to 1") {
  const float bad = std::numeric_limits<float>::quiet_NaN(), tiny = std::numeric_limits<float>::denorm_min();
  std::vector<float> weights = {bad, 1, tiny, tiny};
  const WeightReport report = normalize_weights(weights, 2);
  CHECK(weights == std::vector<float>{0, 1, 0.5f, 0.5f});
  CHECK(report.negative == 1);
}

TEST_CASE("the best four are kept, largest first, and sum to 1 again") {
  const std::vector<std::uint16_t> joints = {1, 2, 3, 4, 5, 6};
  const std::vector<float> weights = {0.1f, 0.3f, 0.05f, 0.2f, 0.05f, 0.3f};
  const Influences four = reduce_influences(joints, weights, 6);
  CHECK(four.joints == std::vector<std::uint16_t>{2, 6, 4, 1});  // of equal ones the first comes first
  CHECK(four.weights[0] == doctest::Approx(0.3 / 0.9));
  CHECK(four.weights[3] == doctest::Approx(0.1 / 0.9));
  const Influences wide = reduce_influences(std::span(joints).first(1), std::span(weights).first(1), 1);
  CHECK(wide.joints == std::vector<std::uint16_t>{1, 0, 0, 0});
  CHECK(wide.weights == std::vector<float>{1, 0, 0, 0});
}

TEST_CASE("what is kept is never less than what is dropped") {
  test::Random random(11);
  std::vector<std::uint16_t> joints(8 * 100);
  std::vector<float> weights(8 * 100);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i] = static_cast<std::uint16_t>(i);
    weights[i] = random.rangef(0, 1);
  }
  normalize_weights(weights, 8);
  const Influences four = reduce_influences(joints, weights, 8);
  for (std::size_t v = 0; v < 100; ++v) {
    float least = 2, sum = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::uint16_t joint = four.joints[v * 4 + k];
      CHECK(joint / 8 == v);
      least = std::min(least, weights[joint]);
      sum += four.weights[v * 4 + k];
    }
    CHECK(sum == doctest::Approx(1));
    std::size_t larger = 0;
    for (std::size_t k = 0; k < 8; ++k) larger += weights[v * 8 + k] >= least ? 1u : 0u;
    CHECK(larger == 4);
  }
}

}  // namespace
}  // namespace marrow

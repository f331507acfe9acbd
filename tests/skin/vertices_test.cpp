#include "marrow/skin/vertices.h"

#include <doctest/doctest.h>

#include <limits>

namespace marrow {
namespace {

Vertices two_vertices() {
  Vertices v;
  v.positions = {{0, 0, 0}, {1, 0, 0}};
  v.normals = {{0, 0, 1}, {0, 0, 1}};
  v.tangents = {{1, 0, 0, 1}, {1, 0, 0, 1}};
  v.uvs = {{{0, 0}, {1, 0}}};
  v.colors = {{1, 1, 1, 1}, {1, 1, 1, 1}};
  v.influences = 2;
  v.joints = {0, 1, 2, 300};
  v.weights = {0.5f, 0.5f, 1, 0};
  v.targets.resize(1);
  v.targets[0].positions = {{0, 0, 0}, {0, 0, 1}};
  return v;
}

std::string check_error_with(void (*change)(Vertices&)) {
  Vertices v = two_vertices();
  change(v);
  const Result<void> checked = check_vertices(v);
  return checked ? "" : to_string(checked.error());
}

TEST_CASE("good vertices pass, and arrays that are empty do not matter") {
  CHECK(check_error_with([](Vertices&) {}) == "");
  CHECK(check_error_with([](Vertices& v) { v.normals.clear(), v.uvs.clear(), v.targets.clear(); }) == "");
  CHECK(check_vertices(Vertices()).ok());
}

TEST_CASE("lengths that do not agree and numbers that are not finite are refused by name") {
  CHECK(check_error_with([](Vertices& v) { v.normals.pop_back(); }) == "normals: there are 2 positions but 1 normals");
  CHECK(check_error_with([](Vertices& v) { v.uvs[0].push_back({}); }) == "uvs/0: there are 2 positions but 3 uvs/0");
  CHECK(check_error_with([](Vertices& v) { v.targets[0].tangents.resize(1); }).starts_with("targets/0/tangents: "));
  CHECK(
      check_error_with([](Vertices& v) { v.weights.pop_back(); }).starts_with("weights: 2 vertices with 2 influences"));
  CHECK(check_error_with([](Vertices& v) { v.positions[1].y = std::numeric_limits<float>::quiet_NaN(); }) ==
        "positions/1: a value is not finite or beyond 1e18");
  CHECK(check_error_with([](Vertices& v) { v.tangents[1].w = 1e20f; }) ==
        "tangents/1: a value is not finite or beyond 1e18");
  CHECK(check_error_with([](Vertices& v) { v.weights[0] = -0.5f; }) == "weights/0: a weight is negative or not finite");
  CHECK(check_error_with([](Vertices& v) {
          v.weights[2] = 0.5f;
        }).starts_with("weights/1: the weights of a vertex sum to 0.5"));
}

TEST_CASE("the largest joint is that of a weight above zero") {
  Vertices v = two_vertices();
  CHECK(largest_joint(v) == 2);
  v.weights = {0.5f, 0.5f, 0, 1};
  CHECK(largest_joint(v) == 300);
  CHECK(largest_joint(Vertices()) == 0);
}

}  // namespace
}  // namespace marrow

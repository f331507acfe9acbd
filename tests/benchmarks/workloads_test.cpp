#include "workloads.h"

#include <doctest/doctest.h>

#include <string>

#include "fixtures/humanoid.h"

namespace marrow {
namespace {

// Runs all workloads of a subject and returns their names.
std::string names_of_run(bench::Subject subject) {
  std::string names;
  for (const bench::Workload& work : bench::make_workloads(std::move(subject))) {
    work.run(2);
    names += (names.empty() ? "" : " ") + work.name;
  }
  return names;
}

constexpr const char* kAll =
    "sample sample_sparse seek blend2 blend3 model palette character crossfade crowd1000 crowd10000 skin skin_3x3 "
    "skin_dual load snapshot";

// A model whose file is never read.
struct Reading {
  int* count;
  Result<LoadedModel> operator()() const {
    ++*count;
    return LoadedModel{};
  }
};

ModelParts humanoid_parts(std::size_t clips, std::size_t skins) {
  ModelParts parts;
  parts.skeleton = humanoid::make_skeleton();
  for (std::size_t i = 0; i < clips; ++i) parts.clips.push_back(humanoid::make_clip(parts.skeleton, {}));
  for (std::size_t i = 0; i < skins; ++i) parts.skins.push_back(humanoid::make_skin(parts.skeleton));
  for (std::uint32_t i = 0; i < parts.skeleton.joint_count(); ++i) {
    ModelNode node;
    node.parent = parts.skeleton.parent(i);
    node.joint = static_cast<std::int32_t>(i);
    parts.nodes.push_back(node);
  }
  return parts;
}

std::string names_of_run(ModelParts parts) {
  int read = 0;
  const Result<Model> model = Model::create(std::move(parts));
  REQUIRE_MESSAGE(model.ok(), to_string(model.error()));
  std::string names = names_of_run(bench::model_subject(*model, Reading{&read}));
  CHECK(read == 2);
  return names;
}

TEST_CASE("the humanoid has all workloads") { CHECK(names_of_run(bench::humanoid_subject()) == kAll); }

TEST_CASE("a model has all workloads, also with one clip, or with several skins") {
  CHECK(names_of_run(humanoid_parts(4, 1)) == kAll);
  CHECK(names_of_run(humanoid_parts(1, 1)) == kAll);
  CHECK(names_of_run(humanoid_parts(2, 3)) == kAll);
}

TEST_CASE("workloads that a model has nothing for are left out") {
  CHECK(names_of_run(humanoid_parts(0, 1)) == "model palette skin skin_3x3 skin_dual load");
  CHECK(names_of_run(humanoid_parts(2, 0)) == "sample sample_sparse seek blend2 blend3 model load snapshot");
  CHECK(names_of_run(ModelParts{}) == "load");
}

}  // namespace
}  // namespace marrow

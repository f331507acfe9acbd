#include <doctest/doctest.h>

#include "export/model_builder.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/export/exported.h"
#include "marrow/math/quat.h"

namespace marrow {
namespace {

using test::ModelBuilder;
using test::moved;
using test::translation;

constexpr Quat kQuarterAboutZ{0, 0, 0.70710678f, 0.70710678f};

std::vector<std::string> names_of(const ExportedBones& list) {
  std::vector<std::string> names;
  for (const ExportedBone& bone : list.bones) names.push_back(bone.name);
  return names;
}

// Checks that the walk over a list at rest gives each bone the matrix that its joint has.
void check_rest(const Model& model, const ExportedBones& list) {
  std::vector<Affine> joints(model.skeleton().joint_count()), local, bones(list.bones.size());
  const Pose rest(model.skeleton());
  local_to_model(rest, joints);
  for (const ExportedBone& bone : list.bones) local.push_back(bone.rest);
  exported_to_model(list.bones, local, bones);
  for (std::size_t b = 0; b < bones.size(); ++b) {
    CHECK(list.bones[b].parent < static_cast<std::int32_t>(b));
    for (int i = 0; i < 12; ++i) {
      CAPTURE(list.bones[b].name);
      CHECK((&bones[b].m[0][0])[i] == doctest::Approx((&joints[list.bones[b].joint].m[0][0])[i]).epsilon(1e-5));
    }
  }
}

// An armature, turned and moved, with a hip, a node that is no joint, a leg below it, and a sword that nobody needs.
ModelBuilder armature() {
  ModelBuilder builder;
  builder.joint("scene", -1, moved(0, 0, 3));
  builder.joint("armature", 0, {{1, 2, 3}, kQuarterAboutZ, {2, 2, 2}});
  builder.joint("hip", 1, moved(0, 0, 1));
  builder.joint("between", 2, moved(0, 1, 0));
  builder.joint("leg", 3, {{0, 0, -1}, kQuarterAboutZ, {1, 1, 1}});
  builder.joint("sword", 4, moved(9, 9, 9));
  builder.skin({4, 2}, {translation(0, 0, 5), translation(0, 0, 7)});
  return builder;
}

TEST_CASE("joints and what lies between them are bones, what stands still above is in the roots") {
  const Model model = armature().build();
  const Result<ExportedBones> list = export_bones(model);
  REQUIRE(list);
  CHECK(names_of(*list) == std::vector<std::string>{"hip", "between", "leg"});
  CHECK(list->bones[0].parent == -1);
  CHECK(list->bones[1].parent == 0);
  CHECK(list->bones[2].parent == 1);
  CHECK(list->bones[0].inverse_bind.m[2][3] == 7);
  CHECK(list->bones[2].inverse_bind.m[2][3] == 5);
  CHECK(list->bones[2].node == 4);
  check_rest(model, *list);
}

TEST_CASE("a joint that a clip moves above the skin is a bone, one that it holds at rest is not") {
  ModelBuilder builder = armature();
  SUBCASE("moved") {
    builder.clip("a", {{0, Property::translation, Interpolation::linear, {0, 1}, {0, 0, 3, 0, 0, 4}}});
    const Model model = builder.build();
    const Result<ExportedBones> list = export_bones(model);
    CHECK(names_of(*list) == std::vector<std::string>{"scene", "armature", "hip", "between", "leg"});
    check_rest(model, *list);
  }
  SUBCASE("held elsewhere") {
    builder.clip("a", {{1, Property::translation, Interpolation::linear, {0}, {1, 2, 4}}});
    CHECK(names_of(*export_bones(builder.build())).front() == "armature");
  }
  SUBCASE("held at rest") {
    builder.clip("a", {{1, Property::translation, Interpolation::linear, {0, 1}, {1, 2, 3, 1, 2, 3}}});
    CHECK(names_of(*export_bones(builder.build())).front() == "hip");
  }
}

TEST_CASE("where what stands still would shear a root, it is a bone") {
  ModelBuilder builder = armature();
  builder.at(1).rest.scale = {2, 2, 3};
  const Model model = builder.build();
  const Result<ExportedBones> list = export_bones(model);
  CHECK(names_of(*list) == std::vector<std::string>{"scene", "armature", "hip", "between", "leg"});
  check_rest(model, *list);

  // A mirror makes no shear.
  builder = armature();
  builder.at(1).rest.scale = {2, -2, 2};
  const Model mirrored = builder.build();
  const Result<ExportedBones> folded = export_bones(mirrored);
  CHECK(names_of(*folded).front() == "hip");
  check_rest(mirrored, *folded);
}

TEST_CASE("a joint that comes twice in a skin is one bone, and a second one where it is bound another way") {
  ModelBuilder builder;
  builder.joint("a", -1);
  builder.joint("b", 0, moved(1, 0, 0));
  SUBCASE("bound the same") {
    builder.skin({0, 1, 1}, {translation(1, 0, 0), translation(2, 0, 0), translation(2, 0, 0)});
    builder.at(0).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2});
    builder.at(0).skin = 0;
    CHECK(names_of(*export_bones(builder.build())) == std::vector<std::string>{"a", "b"});
  }
  SUBCASE("bound differently, and used") {
    builder.skin({0, 1, 1}, {translation(1, 0, 0), translation(2, 0, 0), translation(5, 0, 0)});
    builder.at(0).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2});
    builder.at(0).skin = 0;
    const Model model = builder.build();
    const Result<ExportedBones> list = export_bones(model);
    CHECK(names_of(*list) == std::vector<std::string>{"a", "b", "b (2)"});
    CHECK(list->bones[2].parent == 1);
    CHECK(list->bones[2].copy);
    CHECK(list->bones[2].inverse_bind.m[0][3] == 5);
    check_rest(model, *list);
  }
  SUBCASE("bound differently, and not used") {
    builder.skin({0, 1, 1}, {translation(1, 0, 0), translation(2, 0, 0), translation(5, 0, 0)});
    builder.at(0).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 1});
    builder.at(0).skin = 0;
    CHECK(names_of(*export_bones(builder.build())) == std::vector<std::string>{"a", "b"});
  }
}

TEST_CASE("one skin can be had alone") {
  ModelBuilder builder;
  builder.joint("root", -1);
  builder.joint("a", 0, moved(1, 0, 0));
  builder.joint("b", 0, moved(0, 1, 0));
  builder.skin({1});
  builder.skin({2});
  const Model model = builder.build();
  CHECK(names_of(*export_bones(model)) == std::vector<std::string>{"a", "b"});
  CHECK(names_of(*export_bones(model, {.skin = 1})) == std::vector<std::string>{"b"});
  const Result<ExportedBones> none = export_bones(model, {.skin = 2});
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "there is no skin 2; the model has 2");
}

TEST_CASE("256 bones are exported, 257 are refused with what to do") {
  // The last would take half a minute if it were refused only in the end.
  for (const std::uint32_t count : {256u, 257u, 100000u}) {
    ModelBuilder builder;
    std::vector<std::uint32_t> joints;
    for (std::uint32_t i = 0; i < count; ++i) {
      joints.push_back(builder.joint("j" + std::to_string(i), static_cast<std::int32_t>(i) - 1));
    }
    builder.skin(joints);
    const Result<ExportedBones> list = export_bones(builder.build());
    CHECK(list.ok() == (count == 256));
    if (list.ok()) continue;
    CHECK(list.error().code == ErrorCode::limit_exceeded);
    CHECK(list.error().message == "the model has " + std::to_string(count) +
                                      " bones, more than the 256 that a byte counts: take joints that no vertex needs "
                                      "out of the skins");
  }
}

TEST_CASE("a joint that skins bind in more ways than there can be bones is refused") {
  ModelBuilder builder;
  builder.joint("a", -1);
  std::vector<Affine> binds;
  for (int i = 0; i < 20000; ++i) binds.push_back(translation(static_cast<float>(i), 0, 0));
  builder.skin(std::vector<std::uint32_t>(binds.size(), 0), binds);
  auto vertices = std::make_shared<Vertices>();
  vertices->positions.resize(binds.size());
  vertices->influences = 1;
  vertices->weights.assign(binds.size(), 1.0f);
  for (std::size_t i = 0; i < binds.size(); ++i) vertices->joints.push_back(static_cast<std::uint16_t>(i));
  builder.at(0).mesh = builder.mesh(vertices, {0, 1, 2});
  builder.at(0).skin = 0;
  const Result<ExportedBones> list = export_bones(builder.build());
  REQUIRE_FALSE(list);
  CHECK(list.error().code == ErrorCode::limit_exceeded);
  // It is not looked for how many there would be: that takes the longer the more there are.
  CHECK(list.error().message.starts_with("the model has 257 bones or more, more than the 256 that a byte counts: "));
}

TEST_CASE("a model of nothing, and a skin of nothing, have no bones") {
  CHECK(export_bones(Model())->bones.empty());
  ModelBuilder builder;
  builder.joint("a", -1);
  builder.skin({});
  builder.at(0).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  builder.at(0).skin = 0;
  const Model model = builder.build();
  CHECK(export_bones(model)->bones.empty());
  const Result<ExportedMesh> mesh = export_mesh(model);
  REQUIRE(mesh);
  CHECK(mesh->flags == 0);
}

TEST_CASE("matrices that end in infinity are refused") {
  ModelBuilder builder;
  builder.joint("a", -1, moved(1e17f, 0, 0));
  builder.joint("b", 0, {{1e17f, 0, 0}, {}, {1e17f, 1e17f, 1e17f}});
  builder.joint("c", 1, {{1e17f, 0, 0}, {}, {1e17f, 1e17f, 1e17f}});
  builder.joint("d", 2, {{1e17f, 0, 0}, {}, {1e17f, 1e17f, 1e17f}});
  builder.skin({3});
  const Result<ExportedBones> list = export_bones(builder.build());
  REQUIRE_FALSE(list);
  CHECK(list.error().code == ErrorCode::not_finite);
}

TEST_CASE("bones without a skin of their own are bound where they rest") {
  const Model model = armature().build();
  const Result<ExportedBones> list = export_bones(model);
  std::vector<Affine> joints(model.skeleton().joint_count());
  const Pose rest(model.skeleton());
  local_to_model(rest, joints);
  const Affine product = multiply(joints[3], list->bones[1].inverse_bind);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      CHECK(product.m[row][column] == doctest::Approx(row == column ? 1 : 0).epsilon(1e-5));
    }
  }
}

TEST_CASE("a model without skins has bones where clips move what shows, if that is asked for") {
  ModelBuilder builder;
  builder.joint("mill", -1);
  builder.joint("blades", 0, moved(0, 0, 2));
  builder.joint("cloud", 0);
  builder.clip("turn", {{1, Property::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0, 1, 0}},
                        {2, Property::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0}}});
  builder.at(1).mesh = builder.triangle({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
  const Model model = builder.build();
  CHECK(export_bones(model)->bones.empty());
  CHECK(names_of(*export_bones(model, {.skin = {}, .rigid = true})) == std::vector<std::string>{"blades"});
}

}  // namespace
}  // namespace marrow

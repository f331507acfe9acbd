// The built-in character: that it is what the generator makes, and that its skin is sound at rest and in motion.
#include "maker/character.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "built_in_file.h"
#include "maker/solid.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/quat.h"
#include "marrow/skin/skinning.h"
#include "tools/built_in_character.h"

namespace marrow {
namespace {

using test::built_in_character;

const MeshPart& body() { return built_in_character().meshes()[0].parts[0]; }

std::uint32_t joint(const char* name) { return built_in_character().skeleton().joint(name).value(); }

// The body as it is in a pose.
std::vector<Vec3> skinned(const Pose& pose) {
  const Model& model = built_in_character();
  std::vector<Affine> joints(model.skeleton().joint_count()), matrices(model.skins()[0].size());
  local_to_model(pose, joints);
  palette(model.skins()[0], joints, matrices);
  std::vector<Vec3> positions(body().vertices->positions.size());
  skin_vertices(*body().vertices, {}, matrices, {positions, {}, {}});
  return positions;
}

// For each vertex the weight that some joints have in it.
std::vector<float> weight_of(std::initializer_list<const char*> names) {
  const Vertices& v = *body().vertices;
  const auto joints = built_in_character().skins()[0].joints();
  std::set<std::uint32_t> wanted;
  for (const char* name : names) wanted.insert(joint(name));
  std::vector<float> weights(v.positions.size(), 0.0f);
  for (std::size_t i = 0; i < weights.size() * v.influences; ++i) {
    if (wanted.contains(joints[v.joints[i]])) weights[i / v.influences] += v.weights[i];
  }
  return weights;
}

TEST_CASE("the character's files are what the generator makes, byte for byte") {
  const auto files = character::make_assets();
  REQUIRE(files);
  REQUIRE(files->size() == 3);
  for (const character::AssetFile& file : *files) {
    CAPTURE(file.name);
    const auto built_in = tool::built_in_file(file.name);
    CHECK(file.bytes.size() == built_in.size());
    const auto made = std::mismatch(file.bytes.begin(), file.bytes.end(), built_in.begin(), built_in.end()).first;
    CHECK_MESSAGE(made == file.bytes.end(), "first difference at byte ", made - file.bytes.begin(),
                  "; marrow_make_assets assets makes them again");
  }
}

TEST_CASE("the character has what the commands and the documents say") {
  const Model& model = built_in_character();
  CHECK(model.skins()[0].size() >= 60);
  CHECK(model.skins()[0].size() <= 70);
  CHECK(body().indices.size() / 3 >= 6000);
  CHECK(body().indices.size() / 3 <= 10000);
  for (const char* clip : {"idle", "walk", "run", "jump", "wave", "turn"})
    CHECK_MESSAGE(model.find_clip(clip) != nullptr, std::string(clip));
  CHECK(model.meshes()[0].morph_names == std::vector<std::string>{"blink", "smile"});
  for (const char* name : {"head", "hand_L", "hand_R", "grip_R", "thumb_3_L", "little_3_R", "toe_L"}) joint(name);
}

TEST_CASE("the character's skin is closed and manifold") {
  const test::Solid solid(body().vertices->positions, body().indices);
  CHECK(solid.open_edges() == 0);
  CHECK(solid.crowded_edges() == 0);
  CHECK(solid.pinched_points() == 0);
  // One body, two eyes and a mouth, each without a handle: a sphere has the characteristic 2.
  CHECK(solid.pieces() == 4);
  CHECK(solid.euler_characteristic() == 8);
  CHECK(solid.volume(body().vertices->positions) > 0.05);  // cubic metres: the right way out
  CHECK(solid.smallest_angle_degrees() > 2);
}

TEST_CASE("the character's weights sum to one and change smoothly over the skin") {
  const Vertices& v = *body().vertices;
  for (std::size_t i = 0; i < v.positions.size(); ++i) {
    float sum = 0;
    for (std::size_t k = 0; k < v.influences; ++k) sum += v.weights[i * v.influences + k];
    REQUIRE(sum == doctest::Approx(1).epsilon(1e-6));
  }
  // Half of the sum of all changes from one end of an edge to the other: 1 if they have no joint in common.
  const auto weights_at = [&](std::uint32_t i) {
    std::map<std::uint16_t, double> weights;
    for (std::size_t k = 0; k < v.influences; ++k)
      weights[v.joints[i * v.influences + k]] += v.weights[i * v.influences + k];
    return weights;
  };
  double largest = 0, sum = 0;
  std::size_t edges = 0;
  for (std::size_t i = 0; i < body().indices.size(); ++i) {
    const std::uint32_t a = body().indices[i], b = body().indices[i % 3 == 2 ? i - 2 : i + 1];
    auto difference = weights_at(a);
    for (const auto& [j, w] : weights_at(b)) difference[j] -= w;
    double change = 0;
    for (const auto& [j, w] : difference) change += std::fabs(w) / 2;
    largest = std::max(largest, change);
    sum += change;
    ++edges;
  }
  std::printf("weights along an edge change by %.3f at most, %.3f in the mean\n", largest,
              sum / static_cast<double>(edges));
  CHECK(largest < 0.6);
  CHECK(sum / static_cast<double>(edges) < 0.12);
}

TEST_CASE("no point of the character's skin is moved by a joint that is far away") {
  const Model& model = built_in_character();
  const Skeleton& skeleton = model.skeleton();
  std::vector<Affine> joints(skeleton.joint_count());
  local_to_model(Pose(skeleton), joints);
  const auto place = [&](std::uint32_t j) { return Vec3{joints[j].m[0][3], joints[j].m[1][3], joints[j].m[2][3]}; };
  // From a point to the bones that begin at a joint.
  const auto distance = [&](Vec3 p, std::uint32_t j) {
    const Vec3 a = place(j);
    float least = std::hypot(p.x - a.x, p.y - a.y, p.z - a.z);
    for (const std::uint32_t child : skeleton.children(j)) {
      const Vec3 b = place(child), d{b.x - a.x, b.y - a.y, b.z - a.z};
      const float square = d.x * d.x + d.y * d.y + d.z * d.z;
      if (square == 0) continue;
      const float t = std::clamp(((p.x - a.x) * d.x + (p.y - a.y) * d.y + (p.z - a.z) * d.z) / square, 0.0f, 1.0f);
      least = std::min(least, std::hypot(p.x - a.x - t * d.x, p.y - a.y - t * d.y, p.z - a.z - t * d.z));
    }
    return least;
  };
  const Vertices& v = *body().vertices;
  float farthest = 0;
  for (std::size_t i = 0; i < v.joints.size(); ++i) {
    if (v.weights[i] == 0) continue;
    const std::uint32_t j = model.skins()[0].joints()[v.joints[i]];
    const float away = distance(v.positions[i / v.influences], j);
    farthest = std::max(farthest, away);
    CAPTURE(skeleton.name(j));
    REQUIRE(away < 0.26f);
  }
  std::printf("the farthest bone that moves a point is %.3f m away\n", static_cast<double>(farthest));
}

// A limb bent by an angle at its joint and the helper beside it: the volume of what is around the joint.
double bent_volume(const char* limb, const char* helper, std::initializer_list<const char*> near_by, Vec3 axis,
                   float angle, float reach) {
  const Model& model = built_in_character();
  Pose pose(model.skeleton());
  const Vec3 center = [&] {
    std::vector<Affine> joints(model.skeleton().joint_count());
    local_to_model(pose, joints);
    const Affine& m = joints[joint(limb)];
    return Vec3{m.m[0][3], m.m[1][3], m.m[2][3]};
  }();
  const auto turn = [&](const char* name, float by) {
    Transform local = model.skeleton().rest(joint(name));
    local.rotation = from_axis_angle(axis, by);
    pose.set_transform(joint(name), local);
  };
  turn(limb, angle);
  turn(helper, angle / 2);
  // The triangles all of whose corners are near the joint at rest, and of the limb.
  const std::vector<float> weights = weight_of(near_by);
  const auto& rest = body().vertices->positions;
  std::vector<std::uint32_t> patch;
  for (std::size_t t = 0; t < body().indices.size(); t += 3) {
    bool inside = true;
    for (std::size_t i = t; i < t + 3; ++i) {
      const Vec3 p = rest[body().indices[i]];
      inside = inside && weights[body().indices[i]] > 0.99f &&
               std::hypot(p.x - center.x, p.y - center.y, p.z - center.z) < reach;
    }
    if (inside) patch.insert(patch.end(), &body().indices[t], &body().indices[t] + 3);
  }
  const test::Solid solid(rest, patch);
  CHECK(solid.loops() == 2);  // open at both ends
  return solid.capped_volume(skinned(pose));
}

TEST_CASE("elbows and knees keep their volume when they bend") {
  constexpr float kBend = 2.0943951f;  // 120 degrees
  const std::initializer_list<const char*> arm = {"upper_arm_L", "elbow_L", "lower_arm_L", "lower_arm_twist_L"};
  const std::initializer_list<const char*> leg = {"thigh_L", "knee_L", "shin_L"};
  // The arm points down and to the left; the forearm goes up ahead of it. The shin goes back.
  const Vec3 elbow_axis{-0.70710678f, -0.70710678f, 0}, knee_axis{1, 0, 0};
  const double elbow = bent_volume("lower_arm_L", "elbow_L", arm, elbow_axis, kBend, 0.09f) /
                       bent_volume("lower_arm_L", "elbow_L", arm, elbow_axis, 0, 0.09f);
  const double knee = bent_volume("shin_L", "knee_L", leg, knee_axis, kBend, 0.13f) /
                      bent_volume("shin_L", "knee_L", leg, knee_axis, 0, 0.13f);
  std::printf("volume at 120 degrees: elbow %.3f, knee %.3f of that at rest\n", elbow, knee);
  CHECK(elbow == doctest::Approx(1).epsilon(0.25));
  CHECK(knee == doctest::Approx(1).epsilon(0.25));
}

TEST_CASE("the character's thighs do not go through each other as it walks") {
  const Model& model = built_in_character();
  const Clip* const walk = model.find_clip("walk");
  REQUIRE(walk != nullptr);
  const Clip& clip = *walk;
  const auto triangles_of = [&](std::initializer_list<const char*> names) {
    const std::vector<float> weights = weight_of(names);
    std::vector<std::uint32_t> out;
    for (std::size_t t = 0; t < body().indices.size(); t += 3) {
      const bool all =
          std::all_of(&body().indices[t], &body().indices[t] + 3, [&](std::uint32_t i) { return weights[i] > 0.95f; });
      if (all) out.insert(out.end(), &body().indices[t], &body().indices[t] + 3);
    }
    return out;
  };
  const auto left = triangles_of({"hip_L", "thigh_L", "knee_L", "shin_L"});
  const auto right = triangles_of({"hip_R", "thigh_R", "knee_R", "shin_R"});
  REQUIRE(left.size() > 900);
  Pose pose(model.skeleton());
  Cursor cursor(clip);
  for (int frame = 0; frame < 60; ++frame) {
    CAPTURE(frame);
    sample(clip, clip.duration() * frame / 60, cursor, pose);
    const std::vector<Vec3> positions = skinned(pose);
    CHECK(test::crossings(positions, left, right) == 0);
  }
  // And that this finds something where there is something: both legs turned inwards.
  for (const char* name : {"thigh_L", "thigh_R"}) {
    Transform local = model.skeleton().rest(joint(name));
    local.rotation = from_axis_angle({0, 0, 1}, name[6] == 'L' ? -0.2f : 0.2f);
    pose.set_transform(joint(name), local);
  }
  CHECK(test::crossings(skinned(pose), left, right) > 0);
}

TEST_CASE("the character's face blinks and smiles, and nothing else of it does") {
  const Vertices& v = *body().vertices;
  REQUIRE(v.targets.size() == 2);
  for (std::size_t m = 0; m < 2; ++m) {
    float most = 0;
    for (std::size_t i = 0; i < v.positions.size(); ++i) {
      const Vec3 d = v.targets[m].positions[i];
      const float moved = std::hypot(d.x, d.y, d.z);
      most = std::max(most, moved);
      if (moved > 0) REQUIRE((v.positions[i].y > 1.6f && v.positions[i].z > 0.05f));
    }
    CHECK(most > 0.006f);
    CHECK(most < 0.03f);
  }
}

}  // namespace
}  // namespace marrow

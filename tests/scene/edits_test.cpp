// A million random edits of a scene, against a model of it that is as plain as can be.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "fixtures/humanoid.h"
#include "fixtures/random.h"
#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "marrow/scene/scene.h"
#include "scene/affine_difference.h"
#include "support/rounds.h"

namespace marrow {
namespace {

// Three bones in a row, one more beside them, a node below the second that is no joint, and a clip that moves all.
Model make_model() {
  const float seconds[] = {0, 0.5f, 1};
  const JointDesc joints[] = {{"a", kNoParent, {}, {{0, 0, 1}, {}, {1, 1, 1}}, {}},
                              {"b", 0, {}, {{0, 1, 0}, {}, {1, 1, 1}}, {}},
                              {"c", 1, {}, {{1, 0, 0}, {}, {1, 1, 1}}, {}},
                              {"d", 0, {}, {{0, 0, 2}, {}, {1, 1, 1}}, {}}};
  ModelParts parts;
  parts.name = "thing";
  parts.skeleton = Skeleton::create(joints)->skeleton;
  std::vector<std::vector<float>> values(4);
  std::vector<TrackDesc> tracks;
  for (std::uint32_t j = 0; j < 4; ++j) {
    for (int k = 0; k < 3; ++k) {
      const Quat q = from_axis_angle({1, static_cast<float>(j), static_cast<float>(k)}, 0.3f * static_cast<float>(k));
      values[j].insert(values[j].end(), {q.x, q.y, q.z, q.w});
    }
    tracks.push_back({j, Property::rotation, Interpolation::linear, seconds, values[j]});
  }
  parts.clips = {*Clip::create(parts.skeleton, {"wave", tracks, {}})};
  parts.nodes.resize(5);
  for (std::int32_t i = 0; i < 4; ++i) {
    const auto j = static_cast<std::uint32_t>(i);
    parts.nodes[j].joint = i;
    parts.nodes[j].parent = parts.skeleton.parent(j);
    parts.nodes[j].rest = parts.skeleton.rest(j);
  }
  parts.nodes[4].parent = 1;
  parts.nodes[4].rest.translation = {0, 0, 3};
  return *Model::create(std::move(parts));
}

// The plain model. Nodes by any number; parents first is not kept, children are found by looking at all.
class Naive {
 public:
  struct Entry {
    Node node;
    std::uint64_t parent = 0;        // 0: the root
    std::uint32_t parent_inner = 0;  // inner + 1
    Transform local;
    bool is_instance = false;
    std::map<std::uint32_t, Transform> overrides;
  };
  std::map<std::uint64_t, Entry> entries;
  std::uint64_t next = 1;

  [[nodiscard]] Affine world(std::uint64_t id) const {
    if (id == 0) return {};
    const Entry& e = entries.at(id);
    return multiply(inner_world(e.parent, e.parent_inner), to_affine(e.local));
  }

  // Of an inner node + 1 of an instance, or the node itself.
  [[nodiscard]] Affine inner_world(std::uint64_t id, std::uint32_t inner) const {
    const Affine own = world(id);
    return inner == 0 ? own : multiply(own, inner_model(entries.at(id), inner - 1));
  }

  [[nodiscard]] bool is_below(std::uint64_t id, std::uint64_t ancestor) const {
    return id == ancestor || (id != 0 && is_below(entries.at(id).parent, ancestor));
  }

  void destroy(std::uint64_t id) {
    std::vector<std::uint64_t> children;
    for (const auto& [child, e] : entries) {
      if (e.parent == id) children.push_back(child);
    }
    for (const std::uint64_t child : children) destroy(child);
    entries.erase(id);
  }

 private:
  static Affine inner_model(const Entry& e, std::uint32_t inner) {
    const Model& model = e.node.instance().model();
    const Transform own = inner == 4 ? model.nodes()[4].rest : e.node.instance().pose().transform(inner);
    const auto by = e.overrides.find(inner);
    const Affine local = to_affine(by == e.overrides.end() ? own : by->second);
    const std::int32_t parent = model.nodes()[inner].parent;
    return parent == kNone ? local : multiply(inner_model(e, static_cast<std::uint32_t>(parent)), local);
  }
};

class Play {
 public:
  explicit Play(std::uint64_t seed) : random_(seed) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      step();
      if (random_.below(8) == 0) check(pick());
      if (random_.below(16) == 0) {
        scene_.refresh();
        check(pick());
        check(pick());
      }
      if (i % 1000 == 0) check_all();
    }
    scene_.refresh();
    check_all();
    CHECK(refused_ > 0);
    CHECK(most_ > 100);
    // All of it goes, from the top.
    for (Node child; (child = first_child_of_root());) REQUIRE(scene_.destroy(child));
    CHECK(scene_.node_count() == 0);
    CHECK(scene_.instance_count() == 0);
    for (const auto& [id, e] : naive_.entries) CHECK_FALSE(e.node);
  }

 private:
  Node first_child_of_root() {
    const Node::ChildRange children = scene_.root().children();
    return children.empty() ? Node() : *children.begin();
  }

  Transform transform() {
    const float scale = random_.rangef(0.8, 1.25);
    return {{random_.rangef(-1, 1), random_.rangef(-1, 1), random_.rangef(-1, 1)},
            from_axis_angle({random_.rangef(-1, 1), random_.rangef(-1, 1), 1}, random_.rangef(-3, 3)),
            {scale, scale, scale}};
  }

  // A node at random; 0 for the root, or if there is none.
  std::uint64_t pick(bool instance = false) {
    if (naive_.entries.empty()) return 0;
    for (int tries = 0; tries < 10; ++tries) {
      const auto at = naive_.entries.lower_bound(random_.below(static_cast<std::uint32_t>(naive_.next)));
      if (at != naive_.entries.end() && (!instance || at->second.is_instance)) return at->first;
    }
    return 0;
  }

  // Somewhere to put a node: the root, a node, or an inner node of an instance.
  struct Place {
    std::uint64_t id;
    std::uint32_t inner;
    Node node;
  };
  Place pick_place() {
    const std::uint64_t id = random_.below(10) == 0 ? 0 : pick(random_.below(2) == 0);
    if (id == 0) return {0, 0, scene_.root()};
    const Naive::Entry& e = naive_.entries.at(id);
    if (!e.is_instance || random_.below(4) == 0) return {id, 0, e.node};
    const std::uint32_t inner = random_.below(5);
    return {id, inner + 1, e.node.instance().model_node(inner)};
  }

  void add(const Place& at) {
    Naive::Entry e;
    e.local = transform();
    e.parent = at.id;
    e.parent_inner = at.inner;
    e.is_instance = random_.below(4) == 0;
    if (e.is_instance) {
      const Instance instance = scene_.instantiate(model_, {"thing", e.local, at.node, {2, 1, 4, 4}});
      e.node = instance;
      if (random_.below(2) == 0) instance.mixer().play(model_.clips()[0]);
    } else {
      e.node = scene_.add_node("node", e.local, at.node);
    }
    REQUIRE(e.node);
    naive_.entries[naive_.next++] = e;
  }

  void move(std::uint64_t id, const Place& to) {
    Naive::Entry& e = naive_.entries.at(id);
    const Preserve preserve = random_.below(2) == 0 ? Preserve::local : Preserve::world;
    const Affine before = naive_.world(id);
    const bool cycle = naive_.is_below(to.id, id);
    const PlaceResult placed = to.node.add(e.node, preserve);
    REQUIRE(placed.done == !cycle);
    if (cycle) {
      ++refused_;
      return;
    }
    e.parent = to.id;
    e.parent_inner = to.inner;
    if (preserve == Preserve::local) return;
    REQUIRE(placed.rotation_error < 1e-4f);
    e.local = e.node.local();
    const Affine after = naive_.world(id);
    for (int i = 0; i < 3; ++i) CHECK(after.m[i][3] == doctest::Approx(before.m[i][3]).epsilon(1e-3));
    // Sizes add up over many moves: begin anew before they leave the numbers.
    const float size = e.local.scale.x;
    if (!(size > 1e-3f && size < 1e3f)) {
      e.local = transform();
      e.node.set_local(e.local);
    }
  }

  void destroy(std::uint64_t id) {
    const Naive::Entry e = naive_.entries.at(id);
    if (random_.below(3) == 0) {
      REQUIRE(scene_.destroy(e.node, Children::keep));
      for (auto& [child, c] : naive_.entries) {
        if (c.parent != id) continue;
        c.parent = e.parent;
        c.parent_inner = e.parent_inner;
        c.local = c.node.local();
      }
      naive_.entries.erase(id);
    } else {
      REQUIRE(scene_.destroy(e.node));
      naive_.destroy(id);
    }
    CHECK_FALSE(e.node);
  }

  void step() {
    most_ = std::max(most_, naive_.entries.size());
    const std::size_t count = naive_.entries.size();
    const std::uint32_t what = random_.below(100);
    if (count == 0 || (what < 20 && count < 300)) return add(pick_place());
    const std::uint64_t id = pick();
    if (id == 0) return;
    Naive::Entry& e = naive_.entries.at(id);
    if (what < 32) return destroy(id);
    if (what < 55) return move(id, pick_place());
    if (what < 70) {
      e.local = transform();
      e.node.set_local(e.local);
      return;
    }
    if (!e.is_instance) return;
    const Instance instance = e.node.instance();
    if (what < 85) {
      REQUIRE(instance.update(random_.range(0, 0.3)));
    } else if (what < 88) {
      instance.advance(0.1);
      instance.evaluate();
      if (random_.below(2) == 0) instance.finish();
    } else if (what < 94) {
      const std::uint32_t inner = random_.below(5);
      e.overrides[inner] = transform();
      instance.model_node(inner).set_local(e.overrides[inner]);
    } else if (what < 97) {
      instance.clear_overrides();
      e.overrides.clear();
    } else {
      scene_.update(0.05);
    }
  }

  void check(std::uint64_t id) {
    if (id == 0) return;
    const Naive::Entry& e = naive_.entries.at(id);
    CHECK(test::difference(e.node.world(), naive_.world(id)) == "");
    if (!e.is_instance) return;
    for (std::uint32_t inner = 0; inner < 5; ++inner) {
      CHECK(test::difference(e.node.instance().model_node(inner).world(), naive_.inner_world(id, inner + 1)) == "");
    }
  }

  void check_all() {
    for (const auto& [id, e] : naive_.entries) check(id);
    CHECK(scene_.node_count() == naive_.entries.size());
    std::size_t instances = 0;
    for (const auto& [id, e] : naive_.entries) instances += e.is_instance ? 1 : 0;
    CHECK(scene_.instance_count() == instances);
    // Every node is met below the root, once.
    std::size_t met = 0;
    std::vector<Node> open = {scene_.root()};
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (!node.is_inner()) ++met;
      for (const Node child : node.children()) open.push_back(child);
    }
    CHECK(met == naive_.entries.size() + 1);
  }

  test::Random random_;
  Scene scene_;
  Model model_ = make_model();
  Naive naive_;
  std::size_t most_ = 0;
  int refused_ = 0;
};

TEST_CASE("a million random edits leave every node where a plain model of the scene has it, to the bit") {
  for (std::uint64_t seed = 1; seed <= test::rounds(std::uint64_t{4}); ++seed) {
    CAPTURE(seed);
    Play(seed).run(250000);
  }
}

}  // namespace
}  // namespace marrow

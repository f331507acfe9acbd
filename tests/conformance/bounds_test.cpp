// Runs on files that are not part of the project: see files.h.
#include "marrow/skin/bounds.h"

#include <doctest/doctest.h>

#include <cctype>
#include <cmath>
#include <cstdio>

#include "conformance/files.h"
#include "marrow/anim/sampling.h"
#include "marrow/scene/scene.h"

namespace marrow {
namespace {

constexpr int kTimes = 50;

// By the names of the joints: a body with a trunk, arms and legs.
bool is_humanoid(const Model& model) {
  const auto has = [&](std::initializer_list<const char*> words) {
    for (std::uint32_t j = 0; j < model.skeleton().joint_count(); ++j) {
      std::string name(model.skeleton().name(j));
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      for (const char* word : words) {
        if (name.find(word) != std::string::npos) return true;
      }
    }
    return false;
  };
  return has({"hip", "pelvis", "spine", "torso", "body"}) && has({"arm", "hand", "shoulder"}) &&
         has({"leg", "thigh", "foot"}) && !has({"tail", "wing", "frontleg", "backleg", "front_leg"});
}

double volume(const Box& box, double least) {
  const Vec3 s = size_of(box);
  return std::max<double>(s.x, least) * std::max<double>(s.y, least) * std::max<double>(s.z, least);
}

struct Sample {
  double ratio;
  std::string what;
  bool humanoid;
};

class Survey {
 public:
  // All vertices that are shown, as they are now.
  bool look(const Instance& instance, const std::string& what, bool humanoid) {
    const Box bounds = instance.bounds();
    Box truth;
    bool held = true;
    const Model& model = instance.model();
    for (std::uint32_t n = 0; n < model.nodes().size(); ++n) {
      const ModelNode& node = model.nodes()[n];
      if (node.mesh == kNone || !node.shown) continue;
      const Mesh& mesh = model.meshes()[static_cast<std::size_t>(node.mesh)];
      for (std::uint32_t p = 0; p < mesh.parts.size(); ++p) {
        positions_.resize(mesh.parts[p].vertices->positions.size());
        instance.skin(n, p, {positions_, {}, {}});
        for (const Vec3& v : positions_) {
          held = held && contains(bounds, v);
          truth = enclose(truth, v);
        }
      }
    }
    if (is_empty(truth)) return held;
    const Vec3 s = size_of(truth);
    const double least = 1e-3 * std::hypot(static_cast<double>(s.x), s.y, s.z);
    if (least > 0) samples.push_back({volume(bounds, least) / volume(truth, least), what, humanoid});
    return held;
  }

  // Prints how tight the boxes are.
  void report(const char* title) {
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.ratio < b.ratio; });
    const auto part = [&](double p) {
      return samples[static_cast<std::size_t>(p * static_cast<double>(samples.size() - 1))].ratio;
    };
    const Sample* worst = nullptr;
    std::size_t humanoids = 0;
    for (const Sample& s : samples) {
      if (!s.humanoid) continue;
      ++humanoids;
      worst = &s;
    }
    worst_humanoid = worst == nullptr ? 0 : worst->ratio;
    median = part(0.5);
    std::printf(
        "%s: %zu samples, median %.3f, 90 %% %.3f, 99 %% %.3f, worst %.2f (%s); %zu of humanoids, worst %.2f (%s)\n",
        title, samples.size(), median, part(0.9), part(0.99), samples.back().ratio, samples.back().what.c_str(),
        humanoids, worst_humanoid, worst == nullptr ? "" : worst->what.c_str());
  }

  std::vector<Sample> samples;
  double median = 0, worst_humanoid = 0;

 private:
  std::vector<Vec3> positions_;
};

TEST_CASE("on every model, every clip, 50 times, bounds hold every vertex and are tight") {
  Survey linear, dual;
  int models = 0;
  test::for_each_model([&](const std::string& name, const Model& model) {
    if (model.meshes().empty()) return;
    ++models;
    const bool humanoid = is_humanoid(model);
    for (const bool by_duals : {false, true}) {
      if (by_duals && model.skins().empty()) continue;
      Scene scene;
      const Instance instance = scene.instantiate(model);
      for (std::uint32_t m = 0; by_duals && m < model.meshes().size(); ++m) {
        instance.set_skinning(m, Skinning::dual_quaternion);
      }
      CAPTURE(name);
      CAPTURE(by_duals);
      Survey& survey = by_duals ? dual : linear;
      CHECK(survey.look(instance, name + " at rest", humanoid));
      for (const Clip& clip : model.clips()) {
        bool held = true;
        for (int i = 0; i < kTimes; ++i) {
          sample(clip, clip.duration() * i / (kTimes - 1), instance.edit_pose());
          instance.finish();
          held =
              survey.look(instance, name + " " + std::string(clip.name()) + " " + std::to_string(i), humanoid) && held;
        }
        CAPTURE(clip.name());
        CHECK(held);
      }
    }
  });
  std::printf("%d models with meshes\n", models);
  linear.report("linear blending");
  dual.report("dual quaternions");
  CHECK(linear.median <= 1.6);
  CHECK(linear.worst_humanoid <= 3.5);
}

}  // namespace
}  // namespace marrow

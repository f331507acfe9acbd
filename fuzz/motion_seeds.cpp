// Nodes, skeletons and clips.
#include "seeds.h"

namespace marrow::fuzz {
namespace {

// {"channels":[...],"samplers":[...]} with a sampler for each channel.
class Animation {
 public:
  void add(const std::string& target, const std::string& input, const std::string& output,
           const std::string& interpolation = "LINEAR") {
    if (count_ > 0) {
      channels_ += ",";
      samplers_ += ",";
    }
    channels_ += R"({"sampler":)" + std::to_string(count_++) + R"(,"target":)" + target + "}";
    samplers_ += R"({"input":)" + input + R"(,"output":)" + output + R"(,"interpolation":")" + interpolation + "\"}";
  }
  void add(int node, const std::string& path, const std::string& input, const std::string& output,
           const std::string& interpolation = "LINEAR") {
    add(R"({"node":)" + std::to_string(node) + R"(,"path":")" + path + "\"}", input, output, interpolation);
  }
  [[nodiscard]] std::string json() const {
    return R"({"channels":[)" + channels_ + R"(],"samplers":[)" + samplers_ + "]}";
  }

 private:
  std::string channels_, samplers_;
  int count_ = 0;
};

// Every interpolation of every property, on timelines even and uneven.
SeedModel curves() {
  SeedModel m;
  m.add("nodes", R"({"children":[1]})");
  m.add("nodes", "{}");
  const std::string times = m.floats("SCALAR", {0, 1, 2}), two = m.floats("SCALAR", {0.25f, 0.75f});
  const std::string vectors = m.floats("VEC3", {0, 0, 0, 1, 2, 3, -1, 0, 1});
  const std::string turns = m.floats("VEC4", {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, -0.6f, 0, -0.8f});
  const std::string splines = m.floats("VEC3", {0, 0, 0, 1, 1, 1, 2, 0, 0, 0, 1, 0, 2, 2, 2, 0, 0, 1});
  const std::string turning = m.floats(
      "VEC4", {0, 0, 0, 0, 0, 0, 0, 1, 0, 0.5f, 0, 0, 0, 0.5f, 0, 0, 0, 0.70710678f, 0, 0.70710678f, 0, 0, 0, 0});
  const std::string constant = m.floats("VEC3", {2, 2, 2, 2, 2, 2});
  Animation first, second;
  first.add(0, "translation", times, vectors);
  first.add(0, "rotation", times, turns, "STEP");
  first.add(0, "scale", two, splines, "CUBICSPLINE");
  first.add(1, "translation", two, splines, "CUBICSPLINE");
  first.add(1, "rotation", two, turning, "CUBICSPLINE");
  first.add(1, "scale", two, constant);
  second.add(1, "rotation", times, turns);
  second.add(1, "translation", times, vectors, "STEP");
  m.add("animations", first.json());
  m.add("animations", second.json());
  return m;
}

// A chain of more joints than a block has, all on one timeline, one on another, one at equal times.
SeedModel chain() {
  SeedModel m;
  const std::string times = m.floats("SCALAR", {0, 0.5f, 1.5f}), jump = m.floats("SCALAR", {0, 1, 1});
  const std::string turns = m.floats("VEC4", {0, 0, 0, 1, 0.6f, 0, 0, 0.8f, 1, 0, 0, 0});
  const std::string slides = m.floats("VEC3", {0, 0, 0, 0, 0, 1, 0, 1, 0});
  Animation animation;
  for (int i = 0; i < 10; ++i) {
    m.add("nodes", i < 9 ? R"({"children":[)" + std::to_string(i + 1) + R"(],"translation":[0,1,0]})" : "{}");
    animation.add(i, "rotation", i == 4 ? jump : times, turns);
    if (i % 2 == 0) animation.add(i, "translation", times, slides);
  }
  m.add("animations", animation.json());
  return m;
}

SeedModel matrices() {
  SeedModel m;
  m.add("nodes", R"({"name":"mirrored","matrix":[-1,0,0,0, 0,2,0,0, 0,0,1,0, 3,4,5,1],"children":[1,2]})");
  m.add("nodes", R"({"name":"sheared","matrix":[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1]})");
  m.add("nodes", R"({"name":"flat","matrix":[1,0,0,0, 0,0,0,0, 0,0,1,0, 0,0,0,2]})");
  m.add("nodes", R"({"name":"not unit","rotation":[0,0,0,2]})");
  m.add("nodes", R"({"name":"no rotation","rotation":[0,0,0,0]})");
  m.add("skins", R"({"name":"all","joints":[0,1,2,3,4]})");
  return m;
}

std::string pointer(const std::string& to) {
  return R"({"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":")" + to + R"("}}})";
}

SeedModel pointers() {
  SeedModel m;
  m.set("extensionsUsed", R"(["KHR_animation_pointer"])");
  const std::string times = m.floats("SCALAR", {0, 1}), slides = m.floats("VEC3", {0, 0, 0, 1, 1, 1});
  const std::string turns = m.floats("VEC4", {0, 0, 0, 1, 0, 1, 0, 0}), shapes = m.floats("SCALAR", {0, 1, 1, 0});
  const std::string positions = m.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  m.add("meshes", R"({"primitives":[{"attributes":{"POSITION":)" + positions + R"(},"targets":[{"POSITION":)" +
                      positions + R"(},{}]}]})");
  m.add("nodes", R"({"mesh":0})");
  m.add("nodes", R"({"mesh":0})");
  m.add("nodes", R"({"mesh":0,"weights":[1,0]})");
  Animation animation;
  animation.add(pointer("/nodes/0/translation"), times, slides);
  animation.add(pointer("/nodes/1/rotation"), times, turns);
  animation.add(pointer("/nodes/2/weights"), times, shapes);
  animation.add(pointer("/meshes/0/weights"), times, shapes, "STEP");
  animation.add(pointer("/materials/0/alphaCutoff"), times, times);
  m.add("animations", animation.json());
  return m;
}

// Weights moved one by one, each with its own times and interpolation.
SeedModel single_weights() {
  SeedModel m;
  m.set("extensionsUsed", R"(["KHR_animation_pointer"])");
  const std::string positions = m.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  m.add("meshes", R"({"primitives":[{"attributes":{"POSITION":)" + positions + R"(},"targets":[{"POSITION":)" +
                      positions + R"(},{},{}]}]})");
  m.add("nodes", R"({"mesh":0})");
  const std::string times = m.floats("SCALAR", {0, 1}), others = m.floats("SCALAR", {0.5f, 0.5f, 2});
  Animation animation;
  animation.add(pointer("/nodes/0/weights/0"), times, times, "STEP");
  animation.add(pointer("/meshes/0/weights/2"), times, m.floats("SCALAR", {1, 2, 3, 4, 5, 6}), "CUBICSPLINE");
  animation.add(pointer("/nodes/0/weights/1"), others, m.floats("SCALAR", {1, 2, 3}));
  animation.add(pointer("/nodes/0/weights/9"), times, times);
  m.add("animations", animation.json());
  return m;
}

// Two skins over joints that they share, one without inverse bind matrices, and eight influences a vertex.
SeedModel two_skins() {
  SeedModel m;
  const std::string binds = m.floats("MAT4", {1, 0, 0, 0, 0,  1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,  //
                                              0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 2, 0, 1, 1,  1, 1});
  const std::string positions = m.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0});
  const std::string joints = m.bytes("VEC4", {0, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 1});
  const std::string more_joints = m.shorts("VEC4", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  const std::string weights = m.floats("VEC4", {0.25f, 0.25f, 0, 0, 0.5f, 0, 0, 0, 1, 1, 1, 1});
  const std::string more_weights = m.bytes("VEC4", {127, 0, 0, 0, 64, 64, 0, 0, 0, 0, 0, 0}, R"(,"normalized":true)");
  m.add("meshes", R"({"primitives":[{"attributes":{"POSITION":)" + positions + R"(,"JOINTS_0":)" + joints +
                      R"(,"JOINTS_1":)" + more_joints + R"(,"WEIGHTS_0":)" + weights + R"(,"WEIGHTS_1":)" +
                      more_weights + "}}]}");
  m.add("nodes", R"({"name":"a","children":[1]})");
  m.add("nodes", R"({"name":"a","translation":[0,1,0]})");
  m.add("nodes", R"({"mesh":0,"skin":0})");
  m.add("nodes", R"({"mesh":0,"skin":1})");
  m.add("nodes", R"({"mesh":0})");
  m.add("skins", R"({"joints":[0,1],"inverseBindMatrices":)" + binds + "}");
  m.add("skins", R"({"joints":[1,0,1],"skeleton":0})");
  return m;
}

SeedModel scenes() {
  SeedModel m;
  m.set("extensionsUsed", R"(["VENDOR_unknown","KHR_lights_punctual"])");
  m.set("extensionsRequired", R"(["KHR_lights_punctual"])");
  m.set("scene", "1");
  m.add("scenes", R"({"nodes":[0]})");
  m.add("scenes", R"({"nodes":[2,2],"name":"\ud83d\ude00"})");
  m.add("nodes", R"({"children":[1],"name":"caf\u00e9/~\n"})");
  m.add("nodes", R"({"extras":{"a":[1,{"b":null}]}})");
  m.add("nodes", R"({"scale":[1,-1,1]})");
  m.add("animations", R"({"channels":[],"samplers":[]})");
  return m;
}

}  // namespace

void add_motion_seeds(std::vector<Seed>& out) {
  out.push_back({"empty", {}});
  out.push_back({"standard", standard_model()});
  out.push_back({"curves", curves()});
  out.push_back({"chain", chain()});
  out.push_back({"matrices", matrices()});
  out.push_back({"pointers", pointers()});
  out.push_back({"single_weights", single_weights()});
  out.push_back({"two_skins", two_skins()});
  out.push_back({"scenes", scenes()});
}

}  // namespace marrow::fuzz

#include "seeds.h"

namespace marrow::fuzz {

SeedModel standard_model() {
  SeedModel m;
  const std::string positions = m.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
  const std::string normals = m.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
  const std::string joints = m.bytes("VEC4", {0, 1, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0});
  const std::string weights = m.floats("VEC4", {0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0, 1, 0, 0, 0});
  const std::string moved = m.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  const std::string indices = m.shorts("SCALAR", {0, 1, 2, 2, 1, 3});
  const std::string binds = m.floats("MAT4", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  0,  0, 1,  //
                                              1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0,  -1, 0, 1,  //
                                              1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0,  0, 1});
  const std::string times = m.floats("SCALAR", {0, 0.5f, 1});
  const std::string uneven = m.floats("SCALAR", {0, 0.1f, 2});
  const std::string slides = m.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 2, 0});
  const std::string turns = m.floats("VEC4", {0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f, 0, 0, 1, 0});
  const std::string shapes = m.floats("SCALAR", {0, 1, 0.5f});
  m.add("meshes", R"({"name":"body","primitives":[{"attributes":{"POSITION":)" + positions + R"(,"NORMAL":)" + normals +
                      R"(,"JOINTS_0":)" + joints + R"(,"WEIGHTS_0":)" + weights + R"(},"indices":)" + indices +
                      R"(,"targets":[{"POSITION":)" + moved + R"(}]}]})");
  m.add("nodes", R"({"name":"hips","children":[1,2],"translation":[0,1,0]})");
  m.add("nodes", R"({"name":"spine","rotation":[0,0,0,1],"scale":[1,1,1]})");
  m.add("nodes", R"({"name":"leg","translation":[0,-1,0]})");
  m.add("nodes", R"({"name":"body","mesh":0,"skin":0,"weights":[0.5]})");
  m.add("skins", R"({"joints":[0,1,2],"inverseBindMatrices":)" + binds + "}");
  m.add("scenes", R"({"nodes":[0,3]})");
  m.set("scene", "0");
  const auto sampler = [](const std::string& input, const std::string& output) {
    return R"({"input":)" + input + R"(,"output":)" + output + "}";
  };
  m.add("animations", R"({"name":"walk","channels":[
      {"sampler":0,"target":{"node":0,"path":"translation"}},{"sampler":1,"target":{"node":1,"path":"rotation"}},
      {"sampler":2,"target":{"node":2,"path":"scale"}},{"sampler":3,"target":{"node":3,"path":"weights"}}],"samplers":[)" +
                          sampler(times, slides) + "," + sampler(times, turns) + "," + sampler(uneven, slides) + "," +
                          sampler(uneven, shapes) + "]}");
  return m;
}

Resolver standard_resolver() {
  return [](const std::string& uri) -> Result<SharedBytes> {
    static const std::vector<std::byte> buffer = standard_model().buffer();
    if (uri == "missing") return Error{ErrorCode::unreadable, "there is no such file", ""};
    return SharedBytes{buffer, nullptr};
  };
}

}  // namespace marrow::fuzz

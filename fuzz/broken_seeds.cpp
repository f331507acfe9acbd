// What is broken in the ways that readers of glTF have fallen for; and texts for the JSON reader.
#include "seeds.h"

namespace marrow::fuzz {
namespace {

SeedModel with_positions(const std::string& accessor, const std::string& view = "") {
  SeedModel m;
  const std::uint8_t bytes[16] = {};
  m.place(std::as_bytes(std::span(bytes)));
  if (!view.empty()) m.add("bufferViews", view);
  m.add("accessors", accessor);
  m.add("meshes", R"({"primitives":[{"attributes":{"POSITION":0}}]})");
  return m;
}

SeedModel with_nodes(std::initializer_list<const char*> nodes) {
  SeedModel m;
  for (const char* node : nodes) m.add("nodes", node);
  return m;
}

SeedModel requiring_much() {
  SeedModel m;
  m.set("extensionsRequired", R"(["VENDOR_unknown"])");
  return m;
}

}  // namespace

void add_broken_seeds(std::vector<Seed>& out) {
  const auto add = [&](const char* name, SeedModel model) { out.push_back({name, std::move(model), false}); };
  add("cycle", with_nodes({R"({"children":[1]})", R"({"children":[2]})", R"({"children":[0]})"}));
  add("own_child", with_nodes({R"({"children":[0]})"}));
  add("two_parents", with_nodes({R"({"children":[2]})", R"({"children":[2]})", "{}"}));
  add("no_such_node", with_nodes({R"({"children":[4294967295]})"}));
  add("no_such_mesh", with_nodes({R"({"mesh":0})"}));
  add("required", requiring_much());
  add("huge_zeros", with_positions(R"({"componentType":5126,"type":"VEC3","count":4294967295})"));
  add("huge_count", with_positions(R"({"componentType":5126,"type":"VEC3","count":4294967295,"bufferView":0})",
                                   R"({"buffer":0,"byteLength":16})"));
  add("huge_offset",
      with_positions(R"({"componentType":5126,"type":"VEC3","count":1,"bufferView":0,"byteOffset":9007199254740991})",
                     R"({"buffer":0,"byteLength":16})"));
  add("huge_view", with_positions(R"({"componentType":5126,"type":"VEC3","count":1,"bufferView":0})",
                                  R"({"buffer":0,"byteOffset":12,"byteLength":9007199254740991})"));
  add("huge_sparse", with_positions(R"({"componentType":5126,"type":"VEC3","count":2,"sparse":{"count":2,
      "indices":{"bufferView":0,"componentType":5125},"values":{"bufferView":0}}})",
                                    R"({"buffer":0,"byteLength":16})"));
  add("huge_meshopt", with_positions(R"({"componentType":5126,"type":"VEC3","count":1,"bufferView":0})",
                                     R"({"buffer":0,"byteLength":16,"extensions":{"EXT_meshopt_compression":{"buffer":0,
      "byteLength":16,"byteStride":256,"count":4294967295,"mode":"ATTRIBUTES"}}})"));
  add("short_stride", with_positions(R"({"componentType":5126,"type":"VEC3","count":1,"bufferView":0})",
                                     R"({"buffer":0,"byteLength":16,"byteStride":4})"));
}

std::vector<std::string> json_seeds() {
  std::string deep;
  for (int i = 0; i < 256; ++i) deep.insert(deep.size() / 2, "[]");
  return {
      "null",
      " \t\r\n[true, false, null]\n",
      R"([0, -0, 1, -1, 10, 0.5, -0.25, 1e3, 1E-3, 12.5e+2, 123456789012345, 1234567890123456789])",
      R"([1.7976931348623157e308, 5e-324, 2.2250738585072011e-308, 0.1, 9007199254740993, 1e-400])",
      R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00\ud83d\udc00")",
      "\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xff \xc3\"",
      R"({"a":1,"b":[{"c":{}},[]],"a":2,"":{"":""}})",
      "\xef\xbb\xbf{}",
      std::string("{}\0\0\0", 5),
      deep,
      "[" + deep + "]",
      R"({"asset":{"version":"2.0"},"nodes":[{"children":[1]},{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]})",
      "[1,]",
      "{\"a\"}",
      "01",
      "1e999",
      "\"\\ud800\\u0041\\udc00",
  };
}

}  // namespace marrow::fuzz

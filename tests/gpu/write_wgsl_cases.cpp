// marrow_wgsl_cases FOLDER: writes what wgsl_test.mjs tries the shaders in WGSL on, and what must come of it.
//
// cases.json lists the cases, and the passes that draw several of them. A case has a shader and a file of bytes, cut
// into the sections that go into buffers, and `expected`: for each vertex eight floats, the position, the depth, the
// normal and a sum of everything else.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

#include "gpu/skinning_case.h"
#include "gpu/wgsl_case.h"
#include "marrow/math/affine.h"

namespace marrow::test {
namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kMorphs = 5;

constexpr VertexFormat with_small_joints(VertexFormat format) {
  format.joints = JointEncoding::u8x4;
  return format;
}
constexpr VertexFormat with_tangents(VertexFormat format) {
  format.tangent = TangentEncoding::f32x4;
  return format;
}

class Writer {
 public:
  explicit Writer(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(const WgslCase& c) {
    const std::string data = "case_" + std::to_string(cases_.size()) + ".bin";
    WgslCaseFiles files = make_wgsl_case(c, cases_.size());
    write(data, files.data);
    files.facts["data"] = data;
    files.facts["shader"] = shader_file_of(files.shader);
    cases_.push_back(std::move(files.facts));
  }

  // Draws of one pass: cases that were added before, all with the same shader.
  void add_pass(const std::string& name, std::span<const WgslCase> pass) {
    Json numbers = Json::array();
    for (const WgslCase& c : pass) numbers.push_back(number_of(case_name(c)));
    passes_.push_back({{"name", name}, {"cases", numbers}});
  }

  void finish() {
    float world[16], view[16];
    to_column_major(world_matrix(), world);
    to_column_major(view_matrix(), view);
    const Json all = {{"world", world}, {"view", view}, {"cases", cases_}, {"passes", passes_}};
    const std::string text = all.dump(1) + "\n";
    write("cases.json", std::as_bytes(std::span(text)));
    std::printf("%zu cases with %zu shaders\n", cases_.size(), shaders_.size());
  }

 private:
  std::string shader_file_of(const std::string& text) {
    const auto [at, is_new] = shaders_.try_emplace(text, "shader_" + std::to_string(shaders_.size()) + ".wgsl");
    if (is_new) write(at->second, std::as_bytes(std::span(text)));
    return at->second;
  }

  std::size_t number_of(const std::string& name) const {
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (cases_[i]["name"] == name) return i;
    }
    throw std::runtime_error("there is no case " + name);
  }

  void write(const std::string& name, std::span<const std::byte> bytes) const {
    std::ofstream file(folder_ / name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw std::runtime_error((folder_ / name).string() + " cannot be written");
  }

  std::filesystem::path folder_;
  Json cases_ = Json::array(), passes_ = Json::array();
  std::map<std::string, std::string> shaders_;  // files by text
};

// A technique, and how many bones it is tried with.
struct Range {
  PaletteStorage storage;
  std::uint32_t least, most;
  std::uint32_t usual;  // what its shader declares; beyond it the shader is asked for as many as there are
};
constexpr Range kUniform = {PaletteStorage::uniform_3x4, 24, 1000, kBonesOf16KiB};
constexpr Range kUniform4x4 = {PaletteStorage::uniform_4x4, 24, kMaxBones4x4, kMaxBones4x4};
constexpr Range kStorage = {PaletteStorage::storage_3x4, 24, kMaxBoundBones, kMaxBoundBones};
constexpr Range kStorageAny = {PaletteStorage::storage_3x4, 341, 3000, 0};
constexpr Range kRanges[] = {kUniform, kUniform4x4, kStorage, kStorageAny};

WgslCase case_of(const Range& range, std::uint32_t bones) {
  WgslCase c;
  c.storage = range.storage;
  c.bones = bones;
  if (bones > range.usual) c.max_bones = bones;
  return c;
}

bool can_be_bound(const Range& range) { return range.storage == PaletteStorage::storage_3x4; }

// Raw and bound, joints of both sizes, with and without morphs.
void add_all(WgslCase c, bool with_bound, Writer& writer) {
  for (const bool bound : {false, true}) {
    for (const bool small : {false, true}) {
      if ((bound && !with_bound) || (small && c.bones > 256)) continue;
      c.bound = bound;
      c.format = small ? with_small_joints(kFloatVertex) : kFloatVertex;
      c.mirrored = small;
      c.morphs = 0;
      writer.add(c);
      c.morphs = kMorphs;
      writer.add(c);
    }
  }
}

// What needs to be tried once with each technique.
void add_special(const Range& range, Writer& writer) {
  const WgslCase plain = case_of(range, range.least);
  const auto add = [&](auto change) {
    WgslCase c = plain;
    change(c);
    writer.add(c);
  };
  const VertexFormat packed = plain.bones > 256 ? kPackedVertexManyJoints : kPackedVertex;
  add([&](WgslCase& c) { c.format = packed; });
  add([&](WgslCase& c) { c.format = packed, c.morphs = kMorphs; });
  add([](WgslCase& c) { c.morphs = kMorphs, c.morphed_normals = false; });
  add([](WgslCase& c) { c.stray_joints = true; });
  if (range.usual > 0) add([](WgslCase& c) { c.max_bones = c.bones; });  // fewer than usual
  for (const float scale : {1.0f, 1e-16f, 1e16f}) {                      // where squares vanish, where they overflow
    for (const bool mirrored : {false, true}) {
      add([&](WgslCase& c) {
        c.pasted = true;
        c.bound = can_be_bound(range);
        c.format = with_tangents(kFloatVertex);
        c.mirrored = mirrored;
        c.scale = scale;
      });
    }
  }
}

void add_pass(const char* name, const Range& range, std::initializer_list<std::uint32_t> bones, Writer& writer) {
  std::vector<WgslCase> pass;
  for (const std::uint32_t count : bones) {
    pass.push_back(case_of(range, count));
    pass.back().bound = can_be_bound(range) && pass.size() % 2 == 1;
  }
  writer.add_pass(name, pass);
}

void write_cases(const char* folder) {
  std::filesystem::create_directories(folder);
  Writer writer(folder);
  for (const Range& range : kRanges) {
    for (const std::uint32_t bones : kBoneCounts) {
      if (bones < range.least || bones > range.most) continue;
      add_all(case_of(range, bones), can_be_bound(range), writer);
    }
    add_special(range, writer);
  }
  add_pass("two characters in one uniform buffer", kUniform, {24, 341}, writer);
  add_pass("two characters in one uniform buffer of 4x4", kUniform4x4, {128, 24}, writer);
  add_pass("bound, raw, and bound to another skeleton", kStorage, {24, 129, 256}, writer);
  add_pass("the same with any number of bones", kStorageAny, {342, 3000, 1000}, writer);
  writer.finish();
}

}  // namespace
}  // namespace marrow::test

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: marrow_wgsl_cases FOLDER");
    marrow::test::write_cases(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "marrow_wgsl_cases: %s\n", error.what());
    return 1;
  }
}

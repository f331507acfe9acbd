// What never reaches the driver, and how it reads.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "gpu/gl_runner.h"

namespace marrow {
namespace {

using test::CaptureProgram;
using test::GlContext;
using test::required;
using test::SkinningCase;

template <typename T>
std::string why(const Result<T>& result) {
  return result ? "" : to_string(result.error());
}

TEST_CASE("a mesh with a wrong index, weight or joint is refused") {
  const GlContext context;
  const SkinningCase c = test::make_skinning_case({300, false, 0, 1});
  const auto make = [&](const Vertices& vertices, std::vector<std::uint32_t> indices, const VertexFormat& format) {
    return why(GlMesh::create(context.device(), vertices, indices, format));
  };
  CHECK(make(c.vertices, {0, 1, 2}, kFloatVertex) == "");
  CHECK(make(c.vertices, {0, 1, 500}, kFloatVertex) == "indices/2: there is no vertex 500: there are 500");
  CHECK(make(c.vertices, {0, 1}, kFloatVertex) == "indices: 2 indices are not a multiple of 3");
  CHECK(make(c.vertices, {0, 1, 2}, kPackedVertex).find("joints/") == 0);
  Vertices bad = c.vertices;
  bad.weights[7 * 4 + 1] = std::numeric_limits<float>::quiet_NaN();
  CHECK(make(bad, {0, 1, 2}, kFloatVertex).find("weights/7") == 0);
  bad = c.vertices;
  bad.positions[3].y = std::numeric_limits<float>::infinity();
  CHECK(make(bad, {0, 1, 2}, kFloatVertex).find("positions/3") == 0);
  bad = c.vertices;
  bad.normals.clear();
  CHECK(make(bad, {0, 1, 2}, kFloatVertex).find("normals") == 0);
  CHECK(context.error() == 0);
}

TEST_CASE("a palette that a mesh or program does not go with is refused") {
  const GlContext context;
  const Device device = context.device().device();
  const SkinningCase c = test::make_skinning_case({60, true, 2, 2});
  const GlMesh mesh = make_mesh(context, c, JointEncoding::u8x4);
  CaptureProgram program(context, test::own_shader(context.language(), {PaletteStorage::uniform_3x4, false}, 0, 0));
  const GlSkinning skinning = required(GlSkinning::create(context.device(), program.name()));
  CHECK(skinning.technique().storage == PaletteStorage::uniform_3x4);
  CHECK_FALSE(skinning.technique().bound);

  PaletteBuffer palettes = required(PaletteBuffer::create(device));
  const PaletteRef few = *palettes.add(std::span(c.bones).first(59));
  const PaletteRef all = *palettes.add(c.bones);
  CHECK(why(skinning.bind(palettes, all, 59)) == "it was added after the last upload");
  required(palettes.upload());
  CHECK(why(skinning.bind(palettes, few, mesh.largest_joint())) == "the mesh has joint 59, and of bones there are 59");
  CHECK(why(skinning.bind(palettes, all, mesh.largest_joint())) == "");
  const GlMesh stiff = make_mesh(context, c, JointEncoding::none);
  CHECK(why(skinning.bind(palettes, all, stiff.largest_joint())) == "the mesh has no joints: it was packed without");
  CHECK(why(skinning.bind(palettes, {}, 0)) == "the mesh has joint 0, and of bones there are 0");
  CHECK(why(skinning.bind(palettes, all, palettes, all, 59)) ==
        "the program cannot be bound to a skeleton: it has no marrow_skinning_mode");

  PaletteBuffer small = required(PaletteBuffer::create(device, {.max_bones = 60}));
  const PaletteRef in_small = *small.add(c.bones);
  required(small.upload());
  CHECK(why(skinning.bind(small, in_small, 59)) ==
        "the program's block of bones has 16368 bytes, and the buffer was made for 2880: make both for the same number "
        "of them");
  for (const PaletteStorage storage : {PaletteStorage::uniform_4x4, PaletteStorage::texture_3x4}) {
    PaletteBuffer other = required(PaletteBuffer::create(device, {.max_bones = 128, .storage = storage}));
    const PaletteRef elsewhere = *other.add(c.bones);
    required(other.upload());
    CHECK(why(skinning.bind(other, elsewhere, 59)) ==
          std::string("the program reads its bones from uniform_3x4, and they are in ") + to_string(storage));
  }

  CaptureProgram bound(context, test::own_shader(context.language(), {PaletteStorage::uniform_3x4, true}, 341, 2));
  const GlSkinning binding = required(GlSkinning::create(context.device(), bound.name()));
  CHECK(binding.technique().bound);
  PaletteBuffer binds = required(PaletteBuffer::create(device));
  const PaletteRef skeleton = *binds.add(std::span(c.inverse_binds).first(30));
  required(binds.upload());
  CHECK(why(binding.bind(palettes, all, binds, skeleton, 59)) ==
        "the mesh has joint 59, and of inverse binds there are 30");

  const MorphTargets targets = required(MorphTargets::create(device, c.vertices));
  MorphBuffer weights = required(MorphBuffer::create(device, {.max_targets = 2}));
  const MorphRef ref = *weights.add(targets, c.morph_weights);
  CHECK(why(skinning.bind_morphs(targets, weights, ref, 500)) ==
        "the program has no morph targets: MarrowMorphs is not in use");
  CHECK(why(binding.bind_morphs(targets, weights, ref, 500)) == "it was added after the last upload");
  required(weights.upload());
  CHECK(why(binding.bind_morphs(targets, weights, ref, 500)) == "");
  CHECK(why(binding.bind_morphs(targets, weights, ref, 501)) ==
        "the mesh has 501 vertices, and its morph targets have 500");
  const SkinningCase other = test::make_skinning_case({60, false, 2, 3});
  const MorphTargets other_targets = required(MorphTargets::create(device, other.vertices));
  CHECK(why(binding.bind_morphs(other_targets, weights, ref, 500)) == "the weights are for other morph targets");
  const SkinningCase many = test::make_skinning_case({60, false, 40, 3});
  const MorphTargets many_targets = required(MorphTargets::create(device, many.vertices));
  MorphBuffer many_weights = required(MorphBuffer::create(device));
  const MorphRef many_ref = *many_weights.add(many_targets, many.morph_weights);
  required(many_weights.upload());
  CHECK(why(binding.bind_morphs(many_targets, many_weights, many_ref, 500)) ==
        "the mesh has 40 morph targets, and the program declares fewer");
  CHECK(context.error() == 0);
}

TEST_CASE("a mesh with more joints than the program declares is refused, though the palette has them") {
  const GlContext context;
  const SkinningCase c = test::make_skinning_case({300, false, 0, 1});
  PaletteBuffer palettes = required(PaletteBuffer::create(context.device().device()));  // of 341
  const PaletteRef palette = *palettes.add(c.bones);
  required(palettes.upload());
  CaptureProgram bound(context, test::own_shader(context.language(), {PaletteStorage::uniform_3x4, true}, 0, 0));
  const GlSkinning skinning = required(GlSkinning::create(context.device(), bound.name()));
  CHECK(why(skinning.bind(palettes, palette, 299)) == "the mesh has joint 299, and the program declares 256 bones");
  CHECK(why(skinning.bind(palettes, palette, 255)) == "");
}

TEST_CASE("a palette of one buffer is not taken for one of another") {
  const GlContext context;
  const Device device = context.device().device();
  PaletteBuffer a = required(PaletteBuffer::create(device)), b = required(PaletteBuffer::create(device));
  const PaletteRef in_a = *a.add(std::vector<Affine>(100)), in_b = *b.add(std::vector<Affine>(2));
  required(a.upload());
  required(b.upload());
  CHECK(a.binding(in_a));
  CHECK(b.binding(in_b));
  CHECK(why(b.binding(in_a)) ==
        "it was not added to this buffer in this frame: refs are good until the next begin_frame");
}

TEST_CASE("binding points and units that are not there are refused") {
  const GlContext context;
  CaptureProgram program(context, test::own_shader(context.language(), {PaletteStorage::uniform_3x4, false}, 0, 0));
  GlBindings bindings;
  bindings.bones_block = 5000;
  CHECK(why(GlSkinning::create(context.device(), program.name(), bindings))
            .find("there is no binding point 5000 for uniform buffers: this device has ") == 0);
  bindings = {};
  bindings.morph_unit = 5000;
  CHECK(why(GlSkinning::create(context.device(), program.name(), bindings))
            .find("there is no texture unit 5000: this device has ") == 0);
  CHECK(why(GlDevice::create(test::get_gl_proc, {.upload_unit = 5000})).find("upload_unit: there is no texture unit") ==
        0);
  CHECK(context.error() == 0);
}

TEST_CASE("a program without bones is refused") {
  const GlContext context;
  CaptureProgram program(context,
                         "#version 300 es\n"
                         "layout(location = 0) in vec3 a_position;\n"
                         "out vec3 v_world_position, v_world_normal;\n"
                         "void main() { v_world_position = a_position; v_world_normal = a_position; gl_Position = "
                         "vec4(a_position, 1.0); }\n");
  CHECK(why(GlSkinning::create(context.device(), program.name())) ==
        "the program reads no bones: it has neither MarrowBones nor marrow_bone_texture in use");
}

// Drivers that are not what they should be, over the real one.
const char* fake_version = nullptr;
const char* missing_function = nullptr;
unsigned int reset_status = 0;

constexpr const char* kTellsOfResets = "OpenGL ES 3.2";

void* fake_proc(const char* name) {
  if (missing_function != nullptr && std::strcmp(name, missing_function) == 0) return nullptr;
  if (fake_version != nullptr && std::strcmp(name, "glGetString") == 0) {
    return reinterpret_cast<void*>(+[](unsigned int) { return reinterpret_cast<const unsigned char*>(fake_version); });
  }
  if (std::strcmp(name, "glGetGraphicsResetStatus") == 0) {
    return reinterpret_cast<void*>(+[] { return reset_status; });
  }
  return test::get_gl_proc(name);
}

TEST_CASE("a context that is too old or incomplete is refused, by its name") {
  const GlContext context;
  CHECK(why(GlDevice::create([](const char*) -> void* { return nullptr; })) ==
        "there is no OpenGL here: glGetString is missing");
  for (const char* old : {"OpenGL ES 2.0 (ANGLE)", "3.2 (Core Profile) Mesa", "2.1 Metal", "nonsense", ""}) {
    fake_version = old;
    CHECK(why(GlDevice::create(fake_proc)) ==
          std::string("OpenGL ES 3.0, WebGL 2 or OpenGL 3.3 is needed, and this is ") + old);
  }
  for (const char* good : {"OpenGL ES 3.0", "OpenGL ES 3.2 Mesa", "3.3.0 NVIDIA", "4.6 (Core Profile)"}) {
    fake_version = good;
    CHECK(why(GlDevice::create(fake_proc)) == "");
  }
  fake_version = nullptr;
  missing_function = "glBindBufferRange";
  CHECK(why(GlDevice::create(fake_proc)).find("glBindBufferRange is missing in OpenGL ES 3") == 0);
  missing_function = nullptr;
}

TEST_CASE("a lost context is told by the next upload, and stays lost") {
  const GlContext context;
  fake_version = kTellsOfResets;
  const GlDevice device = required(GlDevice::create(fake_proc));
  CHECK_FALSE(device.is_lost());
  PaletteBuffer palettes = required(PaletteBuffer::create(device.device()));
  const std::vector<Affine> bones(24);
  REQUIRE(palettes.add(bones));
  required(palettes.upload());
  reset_status = 0x8254;  // by somebody else
  REQUIRE(palettes.add(bones));
  CHECK(palettes.upload().error().code == ErrorCode::device_lost);
  reset_status = 0;
  CHECK(device.is_lost());
  CaptureProgram program(context, test::own_shader(context.language(), {PaletteStorage::uniform_3x4, false}, 0, 0));
  CHECK(GlSkinning::create(device, program.name()).error().code == ErrorCode::device_lost);
  const SkinningCase c = test::make_skinning_case({24, false, 3, 1});
  CHECK(GlMesh::create(device, c.vertices, {}, kFloatVertex).error().code == ErrorCode::device_lost);
  CHECK(MorphTargets::create(device.device(), c.vertices).error().code == ErrorCode::device_lost);
  CHECK(palettes.upload().error().code == ErrorCode::device_lost);
}

TEST_CASE("what is left of a lost context leaves the next alone, in whichever order it goes") {
  const GlContext context;  // stands for both: names are the same
  const SkinningCase c = test::make_skinning_case({24, false, 3, 1});
  fake_version = kTellsOfResets;
  GlDevice device = required(GlDevice::create(fake_proc));
  PaletteBuffer palettes = required(PaletteBuffer::create(device.device()));
  REQUIRE(palettes.add(c.bones));
  required(palettes.upload());
  MorphTargets targets = required(MorphTargets::create(device.device(), c.vertices));
  GlMesh mesh = required(GlMesh::create(device, c.vertices, {}, kFloatVertex));
  const auto is_buffer = reinterpret_cast<unsigned char (*)(unsigned int)>(test::get_gl_proc("glIsBuffer"));
  const auto name = static_cast<unsigned int>(palettes.binding(*palettes.add({}))->handle);
  REQUIRE(is_buffer(name) == 1);
  reset_status = 0x8254;
  CHECK(device.is_lost());
  reset_status = 0;
  // The old device goes first.
  device = required(GlDevice::create(fake_proc));
  palettes = required(PaletteBuffer::create(device.device()));
  targets = required(MorphTargets::create(device.device(), c.vertices));
  mesh = required(GlMesh::create(device, c.vertices, {}, kFloatVertex));
  CHECK(is_buffer(name) == 1);
  CHECK(context.error() == 0);
}

#if !defined(__EMSCRIPTEN__)  // where calls without a context are errors of the page
TEST_CASE("without a current context nothing can be made") {
  { const GlContext context; }
  CHECK(why(GlDevice::create(test::get_gl_proc)) == "no context of OpenGL is current on this thread");
}
#endif

}  // namespace
}  // namespace marrow

#include "marrow/model/model_file.h"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "marrow/anim/clip_keys.h"
#include "marrow/anim/sampling.h"
#include "marrow/core/hash.h"
#include "model/placed_bytes.h"
#include "model/random_model.h"
#include "src/model/model_file_format.h"

namespace marrow {
namespace {

using test::placed;
using test::Random;
using test::random_model;

bool is_inside(const void* p, const SharedBytes& file) {
  return p >= file.bytes.data() && p < file.bytes.data() + file.bytes.size();
}

void seal(std::vector<std::byte>& bytes) {
  const std::uint64_t size = bytes.size(), sum = hash_bulk(std::span<const std::byte>(bytes).subspan(file::kChecked));
  std::memcpy(bytes.data() + offsetof(file::Header, size), &size, sizeof size);
  std::memcpy(bytes.data() + offsetof(file::Header, checksum), &sum, sizeof sum);
}

template <typename T>
void set(std::vector<std::byte>& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::string error_of(std::span<const std::byte> bytes, bool verify = true) {
  const Result<Model> model = read_model_file(placed(bytes), {verify});
  return model ? "" : to_string(model.error());
}

void check_same_motion(const Model& a, const Model& b) {
  CHECK(a.skeleton().hash() == b.skeleton().hash());
  REQUIRE(a.clips().size() == b.clips().size());
  Pose p(a.skeleton()), q(b.skeleton());
  for (std::size_t i = 0; i < a.clips().size(); ++i) {
    const Clip &x = a.clips()[i], &y = b.clips()[i];
    CHECK(x.hash() == y.hash());
    CHECK(x.name() == y.name());
    CHECK(x.tracks().size() == y.tracks().size());
    Cursor at_x(x), at_y(y);
    for (double time_s = -0.5; time_s < x.duration() + 0.5; time_s += 0.21) {
      sample(x, time_s, at_x, p);
      sample(y, time_s, at_y, q);
      CHECK(std::memcmp(p.floats().data(), q.floats().data(), p.floats().size_bytes()) == 0);
      CHECK(std::memcmp(p.present().data(), q.present().data(), p.present().size_bytes()) == 0);
    }
    CHECK(create_clip(a.skeleton(), clip_keys(a.skeleton(), x))->hash() ==
          create_clip(b.skeleton(), clip_keys(b.skeleton(), y))->hash());
  }
}

TEST_CASE("a model that is read is the one that was written") {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    CAPTURE(i);
    const Model model = random_model(random);
    const std::vector<std::byte> bytes = write_model_file(model);
    CHECK(bytes.size() % kModelFileAlignment == 0);
    for (const bool verify : {true, false}) {
      const Result<Model> read = read_model_file(placed(bytes), {verify});
      REQUIRE_MESSAGE(read, to_string(read.error()));
      CHECK(read->name() == model.name());
      CHECK(read->up() == model.up());
      check_same_motion(model, *read);
      // All that a model holds goes into a file, so a difference would be one of bytes.
      CHECK(write_model_file(*read) == bytes);
    }
  }
}

TEST_CASE("every part of a model comes back") {
  Random random(2);
  const Model model = random_model(random);
  const Result<Model> read = read_model_file(placed(write_model_file(model)));
  REQUIRE(read);
  const Vertices &a = *model.meshes()[0].parts[0].vertices, &b = *read->meshes()[0].parts[0].vertices;
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof x[0]) == 0;
  };
  CHECK(same(a.positions, b.positions));
  CHECK(same(a.normals, b.normals));
  CHECK(same(a.tangents, b.tangents));
  CHECK(same(a.colors, b.colors));
  CHECK(same(a.uvs.at(1), b.uvs.at(1)));
  CHECK(same(a.joints, b.joints));
  CHECK(same(a.weights, b.weights));
  CHECK(same(a.targets.at(0).positions, b.targets.at(0).positions));
  CHECK(same(a.targets.at(1).tangents, b.targets.at(1).tangents));
  CHECK(b.influences == 4);
  CHECK(read->meshes()[0].parts[1].vertices == read->meshes()[0].parts[0].vertices);
  CHECK(read->meshes()[0].parts[1].topology == Topology::lines);
  CHECK(read->meshes()[0].morph_names.at(1) == "blink");
  CHECK(same(model.skins()[0].joints(), read->skins()[0].joints()));
  CHECK(same(model.skins()[0].inverse_binds(), read->skins()[0].inverse_binds()));
  const Material& m = read->materials()[0];
  CHECK(m.name == "skin");
  CHECK(m.base_color.w == 0.4f);
  CHECK(m.base_color_texture.wrap_u == Wrap::mirror);
  CHECK(m.base_color_texture.wrap_v == Wrap::clamp);
  CHECK(m.base_color_texture.nearest);
  CHECK(m.base_color_texture.scale.y == 5);
  CHECK(m.base_color_texture.rotation == 3);
  CHECK(m.emissive.z == 8);
  CHECK(m.emissive_texture.image == 0);
  CHECK(m.alpha_mode == AlphaMode::mask);
  CHECK(m.alpha_cutoff == 0.125f);
  CHECK(m.metallic == 0.5f);
  CHECK(m.roughness == 0.25f);
  CHECK(m.double_sided);
  CHECK(m.unlit);
  CHECK(read->images()[0].uri == "a b.png");
  CHECK(read->images()[0].mime_type == "image/png");
  CHECK(read->images()[0].bytes == Array<std::byte>{std::byte{1}, std::byte{2}, std::byte{3}});
  const ModelNode& last = read->nodes().back();
  CHECK(last.rest.translation.z == 3);
  CHECK_FALSE(last.shown);
  CHECK(last.mesh == 1);
}

TEST_CASE("a model of nothing is written and read") { CHECK(read_model_file(placed(write_model_file(Model())))); }

TEST_CASE("a mesh whose no vertices have influences is written and read") {
  auto vertices = std::make_shared<Vertices>();
  vertices->influences = 4;
  ModelParts parts;
  parts.meshes = {{"nothing", {{vertices, {}, Topology::triangles, kNone}}, {}}};
  const Result<Model> model = Model::create(std::move(parts));
  REQUIRE_MESSAGE(model.ok(), (model ? "" : to_string(model.error())));
  const std::vector<std::byte> bytes = write_model_file(*model);
  CHECK(error_of(bytes) == "");
  CHECK(write_model_file(*read_model_file(placed(bytes))) == bytes);
}

TEST_CASE("arrays are used where they are in the file, which lives as long as the model") {
  Random random(3);
  const std::vector<std::byte> bytes = write_model_file(random_model(random));
  SharedBytes file = placed(bytes);
  const std::weak_ptr<const void> watched = file.owner;
  std::optional<Model> model = *read_model_file(file);
  CHECK(is_inside(model->meshes()[0].parts[0].vertices->positions.data(), file));
  CHECK(is_inside(model->meshes()[0].parts[0].indices.data(), file));
  CHECK(is_inside(model->images()[0].bytes.data(), file));
  file = {};
  CHECK_FALSE(watched.expired());
  const Clip clip = model->clips()[0];
  model.reset();
  CHECK_FALSE(watched.expired());  // a clip alone keeps it, too
  Pose pose(random_model(random).skeleton());
  CHECK(clip.duration() >= 0);
}

TEST_CASE("bytes at an odd address, or without an owner, are copied") {
  Random random(4);
  const Model model = random_model(random);
  const std::vector<std::byte> bytes = write_model_file(model);
  const SharedBytes odd = placed(bytes, 4);
  const Result<Model> copied = read_model_file(odd);
  REQUIRE(copied);
  CHECK_FALSE(is_inside(copied->meshes()[0].parts[0].indices.data(), odd));
  check_same_motion(model, *copied);
  std::optional<std::vector<std::byte>> borrowed = bytes;
  const Result<Model> unowned = read_model_file({*borrowed, nullptr});
  borrowed.reset();
  REQUIRE(unowned);
  check_same_motion(model, *unowned);
}

TEST_CASE("a file that is cut off anywhere is refused") {
  Random random(5);
  const std::vector<std::byte> bytes = write_model_file(random_model(random));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string error = error_of(std::span(bytes).first(size));
    CHECK_MESSAGE(error != "", "of ", size, " bytes");
    if (size >= 8) CHECK(error.find("the model file was cut off: there are ") == 0);
  }
}

TEST_CASE("every changed byte is noticed") {
  Random random(6);
  const std::vector<std::byte> bytes = write_model_file(random_model(random, 1));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::byte> changed = bytes;
    changed[at] ^= std::byte{0x10};
    CHECK_MESSAGE(error_of(changed) != "", "at byte ", at);
  }
}

TEST_CASE("what is wrong with a file is said in a sentence") {
  Random random(7);
  const std::vector<std::byte> bytes = write_model_file(random_model(random));
  std::vector<std::byte> other = bytes;
  set(other, offsetof(file::Header, byte_order), std::uint32_t{0x04030201});
  CHECK(error_of(other) ==
        "byte 8: the model file was written for machines of the other byte order; convert its source anew here");
  other = bytes;
  set(other, offsetof(file::Header, version), std::uint32_t{7});
  CHECK(error_of(other) ==
        "byte 12: the model file is of version 7, and this library reads version 1; convert its source anew");
  other = bytes;
  other.resize(bytes.size() + 3);
  CHECK(error_of(other).find("something was added to the model file") == 0);
  other = bytes;
  other.back() ^= std::byte{1};
  CHECK(error_of(other) == "byte 24: the model file was changed or damaged: its checksum is not that of its contents");
  CHECK(error_of(other, false) == "");  // nobody looks
  CHECK(error_of(std::as_bytes(std::span("{\"asset\": {}}"))) == "byte 0: this is no model file");
}

TEST_CASE("slices outside of the file, over each other, or of too much are refused") {
  Random random(8);
  const std::vector<std::byte> bytes = write_model_file(random_model(random));
  const auto with_nodes = [&](std::uint64_t offset, std::uint64_t count) {
    std::vector<std::byte> changed = bytes;
    set(changed, offsetof(file::Header, nodes), file::Slice{offset, count});
    seal(changed);
    return error_of(changed);
  };
  CHECK(with_nodes(bytes.size() + 8, 1) == "nodes: what is here is said to be outside of the file");
  CHECK(with_nodes(~std::uint64_t{7}, 1) == "nodes: what is here is said to be outside of the file");
  CHECK(with_nodes(192, ~std::uint64_t{0}) == "nodes: what is here is said to be outside of the file");
  CHECK(with_nodes(192, (~std::uint64_t{0}) / 80 + 1) == "nodes: what is here is said to be outside of the file");
  CHECK(with_nodes(0, 1) == "nodes: what is here is said to be outside of the file");  // the header itself
  CHECK(with_nodes(193, 1) == "nodes: what is here is said to be outside of the file");
  CHECK(with_nodes(184, (bytes.size() - 184) / 80) == "nodes: what is here is said to be where other things are");
}

TEST_CASE("names that are not UTF-8 are mended, and what names a file is kept") {
  Random random(11);
  ModelParts parts = random_model(random).parts();
  parts.name = "\xff";
  JointDesc joint;
  joint.name = "hand\xff";
  parts.skeleton = Skeleton::create(std::span(&joint, 1))->skeleton;
  parts.skins = {*Skin::create(parts.skeleton, {}, {}, "skin\xff")};
  parts.clips = {*Clip::create(parts.skeleton, {"clip\xff", {}, {}})};
  parts.meshes = {{"mesh\xff", {}, {"target\xff"}}};
  parts.materials[0].name = "material\xff";
  parts.nodes = {{"node\xff", kNone, {}, 0, 0, kNone, true}};
  parts.images[0].name = parts.images[0].mime_type = parts.images[0].uri = "image\xff";
  const Model model = *Model::create(std::move(parts));
  for (const bool verify : {true, false}) {
    const Result<Model> read = read_model_file(placed(write_model_file(model)), {verify});
    REQUIRE_MESSAGE(read, to_string(read.error()));
    CHECK(read->name() == "\xef\xbf\xbd");
    CHECK(read->skeleton().name(0) == "hand\xef\xbf\xbd");
    CHECK(read->skeleton().joint("hand\xef\xbf\xbd").value() == 0);
    CHECK(read->skins()[0].name() == "skin\xef\xbf\xbd");
    CHECK(read->clips()[0].name() == "clip\xef\xbf\xbd");
    CHECK(read->meshes()[0].name == "mesh\xef\xbf\xbd");
    CHECK(read->meshes()[0].morph_names[0] == "target\xef\xbf\xbd");
    CHECK(read->materials()[0].name == "material\xef\xbf\xbd");
    CHECK(read->nodes()[0].name == "node\xef\xbf\xbd");
    CHECK(read->images()[0].name == "image\xef\xbf\xbd");
    CHECK(read->images()[0].mime_type == "image\xef\xbf\xbd");
    CHECK(read->images()[0].uri == "image\xff");
  }
}

// What is accepted must be safe to use, whatever it is.
void use(const Model& model) {
  Pose pose(model.skeleton());
  for (const Clip& clip : model.clips()) {
    Cursor cursor(clip);
    for (const double time_s : {0.0, clip.duration() / 3, clip.duration(), 1e9, -1e9}) {
      sample(clip, time_s, cursor, pose);
      for (std::uint32_t j = 0; j < model.skeleton().joint_count(); ++j) {
        const Quat q = pose.transform(j).rotation;
        const double squared = double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w;
        CHECK(squared == doctest::Approx(1).epsilon(1e-4));
      }
    }
    CHECK(create_clip(model.skeleton(), clip_keys(model.skeleton(), clip)));
  }
}

TEST_CASE("files with wrong numbers in them are refused, or are as good as others") {
  Random random(9);
  int accepted = 0;
  for (int round = 0; round < 20; ++round) {
    const std::vector<std::byte> bytes = write_model_file(random_model(random));
    for (int i = 0; i < 200; ++i) {
      std::vector<std::byte> changed = bytes;
      const std::size_t at =
          file::kChecked + random.below(static_cast<std::uint32_t>((bytes.size() - file::kChecked) / 4)) * 4;
      constexpr std::uint32_t kWords[] = {0,          1,          8,          9,       0x3f800000,
                                          0x7fc00000, 0x7f800000, 0xffffffff, 0x10000, 0x60000000};
      set(changed, at, kWords[random.below(std::size(kWords))]);
      seal(changed);
      const Result<Model> model = read_model_file(placed(changed));
      if (!model) {
        CHECK(!model.error().message.empty());
        continue;
      }
      ++accepted;
      use(*model);
    }
  }
  CHECK(accepted > 100);  // most words are coordinates
}

TEST_CASE("a file on disk is loaded, and one that is none is told by name") {
  Random random(10);
  const Model model = random_model(random);
  const std::vector<std::byte> bytes = write_model_file(model);
  char folder[] = "/tmp/marrow-model-file-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string path = std::string(folder) + "/a.mrw";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const Result<Model> loaded = load_model_file(path);
  REQUIRE(loaded);
  std::filesystem::remove_all(folder);
  check_same_motion(model, *loaded);
  CHECK(load_model_file("/nowhere/a.mrw").error().message == "\"/nowhere/a.mrw\" does not exist");
}

}  // namespace
}  // namespace marrow

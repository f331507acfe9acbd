#include "marrow/gpu/palette_buffer.h"

#include <doctest/doctest.h>

#include "gpu/recording_device.h"
#include "marrow/gpu/morph_buffer.h"
#include "skin/random_vertices.h"

namespace marrow {
namespace {

using test::RecordingDevice;

PaletteBuffer create_buffer(const RecordingDevice& recording, PaletteBufferOptions options) {
  Result<PaletteBuffer> made = PaletteBuffer::create(recording.device, options);
  REQUIRE(made.ok());
  return std::move(*made);
}

std::vector<Affine> random_bones(test::Random& random, std::size_t count) {
  std::vector<Affine> bones(count);
  for (Affine& bone : bones) bone = test::random_affine(random);
  return bones;
}

bool same(const std::vector<Affine>& a, const std::vector<Affine>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Affine)) == 0;
}

template <typename T>
std::string why(const Result<T>& result) {
  return result ? "" : to_string(result.error());
}

TEST_CASE("palettes of many characters are in one buffer, each whole and where a shader may begin to read") {
  for (const PaletteStorage storage :
       {PaletteStorage::uniform_3x4, PaletteStorage::texture_3x4, PaletteStorage::storage_3x4}) {
    RecordingDevice recording;
    recording.device.limits.storage_bytes = 1u << 20;
    test::Random random(5);
    PaletteBuffer buffer = create_buffer(recording, {.max_bones = 100, .palettes = 50, .storage = storage});
    for (int frame = 0; frame < 8; ++frame) {
      buffer.begin_frame();
      std::vector<std::vector<Affine>> all;
      std::vector<PaletteRef> refs;
      for (int i = 0; i < 50; ++i) {
        all.push_back(random_bones(random, 1 + random.below(100)));
        refs.push_back(*buffer.add(all.back()));
        // Now and then some are needed before the others are known.
        if (i == 10 || i == 30) REQUIRE(buffer.upload());
      }
      REQUIRE(buffer.upload());
      CHECK(buffer.counters().blocks == 50);
      CHECK(buffer.counters().writes == 3);
      CHECK(buffer.counters().allocations == (frame == 0 ? 3 : 0));
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Result<BufferBinding> at = buffer.binding(refs[i]);
        REQUIRE(at.ok());
        CHECK(same(recording.bones_at(*at, all[i].size(), is_texture(storage)), all[i]));
        if (is_texture(storage)) continue;
        CHECK(at->offset % 256 == 0);
        // A shader sees 100 bones from there on, and nothing behind the end.
        CHECK(at->bytes == 100 * 48);
        CHECK(at->offset + at->bytes <= recording.memory.at(at->handle).size());
      }
    }
    CHECK(recording.well_formed);
    CHECK(recording.memory.size() == 3);  // as many as there are frames on the way
  }
}

TEST_CASE("a frame does not write where the two before it are read") {
  RecordingDevice recording;
  PaletteBuffer buffer = create_buffer(recording, {.max_bones = 4});
  const std::vector<Affine> bones(4);
  std::vector<DeviceHandle> handles;
  for (int frame = 0; frame < 9; ++frame) {
    buffer.begin_frame();
    const PaletteRef ref = *buffer.add(bones);
    REQUIRE(buffer.upload());
    handles.push_back(buffer.binding(ref)->handle);
  }
  for (std::size_t i = 2; i < handles.size(); ++i) {
    CHECK(handles[i] != handles[i - 1]);
    CHECK(handles[i] != handles[i - 2]);
    if (i >= 3) CHECK(handles[i] == handles[i - 3]);
  }
}

TEST_CASE("bones that a palette does not have are the identity in a buffer that fills its palettes") {
  RecordingDevice recording;
  PaletteBuffer buffer =
      create_buffer(recording, {.max_bones = 6, .storage = PaletteStorage::texture_3x4, .fill = true});
  test::Random random(2);
  std::vector<Affine> bones = random_bones(random, 4);
  const PaletteRef refs[] = {*buffer.add(bones), *buffer.add({1, 0}, 0, bones), *buffer.add({})};
  REQUIRE(buffer.upload());
  bones.resize(6);
  for (const PaletteRef ref : refs) {
    CHECK(ref.bones == 6);
    CHECK(same(recording.bones_at(*buffer.binding(ref), 6, true), ref.block < 2 ? bones : std::vector<Affine>(6)));
  }
}

TEST_CASE("a palette with a key is added once for each version in a frame") {
  RecordingDevice recording;
  PaletteBuffer buffer = create_buffer(recording, {.max_bones = 4});
  test::Random random(9);
  for (std::uint64_t frame = 0; frame < 5; ++frame) {
    buffer.begin_frame();
    const std::vector<Affine> one = random_bones(random, 4), other = random_bones(random, 3);
    const PaletteRef a = *buffer.add({1, 0}, frame, one), b = *buffer.add({1, 1}, frame, other);
    CHECK(buffer.add({1, 0}, frame, one)->block == a.block);
    const PaletteRef later = *buffer.add({1, 0}, frame + 100, other);
    CHECK(later.block != a.block);
    CHECK(buffer.counters().blocks == 3);
    REQUIRE(buffer.upload());
    CHECK(same(recording.bones_at(*buffer.binding(a), 4, false), one));
    CHECK(same(recording.bones_at(*buffer.binding(b), 3, false), other));
    CHECK(same(recording.bones_at(*buffer.binding(later), 3, false), other));
  }
}

TEST_CASE("what is wrong with a palette is said, and nothing of it reaches the device") {
  RecordingDevice recording;
  CHECK(why(PaletteBuffer::create(recording.device, {.max_bones = 0})) == "there must be a bone at least");
  CHECK(why(PaletteBuffer::create(recording.device, {.max_bones = 200, .storage = PaletteStorage::uniform_4x4})) ==
        "200 bones were asked for in uniform_4x4, which holds 128 on this device");

  PaletteBuffer buffer = create_buffer(recording, {.max_bones = 10});
  CHECK(why(buffer.add(std::vector<Affine>(11))) == "the palette has 11 bones, and the buffer was made for 10");
  const PaletteRef ref = *buffer.add(std::vector<Affine>(10));
  CHECK(why(buffer.binding(ref)) == "it was added after the last upload");
  REQUIRE(buffer.upload());
  CHECK(buffer.binding(ref));
  buffer.begin_frame();
  CHECK(why(buffer.binding(ref)) ==
        "it was not added to this buffer in this frame: refs are good until the next begin_frame");
  CHECK_FALSE(buffer.binding({}).ok());

  CHECK(buffer.binding(*buffer.add({})));  // of no bones

  // A device that is out of memory keeps its contents.
  const PaletteRef small = *buffer.add(std::vector<Affine>(3));
  REQUIRE(buffer.upload());
  recording.max_bytes = 2000;
  for (int i = 0; i < 10; ++i) REQUIRE(buffer.add(std::vector<Affine>(10)));
  // The small one up to 256, ten of 480 at steps of 512, and what a shader sees from the last on.
  CHECK(why(buffer.upload()) == "the device has not enough memory for 5824 bytes");
  CHECK(buffer.binding(small));
  recording.max_bytes = 5824;  // but not for twice as much
  REQUIRE(buffer.upload());
  CHECK(buffer.binding(small));

  recording.lost = true;
  CHECK(why(buffer.upload()) == "the graphics context was lost; create the device and all its objects again");
  CHECK(buffer.upload().error().code == ErrorCode::device_lost);
  CHECK(recording.well_formed);
}

TEST_CASE("a texture that cannot take all palettes of a frame refuses the last, and shows the others") {
  RecordingDevice recording;
  recording.device.limits.texture_size = 1024;
  PaletteBuffer buffer = create_buffer(recording, {.max_bones = 3000, .storage = PaletteStorage::texture_3x4});
  const std::vector<Affine> bones(3000);
  for (int i = 0; i < 87; ++i) REQUIRE(buffer.add(bones));
  CHECK(why(buffer.add(bones)) ==
        "with this the frame has more than 262144 bones together, which is what this device holds in texture_3x4");
  const PaletteRef small = *buffer.add(std::vector<Affine>(1144));  // just what is left
  REQUIRE(buffer.upload());
  CHECK(buffer.binding(small));
  CHECK(recording.well_formed);
}

TEST_CASE("growth in mid-frame leaves what is bound until the next frame") {
  RecordingDevice recording;
  test::Random random(3);
  PaletteBuffer buffer = create_buffer(recording, {.max_bones = 10});
  const std::vector<Affine> bones = random_bones(random, 10);
  const PaletteRef first = *buffer.add(bones);
  REQUIRE(buffer.upload());
  const BufferBinding before = *buffer.binding(first);
  for (int i = 0; i < 50; ++i) REQUIRE(buffer.add(bones));
  REQUIRE(buffer.upload());
  const BufferBinding after = *buffer.binding(first);
  CHECK(after.handle != before.handle);
  CHECK(same(recording.bones_at(before, 10, false), bones));
  CHECK(same(recording.bones_at(after, 10, false), bones));
  CHECK(recording.memory.size() == 6);
  buffer.begin_frame();
  CHECK(recording.memory.size() == 3);
  CHECK(recording.well_formed);
}

TEST_CASE("everything is given back to the device, also when a buffer is moved") {
  RecordingDevice recording;
  {
    PaletteBuffer buffer = create_buffer(recording, {.max_bones = 4});
    REQUIRE(buffer.add(std::vector<Affine>(4)));
    REQUIRE(buffer.upload());
    PaletteBuffer other = std::move(buffer);
    REQUIRE(other.add(std::vector<Affine>(4)));
    REQUIRE(other.upload());
    other = create_buffer(recording, {.max_bones = 4, .storage = PaletteStorage::texture_3x4});
    REQUIRE(other.add(std::vector<Affine>(4)));
    REQUIRE(other.upload());
    test::Random random(1);
    Vertices vertices = test::random_vertices(random, 10, 4, 4);
    vertices.targets.resize(2);
    vertices.targets[0].positions.resize(10);
    MorphTargets targets = *MorphTargets::create(recording.device, vertices);
    MorphTargets moved = std::move(targets);
    moved = *MorphTargets::create(recording.device, vertices);
    CHECK(moved.targets() == 2);
  }
  CHECK(recording.memory.empty());
  CHECK(recording.well_formed);
}

TEST_CASE("morph targets and weights that cannot be are refused") {
  RecordingDevice recording;
  test::Random random(1);
  Vertices vertices = test::random_vertices(random, 5, 4, 4);
  vertices.targets.resize(3);
  const MorphTargets targets = *MorphTargets::create(recording.device, vertices);
  MorphBuffer weights = *MorphBuffer::create(recording.device, {.max_targets = 3});
  const float bad[] = {0, 1, std::numeric_limits<float>::quiet_NaN()};
  CHECK(why(weights.add(targets, bad)) == "weights/2: a morph weight is not finite");
  CHECK(weights.add(targets, std::span(bad).first(2)));
  MorphBuffer few = *MorphBuffer::create(recording.device, {.max_targets = 2});
  CHECK(why(few.add(targets, {})) == "the mesh has 3 morph targets, and the buffer was made for 2");
  CHECK(why(MorphBuffer::create(recording.device, {.max_targets = 4093})) ==
        "4093 morph targets were asked for, and a uniform buffer of this device holds the weights of 4092");
  CHECK(MorphBuffer::create(recording.device, {.max_targets = 4092}));
  vertices.targets[1].positions.resize(4);
  CHECK_FALSE(MorphTargets::create(recording.device, vertices).ok());
  vertices.targets[1].positions.resize(5);
  recording.device.limits.texture_size = 2;
  CHECK(why(MorphTargets::create(recording.device, vertices)) ==
        "targets: the morph targets take 15 texels, and a texture of this device has 4");
}

}  // namespace
}  // namespace marrow

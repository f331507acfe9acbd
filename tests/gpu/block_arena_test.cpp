// Palettes that stay in a buffer from frame to frame: what is written of them, and what is read where they are.
#include "src/gpu/block_arena.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "gpu/recording_device.h"
#include "marrow/gpu/palette_buffer.h"
#include "skin/random_vertices.h"

namespace marrow {
namespace {

using test::Random;
using test::RecordingDevice;

constexpr std::uint32_t kCopies = 3;

// A character, whose bones say its number and version.
struct Character {
  std::uint64_t key = 0, version = 0;
  std::uint32_t bones = 5;

  [[nodiscard]] std::vector<Affine> palette() const {
    std::vector<Affine> all(bones);
    for (std::uint32_t i = 0; i < bones; ++i) {
      all[i].m[0][0] = static_cast<float>(key);
      all[i].m[1][1] = static_cast<float>(version);
      all[i].m[2][2] = static_cast<float>(i);
    }
    return all;
  }
};

std::vector<Character> make_crowd(std::size_t count) {
  std::vector<Character> crowd(count);
  for (std::size_t i = 0; i < count; ++i) crowd[i].key = i + 1;
  return crowd;
}

// Names a palette: "key version", or why its bytes are none.
std::string name_of(std::span<const Affine> bones) {
  for (std::size_t i = 0; i < bones.size(); ++i) {
    Affine expected = bones[0];
    expected.m[2][2] = static_cast<float>(i);
    if (std::memcmp(&bones[i], &expected, sizeof expected) != 0) return "bone " + std::to_string(i) + " is wrong";
  }
  if (bones.empty()) return "";
  return std::to_string(static_cast<int>(bones[0].m[0][0])) + " " + std::to_string(static_cast<int>(bones[0].m[1][1]));
}
std::string name_of(const Character& one) { return name_of(one.palette()); }

class Frames {
 public:
  Frames(RecordingDevice& recording, const PaletteBufferOptions& options)
      : recording_(recording), buffer(*PaletteBuffer::create(recording.device, options)) {}

  // Draws a frame of these, and returns what was done.
  UploadCounters draw(std::span<const Character> crowd) {
    buffer.begin_frame();
    std::vector<PaletteRef> refs;
    for (const Character& one : crowd) refs.push_back(*buffer.add({one.key, 0}, one.version, one.palette()));
    REQUIRE(buffer.upload());
    for (std::size_t i = 0; i < crowd.size(); ++i) CHECK(shown(refs[i]) == name_of(crowd[i]));
    CHECK(recording_.well_formed);
    return buffer.counters();
  }

  [[nodiscard]] std::string shown(PaletteRef ref) const {
    const Result<BufferBinding> at = buffer.binding(ref);
    if (!at) return to_string(at.error());
    return name_of(recording_.bones_at(*at, ref.bones, is_texture(buffer.storage())));
  }

 private:
  RecordingDevice& recording_;

 public:
  PaletteBuffer buffer;
};

TEST_CASE("a character that stands still is packed once, and uploaded once to each copy") {
  for (const PaletteStorage storage :
       {PaletteStorage::uniform_3x4, PaletteStorage::texture_3x4, PaletteStorage::storage_3x4}) {
    RecordingDevice recording;
    recording.device.limits.storage_bytes = 1u << 20;
    Frames frames(recording, {.max_bones = 20, .storage = storage});
    std::vector<Character> crowd = make_crowd(10);
    for (std::uint32_t frame = 0; frame < 20; ++frame) {
      CAPTURE(frame);
      const UploadCounters done = frames.draw(crowd);
      CHECK(done.blocks == 10);
      CHECK(done.packed == (frame == 0 ? 10 : 0));
      CHECK(done.writes == (frame < kCopies ? 1 : 0));
      CHECK((done.bytes == 0) == (frame >= kCopies));
    }
    // One moves once: the copies get it one after the other.
    crowd[4].version = 7;
    for (std::uint32_t frame = 0; frame < 6; ++frame) {
      CAPTURE(frame);
      const UploadCounters done = frames.draw(crowd);
      CHECK(done.packed == (frame == 0 ? 1 : 0));
      CHECK(done.writes == (frame < kCopies ? 1 : 0));
      const std::uint64_t each = is_texture(storage) ? 256 * 48 : 5 * 48;  // a row
      CHECK(done.bytes == (frame < kCopies ? each : 0));
    }
  }
}

TEST_CASE("neighbours that move are one write, and those between them that stand still are not written") {
  RecordingDevice recording;
  Frames frames(recording, {.max_bones = 20, .storage = PaletteStorage::uniform_3x4});
  std::vector<Character> crowd = make_crowd(10);
  for (std::uint32_t frame = 0; frame < kCopies; ++frame) frames.draw(crowd);
  const auto after_moving = [&](std::initializer_list<std::size_t> those) {
    for (std::uint32_t frame = 0; frame < kCopies; ++frame) frames.draw(crowd);
    for (const std::size_t i : those) ++crowd[i].version;
    const UploadCounters done = frames.draw(crowd);
    CHECK(done.packed == those.size());
    return std::pair(done.writes, done.bytes);
  };
  using Done = std::pair<std::uint32_t, std::uint64_t>;
  CHECK(after_moving({3, 4, 5}) == Done(1, 2 * 256 + 240));
  CHECK(after_moving({2, 7}) == Done(2, 2 * 240));
  CHECK(after_moving({0, 2, 3, 9}) == Done(3, 240 + 256 + 240 + 240));
  CHECK(after_moving({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) == Done(1, 9 * 256 + 240));

  // Characters out of sight between those that move do not break a write.
  for (Character& one : crowd) ++one.version;
  crowd.erase(crowd.begin() + 4);
  crowd.erase(crowd.begin() + 2);
  CHECK(frames.draw(crowd).writes == 1);
}

TEST_CASE("however many single characters of a crowd move, there are few writes") {
  RecordingDevice recording;
  Frames frames(recording, {.max_bones = 5, .palettes = 1000, .storage = PaletteStorage::uniform_3x4});
  std::vector<Character> crowd = make_crowd(1000);
  Random random(4);
  for (const std::uint32_t every : {2u, 3u, 10u, 20u, 100u}) {
    CAPTURE(every);
    for (int frame = 0; frame < 10; ++frame) {
      for (Character& one : crowd) one.version += random.below(every) == 0 ? 1 : 0;
      CHECK(frames.draw(crowd).writes <= 64);
    }
  }
  // At equal distances too: 100 runs of one, 36 gaps of nine between them.
  for (std::uint32_t frame = 0; frame < kCopies; ++frame) frames.draw(crowd);
  for (std::size_t i = 0; i < crowd.size(); i += 10) ++crowd[i].version;
  const UploadCounters done = frames.draw(crowd);
  CHECK(done.writes == 64);
  CHECK(done.bytes == 100 * 240 + 36 * (9 * 256 + 16));
}

// Frames at random, each palette compared with what was added. Characters come, go, hide, stand, move and change their
// size; some are added twice, in two versions, without a key, before or after an upload.
TEST_CASE("palettes are where their refs say whatever is added and left out") {
  for (const PaletteStorage storage :
       {PaletteStorage::uniform_3x4, PaletteStorage::texture_3x4, PaletteStorage::storage_3x4}) {
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      CAPTURE(to_string(storage));
      CAPTURE(seed);
      Random random(seed);
      RecordingDevice recording;
      recording.device.limits.storage_bytes = 1u << 20;
      Frames frames(recording, {.max_bones = 20, .storage = storage, .copies = seed});
      std::vector<Character> crowd = make_crowd(60);
      std::uint64_t next_key = 1000;
      std::size_t wrong = 0;
      std::uint32_t hidden = 0;
      for (int frame = 0; frame < 400; ++frame) {
        if (random.below(20) == 0) hidden = random.below(10);  // in ten
        if (random.below(30) == 0) {                           // a long stretch of still frames, or another crowd
          for (Character& one : crowd) one = {next_key++, 0, 1 + random.below(20)};
        }
        const bool still = frame / 16 % 3 == 0;
        frames.buffer.begin_frame();
        std::vector<std::pair<PaletteRef, std::string>> added;
        const auto add = [&](const Character& one) {
          added.emplace_back(*frames.buffer.add({one.key, 0}, one.version, one.palette()), name_of(one));
        };
        for (Character& one : crowd) {
          if (random.below(10) < hidden) continue;
          const std::uint32_t what = still ? 100 : random.below(60);
          if (what < 20) ++one.version;
          if (what == 20) one = {next_key++, 0, random.below(21)};
          if (what == 21) one.bones = 1 + random.below(20);
          add(one);
          if (what == 22) add(one);
          if (what == 23) add({one.key, ++one.version, one.bones});
          if (what == 24) added.emplace_back(*frames.buffer.add(one.palette()), name_of(one));
          if (what == 25) REQUIRE(frames.buffer.upload());
        }
        REQUIRE(frames.buffer.upload());
        for (const auto& [ref, name] : added) wrong += frames.shown(ref) == name ? 0 : 1;
        REQUIRE(wrong == 0);
      }
      CHECK(recording.well_formed);
      // 60 palettes of up to 20 bones, twice, and what the buffer may spare; it grows by doubling.
      for (const auto& [handle, bytes] : recording.memory) CHECK(bytes.size() <= 2 * (3 * 60 * 1024 + 65536));
    }
  }
}

TEST_CASE("the space of characters that are gone is used again") {
  RecordingDevice recording;
  Frames frames(recording, {.max_bones = 20, .storage = PaletteStorage::uniform_3x4});
  std::vector<Character> crowd = make_crowd(100);
  std::uint64_t next = 1000;
  for (int frame = 0; frame < 2000; ++frame) {
    crowd[static_cast<std::size_t>(frame) % 100] = {next++, 0, 1 + static_cast<std::uint32_t>(frame) % 20};
    const UploadCounters done = frames.draw(crowd);
    if (frame > 500) CHECK(done.allocations == 0);
  }
  // Even if all are new in each frame.
  for (int frame = 0; frame < 200; ++frame) {
    for (Character& one : crowd) one.key = next++;
    CHECK(frames.draw(crowd).writes == 1);
  }
  CHECK(recording.memory.size() == kCopies);
  for (const auto& [handle, bytes] : recording.memory) CHECK(bytes.size() <= 2 * (3 * 100 * 1024 + 65536));
}

TEST_CASE("larger copies get what the smaller ones had") {
  RecordingDevice recording;
  Frames frames(recording, {.max_bones = 5, .storage = PaletteStorage::uniform_3x4});
  std::vector<Character> crowd = make_crowd(3);
  for (std::uint32_t frame = 0; frame < 5; ++frame) frames.draw(crowd);
  CHECK(frames.buffer.counters().bytes == 0);
  crowd = make_crowd(200);
  for (std::uint32_t frame = 0; frame < 6; ++frame) {
    CAPTURE(frame);
    const UploadCounters done = frames.draw(crowd);
    CHECK(done.packed == (frame == 0 ? 197 : 0));
    CHECK(done.allocations == (frame == 0 ? kCopies : 0));
    CHECK(done.bytes == (frame < kCopies ? 199 * 256 + 240 : 0));
  }
}

TEST_CASE("a context that was lost and comes back is written to again") {
  RecordingDevice recording;
  Frames frames(recording, {.max_bones = 5, .storage = PaletteStorage::uniform_3x4});
  const std::vector<Character> crowd = make_crowd(3);
  for (std::uint32_t frame = 0; frame < 5; ++frame) frames.draw(crowd);
  recording.lost = true;
  frames.buffer.begin_frame();
  const PaletteRef ref = *frames.buffer.add({1, 0}, 0, crowd[0].palette());
  CHECK(frames.shown(ref) == name_of(crowd[0]));  // nobody has asked the device yet
  CHECK(frames.buffer.upload().error().code == ErrorCode::device_lost);
  CHECK(frames.shown(ref) == "it was added after the last upload");
  for (auto& [handle, bytes] : recording.memory) std::fill(bytes.begin(), bytes.end(), std::byte{0xff});
  recording.lost = false;
  for (std::uint32_t frame = 0; frame < 5; ++frame) {
    const UploadCounters done = frames.draw(crowd);
    CHECK(done.bytes == (frame < kCopies ? 2 * 256 + 240 : 0));
  }
}

TEST_CASE("a frame may fill the device beside characters that are no longer seen") {
  RecordingDevice recording;
  recording.device.limits.texture_size = 1024;  // 262144 bones
  Frames frames(recording, {.max_bones = 3000, .storage = PaletteStorage::texture_3x4});
  const std::vector<Affine> large(3000);
  std::uint64_t next = 1;
  for (int round = 0; round < 4; ++round) {
    CAPTURE(round);
    frames.buffer.begin_frame();
    for (int i = 0; i < 50; ++i) REQUIRE(frames.buffer.add({next++, 0}, 0, large));
    REQUIRE(frames.buffer.upload());

    frames.buffer.begin_frame();
    const Character first{next++, 1, 3000}, last{next++, 2, 1144};
    const PaletteRef first_ref = *frames.buffer.add({first.key, 0}, 0, first.palette());
    REQUIRE(frames.buffer.upload());
    const BufferBinding drawn = *frames.buffer.binding(first_ref);
    for (int i = 1; i < 87; ++i) REQUIRE(frames.buffer.add({next++, 0}, 0, large));
    CHECK_FALSE(frames.buffer.add({next++, 0}, 0, large).ok());
    const PaletteRef last_ref = *frames.buffer.add({last.key, 0}, 0, last.palette());  // just what is left
    REQUIRE(frames.buffer.upload());
    CHECK(frames.shown(first_ref) == name_of(first));
    CHECK(frames.shown(last_ref) == name_of(last));
    // The GPU may still draw the first from where it was.
    CHECK(name_of(recording.bones_at(drawn, 3000, true)) == name_of(first));
  }
  CHECK(recording.well_formed);
}

}  // namespace
}  // namespace marrow

// Model files that ask for much more than they are: what they cost is known before it is spent.
#include <doctest/doctest.h>

#include <cstring>

#include "marrow/core/hash.h"
#include "marrow/model/model_file.h"
#include "model/placed_bytes.h"
#include "model/random_model.h"
#include "src/anim/clip_layout.h"
#include "src/model/model_file_format.h"

namespace marrow {
namespace {

using file::Header;
using file::Slice;

// Bytes that are changed, and then made into a file again.
struct FileBytes {
  std::vector<std::byte> bytes;

  explicit FileBytes(const Model& model) : bytes(write_model_file(model)) {}

  template <typename T>
  [[nodiscard]] T get(std::uint64_t at) const {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  template <typename T>
  void set(std::uint64_t at, const T& value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }
  // Puts records at the end; `spare` are the bytes that each of them refers to, which may be those of others.
  template <typename Record>
  Slice append(const std::vector<Record>& records, std::size_t spare = 0) {
    const Slice slice{(bytes.size() + 63) / 64 * 64, records.size()};
    bytes.resize(slice.offset + records.size() * (sizeof(Record) + spare));
    std::memcpy(bytes.data() + slice.offset, records.data(), records.size() * sizeof(Record));
    return slice;
  }
  [[nodiscard]] Result<Model> read(const ModelFileOptions& options = {}) {
    set(offsetof(Header, size), std::uint64_t{bytes.size()});
    set(offsetof(Header, checksum), hash_bulk(std::span<const std::byte>(bytes).subspan(file::kChecked)));
    return read_model_file(test::placed(bytes), options);
  }
  [[nodiscard]] std::string error(const ModelFileOptions& options = {}) {
    const Result<Model> model = read(options);
    return model ? "" : to_string(model.error());
  }
};

Skeleton many_joints(std::uint32_t count) {
  JointDesc joint;
  joint.name = "joint";
  return Skeleton::create(std::vector<JointDesc>(count, joint))->skeleton;
}

// A file of many joints and many clips that move none of them.
FileBytes many_clips(std::uint32_t joints, std::uint32_t clips) {
  ModelParts parts;
  parts.skeleton = many_joints(joints);
  parts.clips.push_back(*Clip::create(parts.skeleton, {"still", {}, {}}));
  FileBytes out(*Model::create(std::move(parts)));
  const auto first = out.get<Slice>(offsetof(Header, clips));
  const std::vector<file::ClipRecord> records(clips, out.get<file::ClipRecord>(first.offset));
  out.set(offsetof(Header, clips), out.append(records, 160));
  return out;
}

TEST_CASE("a small file of many joints and many clips is refused before it takes memory") {
  FileBytes hostile = many_clips(20000, 20000);
  for (const bool verify : {true, false}) {
    const std::string error = hostile.error({verify});
    CAPTURE(error);
    CHECK(error.find("clips: would take 200000000 bytes, but only ") == 0);
    CHECK(error.find(" are left of what a file of this size is allowed") != std::string::npos);
  }
  CHECK(many_clips(3000, 3000).error() == "");
}

TEST_CASE("what a model file is made into stays below the limit of the caller's") {
  FileBytes file = many_clips(100, 1000);
  CHECK(file.error({true, 1}).find("would take ") != std::string::npos);
  CHECK(file.error({true, 1}).find("left of what memory_limit allows") != std::string::npos);
  CHECK(file.error({true, 100000}).find("clips: would take ") == 0);
  CHECK(file.error({true, 10000000}) == "");
  // Other axes are a copy.
  const std::uint64_t size = file.bytes.size();
  std::uint64_t enough = 1;
  while (file.error({true, enough}) != "") enough += enough / 64 + 1;
  CHECK(file.error({true, enough, Up::z}) == "");
  CHECK(file.error({true, enough, Up::y}).find("up: would take ") == 0);
  CHECK(file.error({true, enough + 4 * size, Up::y}) == "");
  CHECK(file.read({true, 0, Up::y})->up() == Up::y);
  // And so are bytes without an owner.
  CHECK(read_model_file({file.bytes, nullptr}, {true, enough}).error().code == ErrorCode::limit_exceeded);
}

TEST_CASE("keys are looked at once, however many tracks are said to have them") {
  std::vector<float> times, values;
  for (int k = 0; k < 100; ++k) {
    times.push_back(static_cast<float>(k));
    for (int i = 0; i < 3; ++i) values.push_back(static_cast<float>(k * i));
  }
  const TrackDesc track = {0, Property::translation, Interpolation::linear, times, values};
  ModelParts parts;
  parts.skeleton = many_joints(16);
  std::vector<TrackDesc> tracks(12, track);
  for (std::uint32_t i = 0; i < 12; ++i) tracks[i].joint = i;  // eight are a group, four go by themselves
  tracks[8].times = std::span(times).first(50);
  tracks[8].values = std::span(values).first(150);
  parts.clips.push_back(*Clip::create(parts.skeleton, {"move", tracks, {}}));
  const Model model = *Model::create(std::move(parts));
  FileBytes good(model);
  const std::uint64_t at = good.get<Slice>(offsetof(Header, clips)).offset;
  auto record = good.get<file::ClipRecord>(at);
  REQUIRE(record.groups.count == 1);
  REQUIRE(record.own_octets.count == 1);
  CHECK(good.error() == "");

  // Many groups without octets, each of all keys.
  auto group = good.get<Group>(record.groups.offset);
  std::vector<Group> groups = {group};
  group.first_run = group.run_count;
  group.run_count = group.row_size = 0;
  groups.resize(1000, group);
  FileBytes many = good;
  record.groups = many.append(groups);
  many.set(at, record);
  CHECK(many.error() == "clips/0: the clip has groups of tracks that do not fit the skeleton or the keys");

  // Lanes that have the keys of others, too.
  record = good.get<file::ClipRecord>(at);
  auto own = good.get<OwnOctet>(record.own_octets.offset);
  REQUIRE(static_cast<unsigned>(own.lanes) == 0xfu);
  own.lanes = 0xff;
  for (unsigned lane = 4; lane < 8; ++lane) {
    own.first_key[lane] = own.first_key[1];
    own.end_key[lane] = own.end_key[1];
    own.rate[lane] = own.rate[1];
  }
  good.set(record.own_octets.offset, own);
  CHECK(good.error() == "clips/0: the clip has tracks that do not fit the skeleton or the keys");
}

// Random models with everything in them.
TEST_CASE("without a limit of the caller's there is enough for every model") {
  test::Random random(1);
  for (int i = 0; i < 50; ++i) {
    FileBytes file(test::random_model(random));
    const std::uint64_t sixteen = 16 * file.bytes.size();
    CHECK(file.error({true, sixteen}) == "");
    CHECK(file.error({true, sixteen, Up::y}) == "");
    CHECK(file.error({true, sixteen, Up::z}) == "");
  }
}

}  // namespace
}  // namespace marrow

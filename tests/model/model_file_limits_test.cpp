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
  REQUIRE(record.owns.count == 1);
  CHECK(good.error() == "");

  // Many groups without batches, each of all keys.
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
  auto own = good.get<OwnBatch>(record.owns.offset);
  REQUIRE(static_cast<unsigned>(own.lanes) == 0xfu);
  own.lanes = 0xff;
  for (unsigned lane = 4; lane < 8; ++lane) {
    own.first_key[lane] = own.first_key[1];
    own.end_key[lane] = own.end_key[1];
    own.rate[lane] = own.rate[1];
  }
  good.set(record.owns.offset, own);
  CHECK(good.error() == "clips/0: the clip has tracks that do not fit the skeleton or the keys");
}

}  // namespace
}  // namespace marrow

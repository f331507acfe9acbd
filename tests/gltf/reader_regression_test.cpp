// What reading the reader with a mind to harm, and fuzzing it, has found: each case was once read, or cost too much.
#include <doctest/doctest.h>

#include "gltf/file_builder.h"

namespace marrow {
namespace {

using test::FileBuilder;
using test::Json;

constexpr const char* kTooMuch = "more than a file of this size is allowed";

bool is_refused(const FileBuilder& file, std::uint64_t memory_limit) {
  LoadOptions options = test::y_up();
  options.memory_limit = memory_limit;
  const std::string error = file.error(options);
  INFO(error);
  CHECK((error.empty() || error.find(kTooMuch) != std::string::npos));
  return !error.empty();
}

TEST_CASE("a channel that moves the weights of a mesh is paid for by each node that shows it") {
  FileBuilder file;
  const std::size_t key = file.accessor<float>({0}, "SCALAR");
  file.mesh({}, {{"targets", Json::array({Json::object()})}});
  for (int i = 0; i < 1000; ++i) file.node({{"mesh", 0}});
  const Json target = {{"extensions", {{"KHR_animation_pointer", {{"pointer", "/meshes/0/weights"}}}}}};
  Json channels;
  for (int i = 0; i < 50; ++i) channels.push_back({{"sampler", 0}, {"target", target}});
  file.json["animations"] =
      Json::array({{{"channels", channels}, {"samplers", Json::array({{{"input", key}, {"output", key}}})}}});
  CHECK(is_refused(file, 1 << 20));
  CHECK(!is_refused(file, 1 << 26));
}

TEST_CASE("keys that many clips share are paid for by each of them") {
  FileBuilder file;
  std::vector<float> times(1000);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<float>(i);
  const std::size_t keys = file.accessor(times, "SCALAR");
  file.mesh({}, {{"targets", Json::array({Json::object()})}});
  const std::size_t node = file.node({{"mesh", 0}});
  file.channel(node, "weights", keys, keys);
  CHECK(!is_refused(file, 100000));
  for (int i = 0; i < 20; ++i) file.json["animations"].push_back(file.json["animations"][0]);
  CHECK(is_refused(file, 100000));
  CHECK(!is_refused(file, 1 << 20));
}

TEST_CASE("what a clip has for every joint of the skeleton is paid for") {
  FileBuilder file;
  const std::size_t time = file.accessor<float>({0}, "SCALAR"), value = file.accessor<float>({0, 0, 0}, "VEC3");
  Json joints;
  for (int i = 0; i < 2000; ++i) joints.push_back(file.node({}));
  file.json["skins"] = Json::array({{{"joints", joints}}});
  file.channel(0, "translation", time, value);
  CHECK(!is_refused(file, 100000));
  for (int i = 0; i < 200; ++i) file.json["animations"].push_back(file.json["animations"][0]);
  CHECK(is_refused(file, 100000));
}

}  // namespace
}  // namespace marrow

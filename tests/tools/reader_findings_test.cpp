// What the reader warns of becomes findings. The rules go by its sentences, so the reader itself says them here.
#include <doctest/doctest.h>

#include <limits>

#include "check/check.h"
#include "check/report.h"
#include "gltf/file_builder.h"
#include "tools/findings.h"

namespace marrow::tool {
namespace {

using test::FileBuilder;
using test::Json;
using test::of;

LoadedModel read(const FileBuilder& file) {
  LoadOptions options;
  options.thorough = true;
  Result<LoadedModel> loaded = file.read(options);
  REQUIRE_MESSAGE(loaded.ok(), to_string(loaded.error()));
  return *loaded;
}

TEST_CASE("what the reader says of animations") {
  FileBuilder file;
  file.node({});
  file.node({{"name", "b"}});
  file.node({});
  const std::size_t times = file.accessor<float>({0, 0.5f, 1}, "SCALAR");
  const std::size_t flips = file.accessor<float>({0, 0, 0, 1, 0.1f, 0, 0, -0.99498743f, 0, 0, 0, 1}, "VEC4");
  const std::size_t lengths = file.accessor<float>({0, 0, 0, 1, 0, 0.5f, 0, 0.5f, 0, 0, 0, 1}, "VEC4");
  const std::size_t places = file.accessor<float>({0, 0, 0, 1, 0, 0, 0, 0, 0}, "VEC3");
  file.channel(0, "translation", times, places);
  file.json["animations"][0]["channels"][0]["target"].erase("node");
  file.channel(0, "rotation", times, flips);
  file.channel(1, "rotation", times, lengths);
  file.channel(1, "translation", times, places);
  file.channel(1, "translation", times, places);
  file.channel(2, "colour", times, places);
  file.json["animations"].push_back({{"name", "empty"}});
  const LoadedModel loaded = read(file);
  const Findings findings = reader_findings(loaded.warnings);
  CHECK(of(findings, Rule::rotation_flip) == "/animations/0/channels/1: 2 of 3 rotation keys");
  CHECK(of(findings, Rule::rotation_length) ==
        "/animations/0/channels/2: 1 of 3 rotation keys are not of unit length (the worst squared: 0.500000)");
  CHECK(of(findings, Rule::duplicate_channel) == "/animations/0/channels/4: ");
  CHECK(of(findings, Rule::lost_channel) ==
        "/animations/0/channels/5/target/path: \"colour\" is nothing that a node has");
  CHECK(of(findings, Rule::moves_nothing) == "/animations/1: ");
  CHECK(of(findings, Rule::unnamed_clip) == "/animations/0: called clip_0");
  CHECK(of(findings, Rule::unnamed_joint) == "/nodes/0: 1 of 2 joints");
  CHECK(of(findings, Rule::other).empty());

  // Where each track is in the file.
  REQUIRE(loaded.track_sources.size() == 2);
  REQUIRE(loaded.track_sources[0].size() == 3);
  CHECK(loaded.track_sources[0][0].channel == 1);
  CHECK(loaded.track_sources[0][2].channel == 3);
  CHECK(loaded.track_sources[0][2].output == places);
  CHECK(loaded.track_sources[0][2].output_bytes == 36);
  CHECK(loaded.track_sources[1].empty());
}

TEST_CASE("what the reader says of meshes, nodes and images") {
  FileBuilder file;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::size_t good = file.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3");
  const std::size_t bad = file.accessor<float>({0, 0, 0, 1, 0, nan, 0, 1, 0}, "VEC3");
  const std::size_t weights = file.accessor<float>({0.5f, 0, 0, 0, 0, 0, 0, 0, 1.5f, -0.5f, 0, 0}, "VEC4");
  const std::size_t joints = file.accessor(std::vector<std::uint8_t>(12), "VEC4");
  file.mesh({{"POSITION", bad}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}});
  file.mesh({{"POSITION", good}});
  file.node({{"name", "joint"}});
  file.node({{"mesh", 0}, {"skin", 0}});
  file.node({{"mesh", 1}, {"skin", 0}});
  file.node({{"mesh", 0}});
  file.node({{"matrix", {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}});
  file.json["skins"] = Json::array({{{"joints", {0}}}});
  file.json["images"] = Json::array({{{"uri", "missing.png"}}, Json::object()});
  file.json["extensionsUsed"] = {"ACME_teapots"};
  const LoadedModel loaded = read(file);
  const Findings findings = reader_findings(loaded.warnings);
  const std::string attributes = "/meshes/0/primitives/0/attributes/";
  CHECK(of(findings, Rule::not_finite) == attributes + "POSITION: 1 numbers are not finite or beyond 1e18");
  CHECK(of(findings, Rule::weights_sum).starts_with(attributes + "WEIGHTS_0: the weights of 2 of 3 vertices"));
  CHECK(of(findings, Rule::no_weights) == attributes + "WEIGHTS_0: 1 of 3 vertices");
  CHECK(of(findings, Rule::negative_weights) == attributes + "WEIGHTS_0: 1 of 3 vertices");
  CHECK(of(findings, Rule::skin_without_weights) == "/nodes/2/skin: ");
  CHECK(of(findings, Rule::weights_without_skin) == "/nodes/3/mesh: ");
  CHECK(of(findings, Rule::shear) == "/nodes/4/matrix: ");
  CHECK(of(findings, Rule::missing_image).starts_with("/images/0/uri: the image is left out"));
  CHECK(of(findings, Rule::missing_image).find("/images/1: ") != std::string::npos);
  CHECK(of(findings, Rule::extension) == "/extensionsUsed/0: the extension ACME_teapots");
  CHECK(of(findings, Rule::other).empty());
}

TEST_CASE("a warning that no rule knows is told as it is") {
  const Warning warnings[] = {{"the \x1b[31mmoon is full; it is left out", Place("moon").within(Place::document())},
                              {"and 3 more warnings", ""}};
  const Findings findings = reader_findings(warnings);
  CHECK(of(findings, Rule::other) == "/moon: the \xef\xbf\xbd[31mmoon is full; it is left out");
  CHECK(of(findings, Rule::more_warnings) == ": and 3 more warnings");
}

TEST_CASE("findings are told by rule, the worst first, with the first of many places") {
  Findings findings = {{Rule::no_clips, "", ""},
                       {Rule::weights_sum, place_of("meshes", 0), "some"},
                       {Rule::not_finite, place_of("meshes", 1), "3"}};
  for (std::size_t i = 0; i < 40; ++i) findings.push_back({Rule::zero_length_bone, place_of("nodes", i), "joint"});
  const std::vector<FindingGroup> groups = grouped_by_rule(findings);
  REQUIRE(groups.size() == 4);
  CHECK(groups[0].rule == Rule::not_finite);
  CHECK(groups[1].rule == Rule::weights_sum);
  CHECK(groups[2].rule == Rule::zero_length_bone);
  const std::string text = report_text(groups, {});
  CHECK(text.find("/nodes/3  joint\n         and 36 more\n") != std::string::npos);
  CHECK(text.find("/nodes/4") == std::string::npos);
  CHECK(text.ends_with("\n1 error, 1 warning, 2 notes\n"));
  CHECK(report_text({}, {}) == "0 errors, 0 warnings, 0 notes\n");
}

TEST_CASE("what costs the most is told first, and the sum") {
  const std::vector<FindingGroup> groups =
      grouped_by_rule({{Rule::redundant_keys, place_of("animations", 0), "a little", 1024},
                       {Rule::redundant_keys, place_of("animations", 1), "much", 9216}});
  const std::string text = report_text(groups, {});
  CHECK(text.find("10.0 KB in all.") != std::string::npos);
  CHECK(text.find("much") < text.find("a little"));
}

}  // namespace
}  // namespace marrow::tool

#include "marrow/export/writers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "export/model_builder.h"
#include "src/export/code_text.h"
#include "src/text/text.h"

namespace marrow {
namespace {

using test::ModelBuilder;
using test::moved;

const Language kCode[] = {Language::rust, Language::c, Language::cpp};

Model two_clips() {
  ModelBuilder builder;
  builder.joint("root \"1\"", -1, moved(0, 0, 1));
  builder.joint("a\nb\\", 0, moved(0.1f, 0, 1));
  builder.skin({0, 1});
  const std::uint32_t node = builder.node("n", -1);
  builder.loose(node).mesh = builder.triangle({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 1});
  builder.loose(node).skin = 0;
  builder.clip("walk", {{1, Property::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1e-7f, 1e10f, 1.0f / 3}}});
  builder.clip("walk", {});
  return builder.build();
}

TEST_CASE("names become words that are unique and begin with a letter") {
  const std::vector<std::string_view> names = {"Walk", "walk", "WALK_2", "run fast!", "2nd",  "",
                                               "日本", "a__b", "fn",     "-x-",       "Walk", "CLIP_5"};
  const std::vector<std::string> words = identifiers(names, "clip");
  CHECK(words == std::vector<std::string>{"WALK", "WALK_2", "WALK_2_2", "RUN_FAST", "CLIP_2ND", "CLIP_5", "CLIP_6",
                                          "A_B", "FN", "X", "WALK_3", "CLIP_5_2"});
  CHECK(std::set<std::string>(words.begin(), words.end()).size() == words.size());
}

TEST_CASE("a namespace is no word that C++ or the C library has") {
  for (const char* word :
       {"main", "errno", "std", "link", "time", "index", "y0", "sinf", "size_t", "char8_t", "linux"}) {
    CHECK(namespace_name(word) == std::string(word) + "_data");
  }
  for (const char* word : {"mai", "self", "links", "ark", "fox", "a", "l"}) CHECK(namespace_name(word) == word);
  CHECK(namespace_name("Class") == "class_data");
  CHECK(namespace_name("") == "model");
  CHECK(namespace_name("3D hero") == "model_3d_hero");
  CHECK(namespace_name("Hero") == "hero");
}

TEST_CASE("floats are the shortest that read back, with a mark of their type") {
  CHECK(float_literal(Language::rust, 1) == "1.0");
  CHECK(float_literal(Language::c, 1) == "1.0f");
  CHECK(float_literal(Language::cpp, 0.1f) == "0.1f");
  CHECK(float_literal(Language::rust, -0.0f) == "-0.0");
  CHECK(float_literal(Language::rust, 1e-7f) == "1e-07");
  CHECK(float_literal(Language::c, 1e20f) == "1e+20f");
  CHECK(float_literal(Language::json, 3) == "3");
}

TEST_CASE("strings are escaped as each language has it") {
  CHECK(string_literal(Language::rust, "a\"\\\n") == "\"a\\\"\\\\\\u{a}\"");
  CHECK(string_literal(Language::c, "a\"\\\n1") == "\"a\\\"\\\\\\0121\"");
  CHECK(string_literal(Language::c,
                       "?"
                       "?/") == "\"\\?\\?/\"");
  CHECK(string_literal(Language::rust, "骨") == "\"骨\"");
  CHECK(string_literal(Language::rust, "\xe2\x80\xae") == "\"\\u{202e}\"");
  CHECK(string_literal(Language::cpp, "\xe2\x80\xae") == "\"\\342\\200\\256\"");
  CHECK(string_literal(Language::rust, "\xff") == "\"\xef\xbf\xbd\"");
}

TEST_CASE("strings are cut to what C has, between two characters") {
  const std::string text(4094, 'a'), umlaut = "\u00e4";
  CHECK(string_literal(Language::c, text + umlaut + "b") == "\"" + text + "\"");
  CHECK(string_literal(Language::c, text + "bc") == "\"" + text + "b\"");
  CHECK(string_literal(Language::cpp, text + umlaut) == "\"" + text + umlaut + "\"");
}

TEST_CASE("nothing in a comment ends it, goes on after it or turns it round") {
  CHECK(comment_text("a\nb\\") ==
        "a\xef\xbf\xbd"
        "b|");
  CHECK(comment_text("?"
                     "?/") == "?./");
  CHECK(comment_text("x \xe2\x80\xae  ") == "x \xef\xbf\xbd");
}

TEST_CASE("a single clip has plain names, several have those of their clips") {
  const Model model = two_clips();
  const std::vector<ExportedAnimation> both = {*export_animation(model, 0), *export_animation(model, 1)};
  for (const Language language : kCode) {
    CodeOptions options;
    options.language = language;
    const std::string one = animation_code(std::span(both).first(1), options);
    CHECK(one.find(" KEYFRAMES") != std::string::npos);
    CHECK(one.find("WALK_KEYFRAMES") == std::string::npos);
    const std::string all = animation_code(both, options);
    CHECK(all.find(" WALK_KEYFRAMES") != std::string::npos);
    CHECK(all.find(" WALK_2_KEYFRAMES") != std::string::npos);
    options.name = "hero";
    CHECK((animation_code(both, options).find(" HERO_WALK_KEYFRAMES") != std::string::npos) ==
          (language != Language::cpp));
    CHECK(
        mesh_code(*export_mesh(model), options).find(language == Language::cpp ? "namespace hero" : "HERO_VERTICES") !=
        std::string::npos);
  }
}

TEST_CASE("the first line says how it was made") {
  CodeOptions options;
  options.source = "hero.glb";
  options.command = "marrow export mesh --format rust";
  const std::string code = mesh_code(*export_mesh(two_clips()), options);
  CHECK(code.starts_with("// Made by marrow "));
  CHECK(code.substr(0, code.find('\n')).ends_with(" from hero.glb: marrow export mesh --format rust"));
}

std::string guard_of(const std::string& code) {
  const std::size_t at = code.find("#ifndef ");
  REQUIRE(at != std::string::npos);
  const std::string guard = code.substr(at + 8, code.find('\n', at) - at - 8);
  CHECK(code.find("\n#define " + guard + "\n") != std::string::npos);
  return guard;
}

TEST_CASE("whatever is not the same file has a guard of its own") {
  const Model model = two_clips();
  const ExportedMesh mesh = *export_mesh(model);
  const std::vector<ExportedAnimation> both = {*export_animation(model, 0), *export_animation(model, 1)};
  for (const Language language : {Language::c, Language::cpp}) {
    CodeOptions options;
    options.language = language;
    options.source = "\u9aa8.glb";
    std::vector<std::string> files = {mesh_code(mesh, options), animation_code(std::span(both).first(1), options),
                                      animation_code(std::span(both).last(1), options), animation_code(both, options)};
    options.source = "\u8db3.glb";
    files.push_back(mesh_code(mesh, options));
    options.name = "hero";
    files.push_back(mesh_code(mesh, options));
    std::set<std::string> guards;
    for (const std::string& file : files) guards.insert(guard_of(file));
    CHECK(guards.size() == files.size());
    CHECK(guard_of(mesh_code(mesh, options)) == guard_of(files.back()));
  }
}

TEST_CASE("JSON holds the numbers to the bit") {
  const Model model = two_clips();
  const Result<ExportedMesh> mesh = export_mesh(model);
  CodeOptions options;
  options.language = Language::json;
  const nlohmann::json read = nlohmann::json::parse(mesh_code(*mesh, options));
  CHECK(read["vertex_format"] == 8);
  CHECK(read["vertices"].size() == mesh->vertices.size());
  for (std::size_t i = 0; i < mesh->vertices.size(); ++i) {
    CHECK(read["vertices"][i] == std::to_integer<int>(mesh->vertices[i]));
  }
  CHECK(read["indices"] == nlohmann::json(mesh->indices));
  CHECK(read["bones"][1]["name"] == "a\nb\\");
  CHECK(read["bones"][1]["parent"] == 0);
  CHECK(read["bones"][1]["rest_local"][3].get<float>() == 0.1f);

  const std::vector<ExportedAnimation> clips = {*export_animation(model, 0), *export_animation(model, 1)};
  const nlohmann::json both = nlohmann::json::parse(animation_code(clips, options));
  REQUIRE(both["animations"].size() == 2);
  const nlohmann::json& first = both["animations"][0];
  CHECK(first["skeleton_id"] == read["skeleton_id"]);
  CHECK(first["times"] == nlohmann::json(std::vector<float>{0, 1}));
  for (std::size_t i = 0; i < clips[0].keyframes.size(); ++i) {
    CHECK(first["keyframes"][i].get<float>() == clips[0].keyframes[i]);
  }
  CHECK(both["animations"][1]["frame_count"] == 1);
}

TEST_CASE("whatever the names are made of, the text is UTF-8") {
  // Bytes that begin nothing, half of a character at the end, half of a pair, and too long a zero.
  for (const std::string bad : {"a\xff\xfe", "\xe9\xaa", "\xed\xa0\x80", "\xc0\x80", "\x80 \x80"}) {
    ModelBuilder builder;
    builder.joint(bad, -1);
    builder.joint(bad + "2", 0);
    builder.skin({0, 1}, {Affine{}, Affine{}});
    builder.skin({0, 1}, {Affine{}, test::translation(0, 3, 0)});
    for (std::int32_t i = 0; i < 4; ++i) {
      const std::uint32_t node = builder.node(bad, -1);
      builder.loose(node).mesh = builder.triangle({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 1});
      builder.parts.meshes.back().name = bad;
      builder.parts.meshes.back().parts[0].material = 0;
      if (i == 3) builder.parts.meshes.back().parts[0].topology = Topology::points;
      if (i != 2) builder.loose(node).skin = i % 2;  // the third hangs on nothing
    }
    builder.parts.materials.emplace_back().name = bad;
    builder.clip(bad, {{1, Property::translation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0}}});
    builder.clip(bad, {});
    const Model model = builder.build();
    const Result<ExportedMesh> mesh = export_mesh(model);
    REQUIRE_MESSAGE(mesh, to_string(mesh.error()));
    CHECK(mesh->notes.size() == 2);
    CHECK(mesh->skeleton.bones.size() == 3);
    const std::vector<ExportedAnimation> clips = {*export_animation(model, 0), *export_animation(model, 1)};
    for (const Language language : {Language::rust, Language::c, Language::cpp, Language::json}) {
      const CodeOptions options{language, bad, bad, bad};
      CHECK(is_utf8(mesh_code(*mesh, options)));
      CHECK(is_utf8(animation_code(clips, options)));
    }
  }
}

TEST_CASE("the same model gives the same text") {
  const Model model = two_clips();
  for (const Language language : {Language::rust, Language::c, Language::cpp, Language::json}) {
    CodeOptions options;
    options.language = language;
    CHECK(mesh_code(*export_mesh(model), options) == mesh_code(*export_mesh(two_clips()), options));
  }
}

}  // namespace
}  // namespace marrow

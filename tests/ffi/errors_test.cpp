// Errors, and structs that grow.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "ffi/life.h"
#include "src/ffi/arguments.h"

namespace marrow {

// A struct that has grown by two members since.
struct GrownStruct {
  std::uint32_t struct_size, first, second, third;
};

namespace ffi {
MARROW_FFI_FIRST_SIZE(GrownStruct, first);
}

namespace {

using namespace test;

TEST_CASE("every status has a name") {
  CHECK(std::string(marrow_status_name(MARROW_OK)) == "ok");
  CHECK(std::string(marrow_status_name(MARROW_ERROR_LIMIT_EXCEEDED)) == "limit_exceeded");
  CHECK(std::string(marrow_status_name(MARROW_ERROR_NULL_POINTER)) == "null_pointer");
  CHECK(std::string(marrow_status_name(MARROW_ERROR_INTERNAL)) == "internal");
  for (const int status : {-1, 14, 31, 44, 1 << 30}) CHECK(std::string(marrow_status_name(status)) == "unknown");
}

TEST_CASE("an error tells the place in the file, and outlives what succeeds") {
  const std::string text = R"({"asset": {"version": "2.0"}, "nodes": [{"children": [7]}]})";
  marrow_model model = 77;
  CHECK(marrow_model_read(text.data(), text.size(), nullptr, &model) == MARROW_ERROR_MALFORMED);
  CHECK(model == 77);
  MARROW_REQUIRE_OK(marrow_check_abi(MARROW_ABI_VERSION));
  const marrow_error* const error = marrow_last_error();
  CHECK(error->status == MARROW_ERROR_MALFORMED);
  CHECK(std::string(error->place) == "/nodes/0/children/0");
  CHECK(std::string(error->message).find('7') != std::string::npos);
}

TEST_CASE("each thread has its own last error") {
  CHECK(marrow_model_destroy(0) == MARROW_ERROR_BAD_HANDLE);
  marrow_status other = -1, after = -1;
  std::thread([&] {
    other = marrow_last_error()->status;
    marrow_scene_create(nullptr);
    after = marrow_last_error()->status;
  }).join();
  CHECK(other == MARROW_OK);
  CHECK(after == MARROW_ERROR_NULL_POINTER);
  CHECK(marrow_last_error()->status == MARROW_ERROR_BAD_HANDLE);
}

TEST_CASE("a text that is too long is cut between two characters") {
  std::string name(600, 'x');
  for (std::size_t i = 1; i + 1 < name.size(); i += 2) name.replace(i, 2, "\xc3\xa9");
  std::uint32_t joint = 0;
  CHECK(marrow_model_find_joint(character(), name.c_str(), &joint) == MARROW_ERROR_NOT_FOUND);
  const std::string message = marrow_last_error()->message, whole = "there is no joint \"" + name;
  CHECK(message.size() == 510);  // 19 before the name, an x, and 245 of two bytes
  CHECK(message == whole.substr(0, message.size()));
}

TEST_CASE("a text that is not UTF-8 is not kept, and is told as one that is") {
  Life life;
  marrow_node node = 77, root = 0;
  marrow_instance instance = 77;
  marrow_instance_options options = MARROW_INSTANCE_OPTIONS_INIT;
  options.name = "\xff";
  const marrow_mark mark = {0.1, "step\xc3"};
  MARROW_REQUIRE_OK(marrow_scene_root(life.scene, &root));
  CHECK(marrow_node_create(life.scene, "hand\xff", nullptr, 0, &node) == MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(marrow_instance_create(life.scene, character(), &options, &instance) == MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(marrow_mixer_set_marks(life.mixer, 0, &mark, 1) == MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(node == 77);
  CHECK(instance == 77);
  MARROW_REQUIRE_OK(marrow_node_create(life.scene, "h\xc3\xa4nd", nullptr, 0, &node));
  CHECK(marrow_node_set_name(node, "\xc0\x80") == MARROW_ERROR_INVALID_ARGUMENT);
  CHECK(marrow_node_find(root, "hand\xff", &node) == MARROW_ERROR_NOT_FOUND);
  CHECK(std::string(marrow_last_error()->place) == "hand\xef\xbf\xbd");
  CHECK(marrow_node_find(root, marrow_last_error()->place, &node) == MARROW_ERROR_NOT_FOUND);
  CHECK(std::string(marrow_last_error()->place) == "hand\xef\xbf\xbd");
  marrow_model model = 0;
  CHECK(marrow_model_load("/no\xffwhere", nullptr, &model) == MARROW_ERROR_UNREADABLE);
  CHECK(std::string(marrow_last_error()->message) == "\"/no\xef\xbf\xbdwhere\" does not exist");
}

TEST_CASE("a model is called after its file, in UTF-8") {
  char folder[] = "/tmp/marrow-ffi-XXXXXX";
  REQUIRE(mkdtemp(folder) != nullptr);
  const std::string path = std::string(folder) + "/he\xffro.gltf";
  std::ofstream(path) << R"({"asset": {"version": "2.0"}})";
  marrow_model model = 0;
  const marrow_status status = marrow_model_load(path.c_str(), nullptr, &model);
  std::filesystem::remove_all(folder);
  REQUIRE(status == MARROW_OK);
  CHECK(text([&](char* out, std::uint64_t size, std::uint64_t* count) {
          return marrow_model_name(model, out, size, count);
        }) == "he\xef\xbf\xbdro");
  MARROW_REQUIRE_OK(marrow_model_destroy(model));
}

TEST_CASE("options of a newer program are taken if what they have more is zero") {
  struct {
    marrow_play_options known = MARROW_PLAY_OPTIONS_INIT;
    std::uint64_t more = 0;
  } newer;
  newer.known.struct_size = sizeof newer;
  Life life;
  MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, 0, 1, &newer.known, nullptr));
  newer.more = 1;
  CHECK(marrow_mixer_play(life.mixer, 0, 1, &newer.known, nullptr) == MARROW_ERROR_UNSUPPORTED);
}

TEST_CASE("options of an older program are taken, with the defaults for what it does not have") {
  // As it was before there was `verify`. The bytes behind it are not its own.
  struct {
    std::uint32_t struct_size = 24, up = MARROW_UP_Y, skip_meshes = 1, allow_outside = 0;
    std::uint64_t memory_limit = 0, not_its_own = ~std::uint64_t{0};
  } older;
  const auto* const options = reinterpret_cast<const marrow_load_options*>(&older);
  marrow_model model = 0;
  MARROW_REQUIRE_OK(marrow_model_load(asset("sword.glb").c_str(), options, &model));
  marrow_model_info info = {};
  info.struct_size = sizeof info;
  MARROW_REQUIRE_OK(marrow_model_get_info(model, &info));
  CHECK(info.up == MARROW_UP_Y);
  CHECK(info.mesh_count == 0);
  MARROW_REQUIRE_OK(marrow_model_destroy(model));
  for (const std::uint32_t size : {0u, 4u, 8u, 20u, 23u, 25u}) {
    older.struct_size = size;
    CHECK(marrow_model_load(asset("sword.glb").c_str(), options, &model) == MARROW_ERROR_INVALID_ARGUMENT);
  }
}

TEST_CASE("a struct that has grown is read and filled in as far as the program knows it") {
  const auto read = [](std::uint32_t size) {
    const GrownStruct in = {size, 1, 2, 3};
    GrownStruct out = {sizeof(GrownStruct), 10, 20, 30};
    REQUIRE(ffi::read_options(&in, out, "in") == MARROW_OK);
    return std::vector<std::uint32_t>{out.first, out.second, out.third};
  };
  CHECK(read(8) == std::vector<std::uint32_t>{1, 20, 30});
  CHECK(read(12) == std::vector<std::uint32_t>{1, 2, 30});
  CHECK(read(16) == std::vector<std::uint32_t>{1, 2, 3});
  GrownStruct info = {12, 7, 7, 7};
  REQUIRE(ffi::check_info(&info) == MARROW_OK);
  ffi::write_info(&info, {0, 1, 2, 3});
  CHECK(info.struct_size == 12);
  CHECK(info.second == 2);
  CHECK(info.third == 7);  // not of the program's struct
  info.struct_size = 4;
  CHECK(ffi::check_info(&info) == MARROW_ERROR_INVALID_ARGUMENT);
}

TEST_CASE("what a newer program wants to know more is zero") {
  struct {
    marrow_model_info known = {};
    std::uint64_t more = ~std::uint64_t{0};
  } newer;
  newer.known.struct_size = sizeof newer;
  MARROW_REQUIRE_OK(marrow_model_get_info(character(), &newer.known));
  CHECK(newer.known.struct_size == sizeof newer);
  CHECK(newer.known.joint_count == kJoints);
  CHECK(newer.more == 0);
}

TEST_CASE("what is thrown becomes a status") {
  CHECK(ffi::guarded([]() -> marrow_status { throw std::bad_alloc(); }) == MARROW_ERROR_OUT_OF_MEMORY);
  CHECK(ffi::guarded([]() -> marrow_status { throw std::length_error("x"); }) == MARROW_ERROR_OUT_OF_MEMORY);
  CHECK(ffi::guarded([]() -> marrow_status { throw 7; }) == MARROW_ERROR_INTERNAL);
  CHECK(marrow_last_error()->status == MARROW_ERROR_INTERNAL);
}

}  // namespace
}  // namespace marrow

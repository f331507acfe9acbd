#include "src/gltf/file.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "gltf/file_builder.h"

namespace marrow {
namespace {

namespace fs = std::filesystem;

// A folder that is gone when the test is over.
struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "marrow_gltf_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);  // other tests may run at the same time
    path = name;
    fs::create_directories(path / "model");
  }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, std::span<const std::byte> bytes) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return (path / name).string();
  }
};

// The triangle with its buffer in a file of its own.
std::string external_json(const char* uri) {
  test::FileBuilder file = test::skinned_triangle();
  file.json["buffers"] = test::Json::array({{{"byteLength", file.buffer.size()}, {"uri", uri}}});
  return file.json.dump();
}

std::string load_error(const std::string& path, const LoadOptions& options = {}) {
  const Result<LoadedModel> loaded = load_gltf(path, options);
  return loaded ? "" : to_string(loaded.error());
}

TEST_CASE("a .glb, a .gltf with its data beside it, and one with a data URI are the same model") {
  const Folder folder;
  const test::FileBuilder file = test::skinned_triangle();
  const std::string glb = folder.write("model/a.glb", file.glb());
  folder.write("model/the data.bin", file.buffer);
  const std::string text = external_json("the%20data.bin");
  const std::string gltf = folder.write("model/a.gltf", std::as_bytes(std::span(text)));
  const Result<LoadedModel> a = load_gltf(glb), b = load_gltf(gltf);
  REQUIRE(a.ok());
  REQUIRE(b.ok());
  CHECK(a->model.name() == "a");
  CHECK(a->model.clips()[0].hash() == b->model.clips()[0].hash());
  CHECK(a->model.skeleton().hash() == b->model.skeleton().hash());

  std::string uri = "data:application/octet-stream,";
  for (const std::byte byte : file.buffer) {
    char hexadecimal[4];
    std::snprintf(hexadecimal, sizeof hexadecimal, "%%%02x", static_cast<unsigned>(byte));
    uri.append(hexadecimal);
  }
  const std::string whole = external_json(uri.c_str());
  const Result<LoadedModel> c = read_gltf(std::as_bytes(std::span(whole)));
  REQUIRE(c.ok());
  CHECK(a->model.clips()[0].hash() == c->model.clips()[0].hash());
}

TEST_CASE("what is missing, a folder or empty is refused by name") {
  const Folder folder;
  CHECK(load_error((folder.path / "none.glb").string()).ends_with("none.glb\" does not exist"));
  CHECK(load_error(folder.path.string()).ends_with("is a folder"));
  CHECK(load_error(folder.write("empty.glb", {})) == "not a glTF file: it is empty");
  const std::string text = external_json("gone.bin");
  CHECK(load_error(folder.write("model/a.gltf", std::as_bytes(std::span(text)))).starts_with("/buffers/0/uri: "));
}

TEST_CASE("a buffer that is shorter than it should be is refused") {
  const Folder folder;
  const std::string text = external_json("short.bin");
  folder.write("model/short.bin", std::vector<std::byte>(10));
  CHECK(load_error(folder.write("model/a.gltf", std::as_bytes(std::span(text))))
            .starts_with("/buffers/0/byteLength: the buffer is cut off: it states "));
}

TEST_CASE("what is outside the folder is read only if that is allowed, links included") {
  const Folder folder;
  folder.write("secret.bin", test::skinned_triangle().buffer);
  std::string text = external_json("../secret.bin");
  const std::string above = folder.write("model/above.gltf", std::as_bytes(std::span(text)));
  CHECK(load_error(above) == "/buffers/0/uri: \"../secret.bin\" is not inside the folder of the file");
  LoadOptions outside;
  outside.outside = true;
  CHECK(load_error(above, outside) == "");
  fs::create_symlink(folder.path / "secret.bin", folder.path / "model/innocent.bin");
  text = external_json("innocent.bin");
  const std::string linked = folder.write("model/linked.gltf", std::as_bytes(std::span(text)));
  CHECK(load_error(linked) == "/buffers/0/uri: \"innocent.bin\" is a link out of the folder of the file");
  CHECK(load_error(linked, outside) == "");
  // A file that is named relative to the folder one is in.
  const fs::path before = fs::current_path();
  fs::current_path(folder.path / "model");
  folder.write("model/inside.bin", test::skinned_triangle().buffer);
  text = external_json("inside.bin");
  folder.write("model/plain.gltf", std::as_bytes(std::span(text)));
  CHECK(load_error("plain.gltf") == "");
  fs::current_path(before);
}

TEST_CASE("backslashes in a path are read as slashes, pipes are not read at all") {
  const Folder folder;
  folder.write("model/data/a.bin", test::skinned_triangle().buffer);
  std::string text = external_json("data\\a.bin");
  CHECK(load_error(folder.write("model/a.gltf", std::as_bytes(std::span(text)))) == "");
  folder.write("secret.bin", test::skinned_triangle().buffer);
  text = external_json("data\\..\\..\\secret.bin");
  CHECK(load_error(folder.write("model/b.gltf", std::as_bytes(std::span(text)))).find("not inside the folder") !=
        std::string::npos);
  REQUIRE(::mkfifo((folder.path / "model/pipe.bin").c_str(), 0600) == 0);
  text = external_json("pipe.bin");
  CHECK(load_error(folder.write("model/c.gltf", std::as_bytes(std::span(text)))).ends_with("is no ordinary file"));
}

}  // namespace
}  // namespace marrow

// Model files through C: what the options of loading say holds for them, too.
#include "marrow/model/model_file.h"

#include <doctest/doctest.h>

#include <cstring>

#include "ffi/life.h"
#include "marrow/core/hash.h"
#include "marrow/gltf/reader.h"
#include "src/model/model_file_format.h"

namespace marrow {
namespace {

using namespace test;
using file::Header;
using file::Slice;

// The bytes of the character, with an image, as a model file, to be changed.
struct CharacterFile {
  std::vector<std::byte> bytes = write_model_file(with_image(load_gltf(asset("character.glb")).value().model));

  static Model with_image(const Model& model) {
    ModelParts parts = model.parts();
    parts.images.push_back({"image", "image/png", "", {std::byte{1}}});
    return *Model::create(std::move(parts));
  }

  template <typename T>
  [[nodiscard]] T* at(std::uint64_t offset) {
    return reinterpret_cast<T*>(bytes.data() + offset);
  }
  [[nodiscard]] Header& header() { return *at<Header>(0); }
  void seal() { header().checksum = hash_bulk(std::span<const std::byte>(bytes).subspan(file::kChecked)); }

  marrow_status read(const marrow_load_options& options = MARROW_LOAD_OPTIONS_INIT) const {
    marrow_model model = 0;
    const marrow_status status = marrow_model_read(bytes.data(), bytes.size(), &options, &model);
    if (status == MARROW_OK) MARROW_REQUIRE_OK(marrow_model_destroy(model));
    return status;
  }
};

TEST_CASE("a model file that is trusted is not looked at") {
  CharacterFile character;
  marrow_load_options options = MARROW_LOAD_OPTIONS_INIT;
  CHECK(character.read(options) == MARROW_OK);
  const auto* const mesh = character.at<file::MeshRecord>(character.header().meshes.offset);
  const auto* const part = character.at<file::PartRecord>(mesh->parts.offset);
  *character.at<std::uint32_t>(part->indices.offset) = 0xffffffffu;  // of a vertex that there is not
  CHECK(character.read(options) == MARROW_ERROR_MALFORMED);
  character.seal();
  CHECK(character.read(options) == MARROW_ERROR_INVALID_ARGUMENT);
  options.verify = 0;
  CHECK(character.read(options) == MARROW_OK);
  options.skip_meshes = 1;
  CHECK(character.read(options) == MARROW_OK);
}

TEST_CASE("the memory limit holds for model files") {
  const CharacterFile character;
  marrow_load_options options = MARROW_LOAD_OPTIONS_INIT;
  options.memory_limit = 10;
  CHECK(character.read(options) == MARROW_ERROR_LIMIT_EXCEEDED);
  CHECK(std::string(marrow_last_error()->message).find("left of what memory_limit allows") != std::string::npos);
  options.memory_limit = 2 * character.bytes.size();
  CHECK(character.read(options) == MARROW_OK);
  options.up = MARROW_UP_Y;  // which takes copies
  CHECK(character.read(options) == MARROW_ERROR_LIMIT_EXCEEDED);
  options.memory_limit = 0;
  CHECK(character.read(options) == MARROW_OK);
}

}  // namespace
}  // namespace marrow

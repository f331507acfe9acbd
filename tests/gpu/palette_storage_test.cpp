#include "marrow/gpu/palette_storage.h"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

namespace marrow {
namespace {

using enum PaletteStorage;

TEST_CASE("a palette goes to a uniform buffer while it fits, then to a storage buffer or a texture") {
  const DeviceLimits least;
  DeviceLimits more = least, storage = least;
  more.uniform_bytes = 65536;
  storage.storage_bytes = 128u << 20;
  for (const std::uint32_t bones : {1u, 24u, 128u, 129u, 256u, 341u}) {
    CHECK(*choose_storage(bones, least) == uniform_3x4);
    CHECK(*choose_storage(bones, storage) == uniform_3x4);
  }
  for (const std::uint32_t bones : {342u, 1000u, 3000u}) {
    CHECK(*choose_storage(bones, least) == texture_3x4);
    CHECK(*choose_storage(bones, storage) == storage_3x4);
  }
  CHECK(*choose_storage(342, more) == uniform_3x4);
  CHECK(*choose_storage(1365, more) == uniform_3x4);
  CHECK(*choose_storage(1366, more) == texture_3x4);
  CHECK(*choose_storage(2048 * 256, least) == texture_3x4);
}

TEST_CASE("a storage can be forced, and says what it holds where it is too small") {
  DeviceLimits limits;
  CHECK(*choose_storage(24, limits, uniform_4x4) == uniform_4x4);
  CHECK(*choose_storage(128, limits, uniform_4x4) == uniform_4x4);
  CHECK(*choose_storage(24, limits, texture_4x4) == texture_4x4);
  const auto why = [&](std::uint32_t bones, std::optional<PaletteStorage> wanted) {
    const Result<PaletteStorage> chosen = choose_storage(bones, limits, wanted);
    return chosen ? std::string(to_string(*chosen)) : to_string(chosen.error());
  };
  CHECK(why(129, uniform_4x4) == "129 bones were asked for in uniform_4x4, which holds 128 on this device");
  CHECK(why(342, uniform_3x4) == "342 bones were asked for in uniform_3x4, which holds 341 on this device");
  CHECK(why(24, storage_3x4) == "24 bones were asked for in storage_3x4, which is not there on this device");
  limits.uniform_bytes = 65536;
  CHECK(why(129, uniform_4x4) == "129 bones were asked for in uniform_4x4, which holds 128 on this device");
  limits = {};
  limits.texture_size = 0;
  CHECK(why(342, {}) ==
        "342 bones do not fit anywhere: uniform_3x4 holds 341 on this device, storage_3x4 is not there on this device, "
        "texture_3x4 is not there on this device");
  limits.texture_size = 512;  // too narrow for 256 bones in a row
  CHECK(why(342, texture_3x4) == "342 bones were asked for in texture_3x4, which is not there on this device");
  limits.texture_size = 2048;
  CHECK(why(2048 * 256 + 1, texture_3x4) ==
        "524289 bones were asked for in texture_3x4, which holds 524288 on this device");
}

TEST_CASE("bones are written as rows of 3x4, or as columns of 4x4") {
  std::vector<Affine> bones(2);
  for (int i = 0; i < 24; ++i) bones[static_cast<std::size_t>(i / 12)].m[i % 12 / 4][i % 4] = static_cast<float>(i);
  float rows[24];
  for (const PaletteStorage storage : {uniform_3x4, texture_3x4, storage_3x4}) {
    pack_bones(bones, storage, std::as_writable_bytes(std::span(rows)));
    for (int i = 0; i < 24; ++i) CHECK(rows[i] == static_cast<float>(i));
  }
  const float expected[32] = {0,  4,  8,  0, 1,  5,  9,  0, 2,  6,  10, 0, 3,  7,  11, 1,
                              12, 16, 20, 0, 13, 17, 21, 0, 14, 18, 22, 0, 15, 19, 23, 1};
  float columns[32];
  for (const PaletteStorage storage : {uniform_4x4, texture_4x4}) {
    pack_bones(bones, storage, std::as_writable_bytes(std::span(columns)));
    for (int i = 0; i < 32; ++i) CHECK(columns[i] == expected[i]);
  }
  pack_bones({}, uniform_3x4, {});
}

}  // namespace
}  // namespace marrow

// What only a browser does.
#include <doctest/doctest.h>
#include <emscripten.h>

#include "gpu/gl_runner.h"

// clang-format off
EM_JS(void, lose_context, (), { GLctx.getExtension("WEBGL_lose_context").loseContext(); });
// clang-format on

namespace marrow {
namespace {

using test::GlContext;
using test::required;

TEST_CASE("a context that the browser takes away is told by the next upload, and another goes on") {
  const std::vector<Affine> bones(24);
  {
    const GlContext context;
    PaletteBuffer palettes = required(PaletteBuffer::create(context.device().device()));
    REQUIRE(palettes.add(bones));
    required(palettes.upload());
    lose_context();
    CHECK(context.device().is_lost());
    REQUIRE(palettes.add(bones));
    const Result<void> uploaded = palettes.upload();
    REQUIRE_FALSE(uploaded.ok());
    CHECK(uploaded.error().code == ErrorCode::device_lost);
    CHECK(to_string(uploaded.error()) == "the graphics context was lost; create the device and all its objects again");
    const test::SkinningCase c = test::make_skinning_case({24, false, 0, 1});
    const Result<GlMesh> mesh = GlMesh::create(context.device(), c.vertices, {}, kFloatVertex);
    REQUIRE_FALSE(mesh.ok());
    CHECK(mesh.error().code == ErrorCode::device_lost);
  }
  const GlContext context;
  PaletteBuffer palettes = required(PaletteBuffer::create(context.device().device()));
  REQUIRE(palettes.add(bones));
  required(palettes.upload());
}

}  // namespace
}  // namespace marrow

// The renderer on models of every kind, in small pictures of few colours.
#include "marrow/draw/renderer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "gpu/gl_runner.h"
#include "marrow/draw/gl_target.h"
#include "marrow/math/quat.h"
#include "src/gpu/gl_context.h"

namespace marrow {
namespace {

using test::GlContext;
using test::required;

constexpr std::uint32_t kSide = 64;

// A square in the plane y = 0 that looks at the camera, from (-1, 0, 0) to (1, 0, 2).
std::shared_ptr<Vertices> make_square() {
  auto out = std::make_shared<Vertices>();
  out->positions = {{-1, 0, 0}, {1, 0, 0}, {1, 0, 2}, {-1, 0, 2}};
  out->normals.assign(4, {0, -1, 0});
  out->uvs = {{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  return out;
}

struct Square {
  std::shared_ptr<Vertices> vertices = make_square();
  std::vector<std::uint32_t> indices = {0, 1, 2, 0, 2, 3};
  Topology topology = Topology::triangles;
  Material material;
  std::vector<Image> images;
  std::uint32_t bones = 0;  // of its skin
  Transform place;

  Square() { material.unlit = true; }

  [[nodiscard]] Model model() const {
    ModelParts parts;
    std::vector<JointDesc> joints(std::max(bones, vertices->targets.empty() ? 0u : 1u));
    for (std::size_t i = 1; i < joints.size(); ++i) joints[i].parent = 0;
    const std::vector<float> weights(vertices->targets.size());
    if (!weights.empty()) joints[0].morph_weights = weights;
    if (!joints.empty()) parts.skeleton = Skeleton::create(joints)->skeleton;
    if (bones > 0) {
      std::vector<std::uint32_t> all(bones);
      for (std::uint32_t i = 0; i < bones; ++i) all[i] = i;
      parts.skins = {*Skin::create(parts.skeleton, all, std::vector<Affine>(bones))};
    }
    parts.meshes = {{"square", {{vertices, indices, topology, 0}}, std::vector<std::string>(weights.size())}};
    parts.materials = {material};
    parts.images = images;
    for (std::uint32_t i = 0; i < joints.size(); ++i) {
      ModelNode node;
      node.joint = static_cast<std::int32_t>(i);
      node.parent = i == 0 ? kNone : 0;
      parts.nodes.push_back(node);
    }
    if (weights.empty()) parts.nodes.emplace_back();
    ModelNode& node = weights.empty() ? parts.nodes.back() : parts.nodes[0];
    node.mesh = 0;
    if (weights.empty()) node.rest = place;
    if (bones > 0) node.skin = 0;
    Result<Model> model = Model::create(std::move(parts));
    REQUIRE_MESSAGE(model.ok(), (model ? "" : to_string(model.error())));
    return *model;
  }
};

class Studio {
 public:
  explicit Studio(const RendererOptions& options = {}, test::GlKind kind = test::GlKind::es_3_0)
      : context_(kind),
        renderer_(required(Renderer::create(context_.device(), options))),
        target_(required(GlTarget::create(context_.device(), kSide, kSide))) {
    draw.camera.eye = {0, -6, 1};
    draw.camera.target = {0, 0, 1};
    draw.environment.backdrop = draw.environment.ground = draw.environment.shadow = false;
  }

  Picture shoot(const Scene& scene) {
    required(renderer_.draw(scene, draw, {target_.framebuffer(), 0, 0, kSide, kSide}));
    Picture out;
    required(target_.read(out));
    CHECK(context_.error() == 0);
    return out;
  }
  Picture shoot(const Model& model) {
    Scene scene;
    scene.instantiate(model);
    scene.refresh();
    return shoot(scene);
  }
  [[nodiscard]] Renderer& renderer() { return renderer_; }
  [[nodiscard]] const GlContext& context() const { return context_; }

  DrawOptions draw;

 private:
  GlContext context_;
  Renderer renderer_;
  GlTarget target_;
};

Color at(const Picture& picture, std::size_t x, std::size_t y) {
  const std::uint8_t* p = &picture.rgba[(y * picture.width + x) * 4];
  return {p[0], p[1], p[2], p[3]};
}
Color middle(const Picture& picture) { return at(picture, kSide / 2, kSide / 2); }

std::size_t covered(const Picture& picture) {
  std::size_t count = 0;
  for (std::size_t i = 3; i < picture.rgba.size(); i += 4) count += picture.rgba[i] > 127 ? 1 : 0;
  return count;
}

TEST_CASE("a surface has its colour times that of its vertices, in sRGB") {
  Studio studio;
  Square square;
  square.material.base_color = {0.2140f, 0.2140f, 1, 1};
  const Picture plain = studio.shoot(square.model());
  CHECK(middle(plain).red == doctest::Approx(128).epsilon(0.02));  // 0.214 of light is half of the scale
  CHECK(middle(plain).blue > 220);
  CHECK(middle(plain).alpha == 255);
  CHECK(at(plain, 1, 1).alpha == 0);
  square.vertices->colors.assign(4, {1, 0, 0, 1});
  const Picture red = studio.shoot(square.model());
  CHECK(middle(red).red == doctest::Approx(128).epsilon(0.02));
  CHECK(middle(red).blue == 0);
}

TEST_CASE("pictures on surfaces are the right way up, and turned as the material says") {
  // Left red, right green; above bright, below dark.
  const ImageDecoder decode = [](const Image&) -> Result<Picture> {
    return Picture{2, 2, {255, 0, 0, 255, 0, 255, 0, 255, 90, 0, 0, 255, 0, 90, 0, 255}};
  };
  Studio studio({.decode = decode});
  Square square;
  square.images.resize(1);
  square.material.base_color_texture.image = 0;
  square.material.base_color_texture.nearest = true;
  square.material.base_color_texture.wrap_u = square.material.base_color_texture.wrap_v = Wrap::clamp;
  const std::size_t a = kSide / 2 - 8, b = kSide / 2 + 8;
  Picture picture = studio.shoot(square.model());
  CHECK(at(picture, a, a).red > 200);
  CHECK(at(picture, b, a).green > 200);
  CHECK(at(picture, a, b).red < 120);
  CHECK(at(picture, a, b).red > 60);
  square.material.base_color_texture.offset = {1, 0};
  square.material.base_color_texture.scale = {-1, 1};
  picture = studio.shoot(square.model());
  CHECK(at(picture, a, a).green > 200);
  CHECK(at(picture, b, a).red > 200);
  CHECK(studio.renderer().warnings().empty());
}

TEST_CASE("a picture that cannot be decoded leaves the surface without, and is told of once") {
  Studio studio({.decode = [](const Image&) -> Result<Picture> {
    return Error{ErrorCode::malformed, "it is broken", {}};
  }});
  Square square;
  square.images.resize(1);
  square.material.base_color_texture.image = 0;
  square.material.emissive = {1, 1, 1};
  square.material.emissive_texture.image = 0;
  square.material.base_color = {0, 1, 0, 1};
  const Model model = square.model();
  CHECK(middle(studio.shoot(model)).green > 200);
  CHECK(middle(studio.shoot(model)).red == 0);  // nor does the surface emit light
  REQUIRE(studio.renderer().warnings().size() == 1);
  CHECK(to_string(studio.renderer().warnings()[0]) == "images/0: it is broken");
}

TEST_CASE("alpha masks, and blends with what is behind") {
  Studio studio;
  Square square;
  square.material.base_color = {1, 0, 0, 0.4f};
  CHECK(middle(studio.shoot(square.model())).alpha == 255);  // an opaque surface is opaque
  square.material.alpha_mode = AlphaMode::mask;
  CHECK(covered(studio.shoot(square.model())) == 0);
  square.material.alpha_cutoff = 0.3f;
  CHECK(covered(studio.shoot(square.model())) > 500);
  square.material.alpha_mode = AlphaMode::blend;
  CHECK(middle(studio.shoot(square.model())).alpha == doctest::Approx(102).epsilon(0.03));

  // Of two, the farther is drawn first, in whichever order they are in the scene.
  for (const bool swapped : {false, true}) {
    CAPTURE(swapped);
    Scene scene;
    Square far = square;
    far.material.base_color = {0, 0, 1, 0.6f};
    far.place.translation = {0, 0.5f, 0};
    scene.instantiate(swapped ? square.model() : far.model());
    scene.instantiate(swapped ? far.model() : square.model());
    scene.refresh();
    const Color both = middle(studio.shoot(scene));
    // 0.4 of red over 0.6 of blue, of which 0.6 is left; alpha is 0.76, by which both are divided.
    CHECK(both.red == doctest::Approx(255 * 0.4 / 0.76).epsilon(0.05));
    CHECK(both.blue == doctest::Approx(255 * 0.36 / 0.76).epsilon(0.05));
    CHECK(both.alpha == doctest::Approx(255 * 0.76).epsilon(0.03));
  }
}

TEST_CASE("back faces are seen of double-sided surfaces alone, also where a node mirrors") {
  Studio studio;
  Square square;
  std::swap(square.indices[1], square.indices[2]);
  std::swap(square.indices[4], square.indices[5]);
  CHECK(covered(studio.shoot(square.model())) == 0);
  square.material.double_sided = true;
  CHECK(covered(studio.shoot(square.model())) > 500);
  square.material.double_sided = false;
  square.place.scale = {-1, 1, 1};
  CHECK(covered(studio.shoot(square.model())) == 0);  // mirrored, its front is still behind
  std::swap(square.indices[1], square.indices[2]);
  std::swap(square.indices[4], square.indices[5]);
  CHECK(covered(studio.shoot(square.model())) > 500);
}

TEST_CASE("skins of few bones and of very many move their vertices") {
  Studio studio;
  for (const std::uint32_t bones : {3u, 341u, 342u, 2000u}) {
    CAPTURE(bones);
    Square square;
    square.bones = bones;
    square.vertices->influences = 4;
    for (int i = 0; i < 4; ++i) {
      square.vertices->joints.append({static_cast<std::uint16_t>(bones - 1), 0, 0, 0});
      square.vertices->weights.append({1, 0, 0, 0});
    }
    Scene scene;
    const Instance instance = scene.instantiate(square.model());
    scene.refresh();
    const std::size_t before = covered(studio.shoot(scene));
    CHECK(before > 500);
    instance.edit_pose().set_transform(bones - 1, {{0, 0, 100}, {}, {1, 1, 1}});
    scene.refresh();
    CHECK(covered(studio.shoot(scene)) == 0);
    instance.edit_pose().set_transform(bones - 1, {{0, 0, 0.5f}, {}, {0.5f, 0.5f, 0.5f}});
    scene.refresh();
    CHECK(covered(studio.shoot(scene)) == doctest::Approx(static_cast<double>(before) / 4).epsilon(0.15));
  }
}

TEST_CASE("front faces of a skin are seen where its bones mirror, and where its node does too") {
  Studio studio;
  Square square;
  square.bones = 3;
  square.vertices->influences = 1;
  square.vertices->joints.assign(4, 1);
  square.vertices->weights.assign(4, 1);
  Scene scene;
  const Instance instance = scene.instantiate(square.model());
  const Transform mirror = {{0, 0, 0}, {}, {-1, 1, 1}};
  instance.edit_pose().set_transform(0, mirror);  // the others are its children
  scene.refresh();
  CHECK(covered(studio.shoot(scene)) > 500);
  instance.node().set_local(mirror);
  scene.refresh();
  CHECK(covered(studio.shoot(scene)) > 500);
}

TEST_CASE("more than four influences are reduced to the strongest") {
  Studio studio;
  Square square;
  square.bones = 6;
  square.vertices->influences = 6;
  for (int i = 0; i < 4; ++i) {
    square.vertices->joints.append({1, 2, 3, 4, 5, 0});
    square.vertices->weights.append({0.01f, 0.24f, 0.24f, 0.24f, 0.26f, 0.01f});
  }
  CHECK(covered(studio.shoot(square.model())) > 500);
}

TEST_CASE("morph targets move vertices with a skin and without, by the pose and by a stage") {
  const PoseStage lift = {"lift", 1, 0, [](void*, PoseEdit& edit) {
                            edit.edit_pose().morph_weights(0)[1] = 1;
                            return StageResult::unchanged;
                          }};
  Studio studio;
  for (const std::uint32_t bones : {0u, 2u}) {
    CAPTURE(bones);
    Square square;
    square.bones = bones;
    if (bones > 0) {
      square.vertices->influences = 1;
      square.vertices->joints.assign(4, 1);
      square.vertices->weights.assign(4, 1);
    }
    square.vertices->targets.resize(2);
    square.vertices->targets[1].positions.assign(4, {0, 0, 50});
    Scene scene;
    const Instance instance = scene.instantiate(square.model());
    scene.refresh();
    CHECK(covered(studio.shoot(scene)) > 500);
    instance.edit_pose().morph_weights(0)[1] = 1;
    scene.refresh();
    CHECK(covered(studio.shoot(scene)) == 0);
    instance.edit_pose().morph_weights(0)[1] = 0;
    scene.refresh();
    CHECK(covered(studio.shoot(scene)) > 500);
    REQUIRE(instance.add_stage(lift));
    scene.refresh();
    CHECK(covered(studio.shoot(scene)) == 0);
  }
}

TEST_CASE("lines, points and surfaces without normals are drawn") {
  Studio studio;
  Square square;
  square.vertices->normals.clear();
  square.vertices->uvs.clear();
  square.material.unlit = false;
  square.material.metallic = 0;
  const Color lit = middle(studio.shoot(square.model()));
  CHECK(lit.red > 120);
  CHECK(lit.alpha == 255);
  square.topology = Topology::lines;
  square.indices = {0, 2, 1, 3};
  const std::size_t lines = covered(studio.shoot(square.model()));
  CHECK(lines > 20);
  CHECK(lines < 400);
  square.topology = Topology::points;
  square.indices = {0, 1, 2, 3};
  const std::size_t points = covered(studio.shoot(square.model()));
  CHECK(points >= 4 * 4);
  CHECK(points <= 4 * 16);
}

TEST_CASE("what is hidden is not drawn, and neither is what was destroyed") {
  Studio studio;
  Scene scene;
  const Instance instance = scene.instantiate(Square().model());
  scene.refresh();
  CHECK(covered(studio.shoot(scene)) > 500);
  instance.node().set_visible(false);
  scene.refresh();
  CHECK(covered(studio.shoot(scene)) == 0);
  instance.node().set_visible(true);
  instance.node().set_local({{30, 0, 0}, {}, {1, 1, 1}});
  scene.refresh();
  CHECK(covered(studio.shoot(scene)) == 0);
  scene.destroy(instance.node());
  scene.refresh();
  CHECK(covered(studio.shoot(scene)) == 0);
  studio.renderer().forget_unused();
  studio.renderer().forget_unused();
  scene.instantiate(Square().model());
  scene.refresh();
  CHECK(covered(studio.shoot(scene)) > 500);
}

TEST_CASE("a shadow falls on the ground and on other surfaces, away from the light") {
  Studio studio;
  studio.draw.camera = {.eye = {0, -6, 5}, .target = {0, 0, 0.5f}};
  studio.draw.environment = {};
  studio.draw.environment.middle = {0, 0, 1};
  studio.draw.environment.radius = 2;
  studio.draw.environment.grid = false;
  studio.draw.light.to_key = {-1, 0, 1};  // the shadow falls to the right
  Square square;
  square.place.rotation = from_axis_angle({0, 0, 1}, 1.5707963f);  // across the light
  square.material.double_sided = true;
  const Picture shaded = studio.shoot(square.model());
  studio.draw.environment.shadow = false;
  const Picture lit = studio.shoot(square.model());
  std::size_t left = 0, right = 0;
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      const int darker = at(lit, x, y).green - at(shaded, x, y).green;
      CHECK(darker > -3);
      if (darker > 30) ++(x < kSide / 2 - 2 ? left : right);
    }
  }
  CHECK(right > 60);
  CHECK(left < 8);
}

TEST_CASE("only the part of the framebuffer that is asked for is drawn into") {
  const GlContext context;
  Renderer renderer = required(Renderer::create(context.device()));
  const GlTarget target = required(GlTarget::create(context.device(), kSide, kSide));
  Scene scene;
  scene.instantiate(Square().model());
  scene.refresh();
  DrawOptions options;
  required(renderer.draw(scene, options, {target.framebuffer(), 0, 0, kSide, kSide}));
  Picture before;
  required(target.read(before));
  options.environment.backdrop = options.environment.ground = false;
  required(renderer.draw(scene, options, {target.framebuffer(), 0, 0, kSide / 2, kSide}));
  Picture after;
  required(target.read(after));
  CHECK(at(after, 2, 2).alpha == 0);
  for (std::size_t y = 0; y < kSide; ++y) CHECK(at(after, kSide / 2, y).green == at(before, kSide / 2, y).green);
}

TEST_CASE("OpenGL 3.3 draws what OpenGL ES does") {
  const auto shoot = [](test::GlKind kind) {
    Studio studio({}, kind);
    studio.draw.environment = {};
    Square square;
    square.material.unlit = false;
    return studio.shoot(square.model());
  };
  const Picture es = shoot(test::GlKind::es_3_0), gl = shoot(test::GlKind::gl_3_3);
  std::size_t off = 0;
  for (std::size_t i = 0; i < es.rgba.size(); ++i) off += std::abs(es.rgba[i] - gl.rgba[i]) > 8 ? 1 : 0;
  CHECK(off < es.rgba.size() / 200);
}

TEST_CASE("pictures of impossible sizes are refused") {
  const GlContext context;
  for (const auto& [width, height] : {std::pair{0u, 10u}, std::pair{10u, 0u}, std::pair{1u << 20, 8u}}) {
    const Result<GlTarget> target = GlTarget::create(context.device(), width, height);
    REQUIRE_FALSE(target.ok());
    CHECK(target.error().message.find("cannot be drawn") != std::string::npos);
  }
  CHECK(GlTarget::create(context.device(), 1, 1).ok());
  CHECK(context.error() == 0);
}

TEST_CASE("a lost context is told of, and nothing is asked of it any more") {
  const GlContext context;
  Renderer renderer = required(Renderer::create(context.device()));
  const GlTarget target = required(GlTarget::create(context.device(), 8, 8));
  Scene scene;
  scene.instantiate(Square().model());
  context.device().context()->lost = true;
  const Result<void> drawn = renderer.draw(scene, {}, {target.framebuffer(), 0, 0, 8, 8});
  REQUIRE_FALSE(drawn.ok());
  CHECK(drawn.error().code == ErrorCode::device_lost);
  Picture picture;
  CHECK(target.read(picture).error().code == ErrorCode::device_lost);
  CHECK(Renderer::create(context.device()).error().code == ErrorCode::device_lost);
}

}  // namespace
}  // namespace marrow

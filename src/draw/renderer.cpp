#include "marrow/draw/renderer.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "marrow/math/affine.h"
#include "marrow/math/vec3.h"
#include "src/draw/draw_list.h"
#include "src/draw/imports.h"
#include "src/draw/render_model.h"
#include "src/draw/render_program.h"
#include "src/draw/shadow_map.h"
#include "src/draw/sketch_pass.h"
#include "src/draw/surroundings.h"

namespace marrow {
namespace {

constexpr unsigned int kColorAttribute = 6;

// From this alpha on a pixel of a surface that is blended is drawn as opaque, so that surfaces which are blended here
// and there alone, as hair and clothes are, hide what is behind them.
constexpr float kOpaqueAlpha = 0.995f;

// Which pixels of which parts are drawn.
enum class Pass : std::uint8_t { shadow, opaque, blended };

}  // namespace

struct Renderer::Impl {
  GlDevice device;
  RendererOptions options;
  Surroundings surroundings;
  SketchPass sketches;
  ShadowMap shadow;
  RenderTexture white;
  PaletteBuffer palettes;
  MorphBuffer morphs;

  std::optional<PaletteBuffer> large_palettes;
  std::array<std::optional<MeshProgram>, 4 * kRenderSkins> programs;
  std::map<const ModelParts*, RenderModel> models;
  std::vector<DrawItem> items;
  std::vector<Warning> warnings;

  Impl(GlDevice device_, RendererOptions options_, Surroundings surroundings_, SketchPass sketches_, ShadowMap shadow_,
       RenderTexture white_, PaletteBuffer palettes_, MorphBuffer morphs_)
      : device(std::move(device_)),
        options(std::move(options_)),
        surroundings(std::move(surroundings_)),
        sketches(std::move(sketches_)),
        shadow(std::move(shadow_)),
        white(std::move(white_)),
        palettes(std::move(palettes_)),
        morphs(std::move(morphs_)) {}

  [[nodiscard]] const gl::Functions& gl() const { return device.context()->functions; }

  Result<void> bring(const Model& model);
  Result<void> make_program(const MeshProgramKind& kind);
  std::optional<MeshProgram>& program_of(const MeshProgramKind& kind);
  Result<void> collect(const Scene& scene, Vec3 eye);
  Result<void> draw_item(const DrawItem& item, Pass pass, const float view_projection[16], const DrawOptions& options,
                         const LightView& light);
  Result<void> draw_pass(Pass pass, const float view_projection[16], const DrawOptions& options,
                         const LightView& light);
  // Draws the items.
  Result<void> draw(const DrawOptions& options, const DrawArea& area);
};

// What a model needs, if it is not there yet.
Result<void> Renderer::Impl::bring(const Model& model) {
  if (const auto found = models.find(&model.parts()); found != models.end()) {
    found->second.used = true;
    return {};
  }
  std::uint32_t bones = 0;
  for (const Skin& skin : model.skins()) bones = std::max(bones, skin.size());
  if (bones > kBonesOf16KiB && (!large_palettes || large_palettes->max_bones() < bones)) {
    Result<PaletteBuffer> made =
        PaletteBuffer::create(device.device(), {.max_bones = bones, .storage = PaletteStorage::texture_3x4});
    if (!made) return made.error();
    large_palettes.emplace(std::move(*made));
  }
  Result<RenderModel> made = make_render_model(device, model, options.decode, warnings);
  if (!made) return made.error();
  models.emplace(&model.parts(), std::move(*made)).first->second.used = true;
  return {};
}

std::optional<MeshProgram>& Renderer::Impl::program_of(const MeshProgramKind& kind) {
  return programs[static_cast<std::size_t>(kind.skin) * 4 + (kind.morphs ? 2 : 0) + (kind.shadow ? 1 : 0)];
}

Result<void> Renderer::Impl::make_program(const MeshProgramKind& kind) {
  if (program_of(kind)) return {};
  Result<MeshProgram> made = make_mesh_program(device, kind);
  if (!made) return made.error();
  program_of(kind).emplace(std::move(*made));
  return {};
}

Result<void> Renderer::Impl::collect(const Scene& scene, Vec3 eye) {
  // First everything that is new, since that may make larger buffers.
  for (const Instance& instance : scene.instances()) {
    if (Result<void> brought = bring(instance.model()); !brought) return brought;
  }
  items.clear();
  palettes.begin_frame();
  morphs.begin_frame();
  if (large_palettes) large_palettes->begin_frame();
  const DrawBuffers buffers{palettes, large_palettes ? &*large_palettes : nullptr, morphs};
  for (const Instance& instance : scene.instances()) {
    const RenderModel& model = models.find(&instance.model().parts())->second;
    if (Result<void> added = add_instance(instance, model, eye, buffers, items); !added) return added;
  }
  if (Result<void> uploaded = palettes.upload(); !uploaded) return uploaded;
  if (Result<void> uploaded = morphs.upload(); !uploaded) return uploaded;
  if (large_palettes) return large_palettes->upload();
  return {};
}

namespace {

// The rows of the map from texture coordinates to the picture (KHR_texture_transform): scaled, turned, moved.
void set_uv_rows(const gl::Functions& gl, int location, const TextureUse& use) {
  const float c = det::cos(use.rotation), s = det::sin(use.rotation);
  const float rows[8] = {c * use.scale.x,  s * use.scale.y, use.offset.x, 0,
                         -s * use.scale.x, c * use.scale.y, use.offset.y, 0};
  gl.Uniform4fv(location, 2, rows);
}

}  // namespace

Result<void> Renderer::Impl::draw_item(const DrawItem& item, Pass pass, const float view_projection[16],
                                       const DrawOptions& draw_options, const LightView& light) {
  const gl::Functions& f = gl();
  const Material& material = *item.material;
  const bool blends = material.alpha_mode == AlphaMode::blend;
  const MeshProgramKind kind{item.skin, item.targets != nullptr, pass == Pass::shadow};
  if (Result<void> made = make_program(kind); !made) return made;
  const MeshProgram& program = *program_of(kind);
  const RenderProgram::Locations& at = program.program.at;
  program.program.use();
  if (item.skin != RenderSkin::none) {
    const std::uint32_t largest = item.mesh->largest_joint();
    Result<void> bound =
        item.inverse_binds != nullptr
            ? program.skinning->bind(*item.palettes, item.palette, *item.inverse_binds, item.skeleton, largest)
            : program.skinning->bind(*item.palettes, item.palette, largest);
    if (!bound) return bound;
  }
  if (item.targets != nullptr) {
    Result<void> bound = program.skinning->bind_morphs(*item.targets, morphs, item.morphs, item.mesh->vertex_count());
    if (!bound) return bound;
  }
  float world[16];
  to_column_major(item.world, world);
  f.UniformMatrix4fv(at.view_projection, 1, 0, view_projection);
  f.UniformMatrix4fv(at.world, 1, 0, world);
  set_uv_rows(f, at.uv_rows, material.base_color_texture);
  f.Uniform4fv(at.base_color, 1, &material.base_color.x);
  // Where the picture that says what glows is missing, nothing does.
  const bool glows = material.emissive_texture.image == kNone ||
                     item.textures[static_cast<std::size_t>(material.emissive_texture.image)].has_value();
  const Vec3 glow = glows ? material.emissive : Vec3{};
  const float emissive[4] = {glow.x, glow.y, glow.z, material.roughness};
  f.Uniform4fv(at.emissive, 1, emissive);
  float least = material.alpha_mode == AlphaMode::mask ? material.alpha_cutoff : 0, end = 2;
  if (blends && pass == Pass::opaque) least = kOpaqueAlpha;
  if (blends && pass == Pass::shadow) least = 0.5f;
  if (pass == Pass::blended) end = kOpaqueAlpha;
  const bool plain = material.unlit || item.topology != Topology::triangles;
  const float surface[4] = {material.metallic, plain ? 1.0f : 0.0f, least, end};
  f.Uniform4fv(at.surface, 1, surface);
  const float alpha[4] = {material.alpha_mode == AlphaMode::opaque ? 1.0f : 0.0f,
                          material.alpha_mode == AlphaMode::mask ? 1.0f : 0.0f, 0, 0};
  f.Uniform4fv(at.alpha, 1, alpha);
  if (pass != Pass::shadow) set_light(f, program.program, draw_options, light, shadow.size());

  const auto bind = [&](unsigned int unit, const TextureUse& use) {
    const bool there = use.image != kNone && item.textures[static_cast<std::size_t>(use.image)];
    (there ? *item.textures[static_cast<std::size_t>(use.image)] : white).bind(unit, use);
  };
  bind(kBaseColorUnit, material.base_color_texture);
  bind(kEmissiveUnit, material.emissive_texture);

  // A shadow is cast by both sides: by the back alone where the front is left out.
  if (material.double_sided || pass == Pass::shadow) {
    f.Disable(gl::kCullFace);
  } else {
    f.Enable(gl::kCullFace);
  }
  f.FrontFace(item.mirrored ? gl::kClockwise : gl::kCounterclockwise);
  item.mesh->draw();
  return {};
}

Result<void> Renderer::Impl::draw_pass(Pass pass, const float view_projection[16], const DrawOptions& draw_options,
                                       const LightView& light) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    // The list is from far to near; what hides others goes first.
    const DrawItem& item = items[pass == Pass::blended ? i : items.size() - 1 - i];
    const bool blends = item.material->alpha_mode == AlphaMode::blend;
    if (pass == Pass::blended && !blends) continue;
    if (pass == Pass::shadow && item.topology != Topology::triangles) continue;
    if (Result<void> drawn = draw_item(item, pass, view_projection, draw_options, light); !drawn) return drawn;
  }
  return {};
}

Result<void> Renderer::Impl::draw(const DrawOptions& draw_options, const DrawArea& area) {
  MARROW_ASSERT(area.width > 0 && area.height > 0, "a picture has at least one pixel");
  const gl::Functions& f = gl();
  const float aspect = static_cast<float>(area.width) / static_cast<float>(area.height);
  const CameraMatrices camera = matrices_of(draw_options.camera, aspect);
  const LightView light = light_view(draw_options.environment, draw_options.light.to_key);
  std::stable_sort(items.begin(), items.end(),
                   [](const DrawItem& a, const DrawItem& b) { return a.distance > b.distance; });

  for (const gl::Enum off : {gl::kStencilTest, gl::kPolygonOffsetFill, gl::kBlend, gl::kDither}) f.Disable(off);
  if (!device.is_es()) f.Enable(gl::kProgramPointSize);
  f.Enable(gl::kDepthTest);
  f.DepthFunc(gl::kLequal);
  f.CullFace(gl::kBack);
  f.ColorMask(1, 1, 1, 1);
  f.BlendFunc(gl::kOne, gl::kOneMinusSrcAlpha);
  f.VertexAttrib4f(kColorAttribute, 1, 1, 1, 1);  // where a mesh has no colours
  if (draw_options.environment.shadow) {
    shadow.begin();
    f.Enable(gl::kPolygonOffsetFill);
    f.PolygonOffset(1.5f, 2);
    Result<void> drawn = draw_pass(Pass::shadow, light.clip_from_world, draw_options, light);
    f.Disable(gl::kPolygonOffsetFill);
    if (!drawn) return drawn;
  }

  f.BindFramebuffer(gl::kFramebuffer, area.framebuffer);
  const auto width = static_cast<gl::Size>(area.width), height = static_cast<gl::Size>(area.height);
  f.Viewport(area.x, area.y, width, height);
  f.Enable(gl::kScissorTest);
  f.Scissor(area.x, area.y, width, height);
  f.ClearColor(0, 0, 0, 0);
  f.DepthMask(1);
  f.Clear(gl::kColorBufferBit | gl::kDepthBufferBit);
  shadow.bind(kShadowUnit);
  surroundings.draw(draw_options, camera, aspect, light, shadow.size());
  f.Disable(gl::kBlend);
  if (Result<void> drawn = draw_pass(Pass::opaque, camera.view_projection, draw_options, light); !drawn) {
    return drawn;
  }
  f.Enable(gl::kBlend);
  f.DepthMask(0);
  Result<void> drawn = draw_pass(Pass::blended, camera.view_projection, draw_options, light);
  f.DepthMask(1);
  if (drawn && draw_options.sketch != nullptr) sketches.draw(*draw_options.sketch, camera, area.width, area.height);
  f.BindVertexArray(0);
  return drawn;
}

Renderer::Renderer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;
Renderer::~Renderer() = default;

Result<Renderer> Renderer::create(const GlDevice& device, const RendererOptions& options) {
  if (device.is_lost()) return lost_error();
  Result<Surroundings> surroundings = Surroundings::create(device);
  if (!surroundings) return surroundings.error();
  Result<SketchPass> sketches = SketchPass::create(device);
  if (!sketches) return sketches.error();
  Result<ShadowMap> shadow = ShadowMap::create(device, options.shadow_size);
  if (!shadow) return shadow.error();
  Result<RenderTexture> white = RenderTexture::create(device, {1, 1, {255, 255, 255, 255}});
  if (!white) return white.error();
  Result<PaletteBuffer> palettes = PaletteBuffer::create(device.device(), {.storage = PaletteStorage::uniform_3x4});
  if (!palettes) return palettes.error();
  Result<MorphBuffer> morphs = MorphBuffer::create(device.device(), {.max_targets = kRenderMaxMorphs});
  if (!morphs) return morphs.error();
  return Renderer(std::make_unique<Impl>(device, options, std::move(*surroundings), std::move(*sketches),
                                         std::move(*shadow), std::move(*white), std::move(*palettes),
                                         std::move(*morphs)));
}

Result<void> Renderer::draw(const Scene& scene, const DrawOptions& options, const DrawArea& area) {
  if (impl_->device.is_lost()) return lost_error();
  if (Result<void> collected = impl_->collect(scene, options.camera.eye); !collected) return collected;
  return impl_->draw(options, area);
}

Result<void> Renderer::draw(const MeshList& meshes, const DrawOptions& options, const DrawArea& area) {
  if (impl_->device.is_lost()) return lost_error();
  impl_->items.clear();
  add_meshes(meshes, impl_->items);
  return impl_->draw(options, area);
}

Result<void> Renderer::prepare(const Model& model) {
  if (impl_->device.is_lost()) return lost_error();
  return impl_->bring(model);
}

void Renderer::forget_unused() {
  std::erase_if(impl_->models, [](const auto& entry) { return !entry.second.used; });
  for (auto& [parts, model] : impl_->models) model.used = false;
}

std::span<const Warning> Renderer::warnings() const { return impl_->warnings; }

}  // namespace marrow

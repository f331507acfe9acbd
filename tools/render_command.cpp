#include <cstdio>

#include "commands.h"
#include "marrow/anim/sampling.h"
#include "marrow/gpu/gl_target.h"
#include "marrow/gpu/offscreen.h"
#include "marrow/gpu/renderer.h"
#include "render/images.h"
#include "render/output_file.h"
#include "render/png_file.h"

namespace marrow::tool {
namespace {

constexpr float kDegree = 3.14159265f / 180;

}  // namespace

int render(const RenderOptions& options) {
  const std::optional<LoadedModel> loaded = open_model(options.file, {});
  if (!loaded) return 1;
  const Model& model = loaded->model;
  const std::optional<std::int32_t> found = find_clip(options.file, model, options.clip);
  if (!found) return 1;
  const Clip* clip = *found == kNone ? nullptr : &model.clips()[static_cast<std::size_t>(*found)];

  const Result<OffscreenContext> context = OffscreenContext::make();
  if (!context) return report(options.file.path, context.error());
  const Result<GlDevice> device = GlDevice::make(OffscreenContext::get_proc);
  if (!device) return report(options.file.path, device.error());
  Result<Renderer> renderer = Renderer::make(*device, {.decode = decode_image});
  if (!renderer) return report(options.file.path, renderer.error());
  Result<GlTarget> target = GlTarget::make(*device, options.width, options.height);
  if (!target) return report(options.output, target.error());

  Scene scene;
  const Instance instance = scene.instantiate(model);
  std::vector<Box> boxes;
  const auto pose_at = [&](double time) {
    if (clip != nullptr) sample(*clip, time, instance.edit_pose());
    scene.update();
  };
  for (int i = 0; i <= 16; ++i) {
    pose_at(clip == nullptr ? 0 : clip->duration() * i / 16);
    boxes.push_back(instance.world_bounds());
  }
  pose_at(options.time);
  DrawOptions draw;
  const float aspect = static_cast<float>(options.width) / static_cast<float>(options.height);
  draw.camera = framed(boxes,
                       {.azimuth = static_cast<float>(options.azimuth) * kDegree,
                        .elevation = static_cast<float>(options.elevation) * kDegree,
                        .zoom = static_cast<float>(options.zoom)},
                       aspect);
  draw.stage = stage_of(boxes);
  draw.light = lighting_for(draw.camera);
  const Result<void> drawn = renderer->draw(scene, draw, {target->framebuffer(), 0, 0, options.width, options.height});
  if (!drawn) return report(options.file.path, drawn.error());
  for (const std::string& remark : renderer->remarks()) {
    std::fprintf(stderr, "marrow: %s: %s\n", options.file.path.c_str(), remark.c_str());
  }
  Picture picture;
  if (const Result<void> read = target->read(picture); !read) return report(options.file.path, read.error());
  const Result<std::vector<std::byte>> png = encode_png(picture);
  if (!png) return report(options.output, png.error());
  OutputFile file(options.output);
  if (const Result<void> written = file.write(*png); !written) return report(options.output, written.error());
  if (const Result<void> kept = file.keep(); !kept) return report(options.output, kept.error());
  return 0;
}

}  // namespace marrow::tool

#include "pictures.h"

#include <atomic>
#include <optional>
#include <utility>

#include "drawn_box.h"
#include "marrow/draw/camera.h"
#include "marrow/draw/gl_target.h"
#include "marrow/draw/guest_renderer.h"
#include "marrow/gpu/offscreen.h"
#include "render/film.h"
#include "render/png_file.h"

namespace marrow::console {
namespace {

// The program makes one at a time.
std::atomic<tool::Film*> film_in_the_making = nullptr;

constexpr ViewAngle kAngle{.azimuth = 0.5f, .elevation = 0.25f, .zoom = 0.8f};

// Follows what is drawn, a part of the way in each frame, so that it does not sway with every step.
class Follower {
 public:
  void follow(const Box& box, float aspect, DrawOptions& options) {
    if (is_empty(box)) return;
    const Vec3 middle{(box.low.x + box.high.x) / 2, (box.low.y + box.high.y) / 2, 0};
    if (!set_) {
      options.camera = camera_around({&box, 1}, kAngle, aspect);
      options.environment = environment_of({&box, 1});
      options.environment.radius *= 1.3f;  // it may move apart
      options.light = lighting_for(options.camera);
      at_ = middle;
      set_ = true;
    }
    const Vec3 step{(middle.x - at_.x) * kPart, (middle.y - at_.y) * kPart, 0};
    for (Vec3* const point : {&at_, &options.camera.eye, &options.camera.target, &options.environment.middle}) {
      point->x += step.x;
      point->y += step.y;
    }
  }

 private:
  static constexpr float kPart = 0.2f;
  Vec3 at_{};
  bool set_ = false;
};

}  // namespace

struct Pictures::Impl {
  Result<void> shoot(const GuestHost& host) {
    const DrawArea area{target.framebuffer(), 0, 0, target.width(), target.height()};
    if (Result<void> drawn = renderer.draw(host, options, area); !drawn) return drawn;
    return target.read(picture);
  }

  std::string path;
  OffscreenContext context;  // outlives what was made in it
  GuestRenderer renderer;
  GlTarget target;
  std::optional<tool::Film> film;
  std::uint32_t every = 1;  // how many frames of the game are one of the film
  Follower follower{};
  DrawOptions options{};
  Picture picture{};
  std::uint64_t frames = 0;
};

Pictures::Pictures(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Pictures::Pictures(Pictures&&) noexcept = default;
Pictures::~Pictures() {
  if (impl_ != nullptr && impl_->film) film_in_the_making = nullptr;
}

Result<Pictures> Pictures::make(const std::string& path, std::uint32_t width, std::uint32_t height) {
  Result<OffscreenContext> context = OffscreenContext::create();
  if (!context) return context.error();
  const Result<GlDevice> device = GlDevice::create(OffscreenContext::get_proc);
  if (!device) return device.error();
  Result<GuestRenderer> renderer = GuestRenderer::create(*device);
  if (!renderer) return renderer.error();
  Result<GlTarget> target = GlTarget::create(*device, width, height);
  if (!target) return target.error();
  auto impl =
      std::make_unique<Impl>(Impl{path, std::move(*context), std::move(*renderer), std::move(*target), std::nullopt});
  if (const std::optional<tool::FilmFormat> format = tool::film_format(path)) {
    impl->every = *format == tool::FilmFormat::gif ? 2 : 1;  // few programs show more than 50 in a second of those
    Result<tool::Film> film = tool::Film::make(path, {*format, width, height, 60.0 / impl->every, false});
    if (!film) return film.error();
    film_in_the_making = &impl->film.emplace(std::move(*film));
  }
  return Pictures(std::move(impl));
}

Result<void> Pictures::add(const GuestHost& host, bool last) {
  if (!impl_->film && !last) return {};
  const float aspect = static_cast<float>(impl_->target.width()) / static_cast<float>(impl_->target.height());
  impl_->follower.follow(drawn_box(host), aspect, impl_->options);
  const std::uint64_t frame = impl_->frames++;
  if (frame % impl_->every != 0) return {};
  if (Result<void> shot = impl_->shoot(host); !shot) return shot;
  return impl_->film ? impl_->film->add(impl_->picture) : Result<void>();
}

void Pictures::abandon() {
  if (tool::Film* const film = film_in_the_making) film->discard();
}

Result<void> Pictures::finish() {
  return impl_->film ? impl_->film->finish() : tool::write_png_file(impl_->path, impl_->picture);
}

}  // namespace marrow::console

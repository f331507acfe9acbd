#include "demo/window.h"

#include <SDL.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "demo/demo_film.h"
#include "marrow/draw/gl_target.h"
#include "model_file.h"
#include "render/images.h"
#include "render/png_file.h"

namespace marrow::tool {
namespace {

constexpr int kWidth = 960, kHeight = 720;
constexpr double kLongestStep = 0.1;  // seconds; after a pause of the system the hero does not leap
const char* const kClips[] = {"idle", "walk", "run", "jump", "wave", "turn"};

int failed(const char* what) {
  std::fprintf(stderr, "marrow: demo: %s: %s\n", what, SDL_GetError());
  return 1;
}

// SDL, a window and its context, closed in the right order.
struct Screen {
  ~Screen() {
    if (context != nullptr) SDL_GL_DeleteContext(context);
    if (window != nullptr) SDL_DestroyWindow(window);
    SDL_Quit();
  }
  SDL_Window* window = nullptr;
  SDL_GLContext context = nullptr;
};

bool open_context(Screen& screen, int samples) {
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
  SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
  SDL_GL_SetAttribute(SDL_GL_MULTISAMPLEBUFFERS, samples > 0 ? 1 : 0);
  SDL_GL_SetAttribute(SDL_GL_MULTISAMPLESAMPLES, samples);
  screen.window = SDL_CreateWindow("marrow", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, kWidth, kHeight,
                                   SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
  if (screen.window == nullptr) return false;
  screen.context = SDL_GL_CreateContext(screen.window);
  if (screen.context != nullptr) return true;
  SDL_DestroyWindow(screen.window);
  screen.window = nullptr;
  return false;
}

class Player {
 public:
  Player(const GlDevice& device, Renderer renderer, const HeroModels& models, std::string folder)
      : device_(device), renderer_(std::move(renderer)), hero_(scene_, models), folder_(std::move(folder)) {}

  // Returns false if the window is to be closed.
  bool handle(const SDL_Event& event) {
    switch (event.type) {
      case SDL_QUIT: return false;
      case SDL_KEYDOWN: return event.key.repeat != 0 || press(event.key.keysym.sym);
      case SDL_MOUSEMOTION:
        if ((event.motion.state & SDL_BUTTON_LMASK) != 0) {
          azimuth_ -= static_cast<float>(event.motion.xrel) * 0.008f;
          elevation_ = std::clamp(elevation_ + static_cast<float>(event.motion.yrel) * 0.006f, -0.05f, 1.5f);
        }
        return true;
      case SDL_MOUSEWHEEL:
        distance_ = std::clamp(distance_ * (event.wheel.y > 0 ? 0.9f : 1.1f), 1.5f, 20.0f);
        return true;
      default: return true;
    }
  }

  void update(double dt_s) {
    if (!paused_) hero_.update(dt_s);
  }

  // What the window is called: what the hero does.
  [[nodiscard]] std::string title() const {
    return "marrow: " + std::string(hero_.playing()) + (hero_.waves() ? " and wave" : "") + (paused_ ? ", paused" : "");
  }

  Result<void> draw(std::uint32_t width, std::uint32_t height) {
    const DrawArea window{0, 0, 0, width, height};
    if (Result<void> drawn = draw_to(window, true); !drawn) return drawn;
    return wants_picture_ ? take_picture(width, height) : Result<void>();
  }

 private:
  bool press(SDL_Keycode key) {
    if (key >= SDLK_1 && key < SDLK_1 + static_cast<int>(std::size(kClips))) hero_.play(kClips[key - SDLK_1]);
    switch (key) {
      case SDLK_ESCAPE: return false;
      case SDLK_h:
        hero_.hold(hero_.held() == Held::axe ? Held::nothing : hero_.held() == Held::sword ? Held::axe : Held::sword);
        break;
      case SDLK_b: bones_ = !bones_; break;
      case SDLK_p: wants_picture_ = true; break;
      case SDLK_SPACE: paused_ = !paused_; break;
      case SDLK_HOME: hero_.set_place({}); break;
      default: break;
    }
    return true;
  }

  Result<void> draw_to(const DrawArea& area, bool with_help) {
    DrawOptions options;
    options.camera = hero_camera(hero_.place(), azimuth_, elevation_, distance_);
    options.environment = hero_environment(hero_.place());
    options.light = lighting_for(hero_camera({}, 0.5f, 0.17f, 4.6f));
    sketch_.clear();
    if (bones_) add_bones(sketch_, hero_.instance());
    if (with_help) add_help();
    options.sketch = &sketch_;
    return renderer_.draw(scene_, options, area);
  }

  void add_help() {
    constexpr Color kInk{60, 66, 76, 255}, kNow{214, 96, 20, 255};
    float x = 14;
    for (std::size_t i = 0; i < std::size(kClips); ++i) {
      const std::string text = std::to_string(i + 1) + " " + kClips[i];
      const bool now = hero_.playing() == kClips[i] || (hero_.waves() && std::string_view(kClips[i]) == "wave");
      add_text(sketch_, {x, 26}, 12, text, now ? kNow : kInk);
      x += text_width(12, text) + 22;
    }
    add_text(sketch_, {14, 50}, 10, "h hand   b bones   space pause   p picture   home   drag, wheel   esc", kInk);
  }

  // The same again without the help, from a target whose pixels can be read.
  Result<void> take_picture(std::uint32_t width, std::uint32_t height) {
    wants_picture_ = false;
    Result<GlTarget> target = GlTarget::create(device_, width, height);
    if (!target) return target.error();
    if (Result<void> drawn = draw_to({target->framebuffer(), 0, 0, width, height}, false); !drawn) return drawn;
    Picture picture;
    if (Result<void> read = target->read(picture); !read) return read;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);  // if that fails, so does writing
    std::string path;
    do {
      path = (std::filesystem::path(folder_) / ("window-" + std::to_string(++pictures_) + ".png")).string();
    } while (std::filesystem::exists(path, error));
    if (const Result<void> written = write_png_file(path, picture); !written) {
      report(path, written.error());  // and go on
    } else {
      std::printf("%s\n", path.c_str());
      std::fflush(stdout);
    }
    return {};
  }

  GlDevice device_;
  Renderer renderer_;
  Scene scene_;
  Hero hero_;
  std::string folder_;
  Sketch sketch_;
  float azimuth_ = 0.5f, elevation_ = 0.17f, distance_ = 5;
  bool paused_ = false, bones_ = false, wants_picture_ = false;
  int pictures_ = 0;
};

}  // namespace

bool has_display() {
#if defined(__linux__) || defined(__FreeBSD__)
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
#else
  return true;
#endif
}

int show_window(const HeroModels& models, const std::string& folder) {
  Screen screen;
  SDL_SetHint(SDL_HINT_OPENGL_ES_DRIVER, "1");
  if (SDL_Init(SDL_INIT_VIDEO) != 0) return failed("there is no screen");
  if (!open_context(screen, 4) && !open_context(screen, 0)) return failed("no window with OpenGL ES 3 could be opened");
  SDL_GL_SetSwapInterval(1);
  const Result<GlDevice> device = GlDevice::create(SDL_GL_GetProcAddress);
  if (!device) return report("demo", device.error());
  Result<Renderer> renderer = Renderer::create(*device, {.decode = decode_image});
  if (!renderer) return report("demo", renderer.error());
  Player player(*device, std::move(*renderer), models, folder);
  std::string title;
  std::uint64_t before = SDL_GetPerformanceCounter();
  for (;;) {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
      if (!player.handle(event)) return 0;
    }
    const std::uint64_t now = SDL_GetPerformanceCounter();
    const double passed = static_cast<double>(now - before) / static_cast<double>(SDL_GetPerformanceFrequency());
    before = now;
    player.update(std::min(passed, kLongestStep));
    if (player.title() != title) {
      title = player.title();
      SDL_SetWindowTitle(screen.window, title.c_str());
    }
    int width = 0, height = 0;
    SDL_GL_GetDrawableSize(screen.window, &width, &height);
    if (width > 0 && height > 0) {
      const Result<void> drawn = player.draw(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height));
      if (!drawn) return report("demo", drawn.error());
    }
    SDL_GL_SwapWindow(screen.window);
  }
}

}  // namespace marrow::tool

#include <cstdio>
#include <filesystem>

#include "commands.h"
#include "demo/demo_film.h"
#include "demo/window.h"
#include "render/film.h"
#include "render/png_file.h"
#include "render/sheet.h"
#include "terminal.h"
#include "text.h"
#include "workloads.h"

namespace marrow::tool {
namespace {

constexpr std::uint32_t kGroupWidth = 1600, kGroupHeight = 720, kFilmWidth = 854, kFilmHeight = 480, kCellWidth = 224,
                        kCellHeight = 280, kCells = 8;
constexpr double kDemoFps = 30;
const char* const kClips[] = {"idle", "walk", "run", "jump", "wave", "turn"};

// Where things go, with what each is, for the summary.
struct Outputs {
  std::filesystem::path folder;
  std::string summary;

  [[nodiscard]] std::string path(const char* name) const { return (folder / name).string(); }
  void made(const char* what, const std::string& path, const std::string& facts) {
    summary += std::string("  ") + what + std::string(9 - std::string_view(what).size(), ' ') + printable(path) +
               "  (" + facts + ")\n";
  }
};

std::string size_text(const Picture& picture) {
  return std::to_string(picture.width) + " x " + std::to_string(picture.height);
}

int make_picture(const HeroModels& models, Outputs& outputs) {
  const std::string path = outputs.path("picture.png");
  Result<Studio> studio = Studio::make(kGroupWidth, kGroupHeight);
  if (!studio) return report("demo", studio.error());
  Picture picture;
  if (const Result<void> drawn = draw_group(*studio, models, picture); !drawn) return report(path, drawn.error());
  if (const Result<void> written = write_png_file(path, picture); !written) return report(path, written.error());
  outputs.made("picture", path, size_text(picture));
  return 0;
}

int make_film(const HeroModels& models, Outputs& outputs) {
  const std::string path = outputs.path("film.mp4");
  Result<Studio> studio = Studio::make(kFilmWidth, kFilmHeight);
  if (!studio) return report("demo", studio.error());
  Result<Film> film = Film::make(path, {FilmFormat::mp4, kFilmWidth, kFilmHeight, kDemoFps, false});
  if (!film) return report(path, film.error());
  Progress progress;
  const std::uint32_t frames = frame_count(kFilmSeconds, kDemoFps);
  const Result<void> drawn = draw_film(*studio, models, kDemoFps, [&](const Picture& picture, std::uint32_t number) {
    progress.show("film", number, frames);
    return film->add(picture);
  });
  if (!drawn) return report(path, drawn.error());
  if (const Result<void> finished = film->finish(); !finished) return report(path, finished.error());
  char facts[64];
  std::snprintf(facts, sizeof facts, "%u x %u, %.1f seconds, %u frames", kFilmWidth, kFilmHeight, kFilmSeconds, frames);
  outputs.made("film", path, facts);
  return 0;
}

int make_sheet_of_clips(const HeroModels& models, Outputs& outputs) {
  const std::string path = outputs.path("sheet.png");
  Result<Studio> studio = Studio::make(kCellWidth, kCellHeight);
  if (!studio) return report("demo", studio.error());
  const SheetLayout layout{kCells, static_cast<std::uint32_t>(std::size(kClips)), kCellWidth, kCellHeight};
  Picture sheet = make_sheet(layout, false), picture;
  Progress progress;
  for (std::uint32_t row = 0; row < layout.rows; ++row) {
    const double duration = models.character.find_clip(kClips[row])->duration();
    for (std::uint32_t column = 0; column < kCells; ++column) {
      progress.show("sheet", row * kCells + column, layout.rows * kCells);
      Scene scene;
      Hero hero(scene, models);
      const double time = duration * column / kCells;
      hero.pose(kClips[row], time);
      DrawOptions options;
      options.camera = hero_camera({0, 0, row == 3 ? 0.25f : 0.0f}, 0.7f, 0.12f, row == 3 ? 5.6f : 4.5f);
      options.environment = hero_environment({});
      options.light = lighting_for(options.camera);
      Sketch sketch;
      char caption[48];
      std::snprintf(caption, sizeof caption, "%s  %.2f s", kClips[row], time);
      add_text(sketch, {8, kCellHeight - 8.0f}, 10, caption, {60, 66, 76, 255});
      options.sketch = &sketch;
      if (const Result<void> shot = studio->shoot(scene, options, picture); !shot) return report(path, shot.error());
      place(sheet, layout, row * kCells + column, picture);
    }
  }
  if (const Result<void> written = write_png_file(path, sheet); !written) return report(path, written.error());
  outputs.made("sheet", path, size_text(sheet) + ", " + std::to_string(std::size(kClips)) + " clips");
  return 0;
}

// What one character costs, from its actions to its palettes.
std::string cost_text(const Model& model) {
  const auto subject = bench::model_subject(model, [] { return load_file("", {}); });
  std::string text;
  for (const bench::Workload& work : bench::make_workloads(subject)) {
    const bool fades = work.name == "crossfade";
    if (work.name != "character" && !fades) continue;
    const double ns = bench::measure(work, 0.2).ns_per_character;
    char line[160];
    std::snprintf(line, sizeof line, "  %-26s%.2f microseconds a frame on one core, %.0f characters in a millisecond\n",
                  fades ? "in the middle of a fade" : "one clip", ns * 1e-3, 1e6 / ns);
    text += line;
  }
  return text;
}

std::string facts_of(const Model& model) {
  std::size_t triangles = 0;
  for (const MeshPart& part : model.meshes()[0].parts) triangles += part.indices.size() / 3;
  return std::to_string(model.skins()[0].size()) + " joints, " + grouped(triangles) + " triangles, " +
         std::to_string(model.clips().size()) + " clips";
}

}  // namespace

int demo(const DemoOptions& options) {
  const Result<HeroModels> models = HeroModels::load();
  if (!models) return report("demo", models.error());
  if (options.window == DemoOptions::Window::only) return show_window(*models, options.folder);

  Outputs outputs{std::filesystem::path(options.folder), {}};
  std::error_code error;
  std::filesystem::create_directories(outputs.folder, error);
  if (error) {
    std::fprintf(stderr, "marrow: %s: %s\n", printable(options.folder).c_str(), error.message().c_str());
    return 1;
  }
  int status = 0;  // what can be made is made, whatever cannot
  for (const auto make : {make_picture, make_film, make_sheet_of_clips})
    status = std::max(status, make(*models, outputs));
  std::printf(
      "A character stands, waves, walks, runs and stands again, with crossfades between and a sword in its "
      "hand.\n\n%s\n",
      outputs.summary.c_str());
  std::printf("%s; from its actions to finished matrices:\n%s", facts_of(models->character).c_str(),
              cost_text(models->character).c_str());
  if (status != 0 || options.window == DemoOptions::Window::none || !has_display()) return status;
  std::fflush(stdout);
  return show_window(*models, options.folder);
}

}  // namespace marrow::tool

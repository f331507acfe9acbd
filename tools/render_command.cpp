#include <charconv>
#include <cstdio>

#include "commands.h"
#include "messages.h"
#include "output_file.h"
#include "render/film.h"
#include "render/png_file.h"
#include "render/session.h"
#include "render/sheet.h"
#include "terminal.h"
#include "text.h"

namespace marrow::tool {
namespace {

constexpr float kDegree = 3.14159265f / 180;
constexpr std::uint32_t kSide = 640, kSheetSide = 320, kLargestSheet = 16384;
constexpr double kVideoFps = 30, kGifFps = 25;

int usage(const std::string& sentence) {
  std::fprintf(stderr, "marrow: render: %s\nRun with --help for more information.\n", sentence.c_str());
  return 2;
}

// "A:B:SECONDS"; clips may have colons in their names only if the other has none.
struct Fade {
  std::string from, to;
  double seconds = 0;
};
std::optional<Fade> read_fade(const std::string& text) {
  const std::size_t first = text.find(':'), last = text.rfind(':');
  if (first == std::string::npos || first == last) return std::nullopt;
  Fade out{text.substr(0, first), text.substr(first + 1, last - first - 1), 0};
  char* end = nullptr;
  out.seconds = std::strtod(text.c_str() + last + 1, &end);
  if (end == text.c_str() + last + 1 || *end != '\0' || !(out.seconds >= 0 && out.seconds <= 3600)) return std::nullopt;
  return out;
}

const Clip* clip_of(const Model& model, std::int32_t index) {
  return index == kNone ? nullptr : &model.clips()[static_cast<std::size_t>(index)];
}

std::string caption_of(const Clip* clip, double time_s) {
  if (clip == nullptr) return "rest";
  char time[32];
  std::snprintf(time, sizeof time, "  %.2f s", time_s);
  return std::string(clip->name()) + time;
}

// Everything that a command line asks for, found in the model.
struct Work {
  const RenderOptions& options;
  const Model& model;
  Shot shot;
  MotionPlan plan;
  std::vector<const Clip*> sheet_clips;
  std::optional<FilmFormat> film;
  std::uint32_t width = 0, height = 0;
};

int write_png(const std::string& path, const Picture& picture) {
  const Result<void> written = write_png_file(path, picture);
  return written ? 0 : report(path, written.error());
}

int draw_picture(const Work& work, Studio& studio) {
  MotionPlan plan = work.plan;
  plan.repeat = plan.fade_to != nullptr;
  double until = plan.clip == nullptr ? 0 : plan.clip->duration();
  if (plan.fade_to != nullptr) until = std::max(plan.fade_s, work.options.time);
  Motion motion(work.model, plan);
  Session session(studio, motion, until, work.shot);
  Picture picture;
  const double time = plan.clip == nullptr ? 0 : std::max(work.options.time, 0.0);
  if (const Result<void> shot = session.shoot(time, {}, picture); !shot) {
    return report(name_of(work.options.file), shot.error());
  }
  return write_png(work.options.output, picture);
}

// Of several clips each has a row, or a part of one; of one clip all pictures are in a square.
int draw_sheet(const Work& work, Studio& studio) {
  const auto clips = static_cast<std::uint32_t>(work.sheet_clips.size());
  const std::uint32_t each = work.options.sheet;
  const SheetLayout layout =
      clips > 1 ? rows_layout(clips, each, work.width, work.height) : square_layout(each, work.width, work.height);
  if (layout.width() > kLargestSheet || layout.height() > kLargestSheet) {
    return usage("the sheet would have " + std::to_string(layout.width()) + " x " + std::to_string(layout.height()) +
                 " pixels; ask for fewer pictures, smaller ones (--size) or one clip (--clip)");
  }
  Picture sheet = make_sheet(layout, work.shot.transparent), picture;
  Progress progress;
  for (std::uint32_t c = 0; c < clips; ++c) {
    MotionPlan plan = work.plan;
    const bool fades = plan.fade_to != nullptr;
    if (!fades) plan.clip = work.sheet_clips[c];
    plan.repeat = fades;
    const double until = fades ? plan.fade_s : plan.clip == nullptr ? 0 : plan.clip->duration();
    Motion motion(work.model, plan);
    Session session(studio, motion, until, work.shot);
    for (std::uint32_t i = 0; i < each; ++i) {
      progress.show(plan.clip == nullptr ? "rest" : std::string(plan.clip->name()), c * each + i, clips * each);
      const double time = each > 1 ? until * i / (each - 1) : 0;
      if (const Result<void> shot = session.shoot(time, caption_of(plan.clip, time), picture); !shot) {
        return report(name_of(work.options.file), shot.error());
      }
      place(sheet, layout, c * each + i, picture);
    }
  }
  return write_png(work.options.output, sheet);
}

int draw_film(const Work& work, Studio& studio) {
  const RenderOptions& options = work.options;
  MotionPlan plan = work.plan;
  FilmOptions film_options{*work.film, work.width, work.height, options.fps, options.transparent};
  if (options.fps == 0) film_options.frames_per_second = *work.film == FilmFormat::gif ? kGifFps : kVideoFps;
  double until = plan.clip == nullptr ? 1 : plan.clip->duration();
  if (plan.fade_to != nullptr) {
    plan.fade_at_s = until;
    until += std::max(plan.fade_s, plan.fade_to->duration());
  }
  if (options.seconds > 0) until = options.seconds;
  const std::uint32_t frames = frame_count(until, film_options.frames_per_second);
  Motion motion(work.model, plan);
  Session session(studio, motion, until, work.shot);
  Result<Film> film = Film::make(options.output, film_options);
  if (!film) return report(options.output, film.error());
  Progress progress;
  Picture picture;
  for (std::uint32_t i = 0; i < frames; ++i) {
    progress.show(options.output, i, frames);
    if (const Result<void> shot = session.shoot(i / film_options.frames_per_second, {}, picture); !shot) {
      return report(name_of(options.file), shot.error());
    }
    if (const Result<void> added = film->add(picture); !added) return report(options.output, added.error());
  }
  if (const Result<void> finished = film->finish(); !finished) return report(options.output, finished.error());
  return 0;
}

// Finds the clips; false after a report if one is missing.
bool find_clips(Work& work) {
  const RenderOptions& options = work.options;
  const auto find = [&](const std::string& which, const Clip*& out) {
    const std::optional<std::int32_t> found = find_clip(options.file, work.model, which);
    if (found) out = clip_of(work.model, *found);
    return found.has_value();
  };
  if (const std::optional<Fade> fade = read_fade(options.fade)) {
    work.plan.fade_s = fade->seconds;
    work.sheet_clips = {nullptr};
    if (!find(fade->from, work.plan.clip) || !find(fade->to, work.plan.fade_to)) return false;
    if (work.plan.clip != nullptr && work.plan.fade_to != nullptr) return true;
    report(name_of(options.file), {ErrorCode::invalid_argument, "a fade is from one clip to another, not to none", {}});
    return false;
  }
  if (!options.clip.empty()) {
    if (!find(options.clip, work.plan.clip)) return false;
  } else if (work.film && !work.model.clips().empty()) {
    work.plan.clip = &work.model.clips()[0];
  } else if (!work.model.clips().empty()) {
    for (const Clip& clip : work.model.clips()) work.sheet_clips.push_back(&clip);
  }
  if (work.sheet_clips.empty()) work.sheet_clips = {work.plan.clip};
  return true;
}

bool find_trails(Work& work) {
  for (const std::string& name : work.options.trails) {
    const Result<std::uint32_t> joint = work.model.skeleton().joint(name);
    if (!joint) {
      report(name_of(work.options.file), joint.error());
      return false;
    }
    work.shot.trails.push_back(*joint);
  }
  return true;
}

bool is_png(const std::string& path) { return path.size() > 4 && (path.ends_with(".png") || path.ends_with(".PNG")); }

}  // namespace

int render(const RenderOptions& options) {
  const std::optional<FilmFormat> film = film_format(options.output);
  if (!film && !is_png(options.output)) return usage("the output is a .png, .mp4, .webm or .gif file");
  if (film && options.sheet > 0) return usage("a sheet is a .png file");
  if (film == FilmFormat::mp4 && options.transparent) {
    return usage("an .mp4 file cannot be transparent; .png, .webm and .gif can");
  }
  if (!options.fade.empty() && !read_fade(options.fade)) {
    return usage("a fade is given as A:B:SECONDS, such as walk:run:0.4");
  }
  if (!(options.time >= -1e9 && options.time <= 1e9)) return usage("the time is not a number of seconds up to 1e9");

  const std::optional<LoadedModel> loaded = open_model(options.file, {});
  if (!loaded) return 1;
  Work work{options, loaded->model, {}, {}, {}, film, options.width, options.height};
  if (work.width == 0) work.width = work.height = options.sheet > 0 ? kSheetSide : kSide;
  work.plan.follow = options.follow;
  work.shot.angle.azimuth = static_cast<float>(options.azimuth) * kDegree;
  work.shot.angle.elevation = static_cast<float>(options.elevation) * kDegree;
  work.shot.angle.zoom = static_cast<float>(options.zoom);
  work.shot.turn = static_cast<float>(options.turn) * kDegree;
  work.shot.skeleton = options.skeleton;
  work.shot.names = options.names;
  work.shot.transparent = options.transparent;
  work.shot.ground = !options.no_ground;
  work.shot.shadow = !options.no_shadow;
  if (!find_clips(work) || !find_trails(work)) return 1;
  // What has nothing to show but its bones shows those.
  bool has_meshes = false;
  for (const ModelNode& node : loaded->model.nodes()) has_meshes = has_meshes || (node.mesh != kNone && node.shown);
  work.shot.skeleton = work.shot.skeleton || !has_meshes;

  Result<Studio> studio = Studio::make(work.width, work.height);
  if (!studio) return report(options.output, studio.error());
  const int status = options.sheet > 0 ? draw_sheet(work, *studio)
                     : film            ? draw_film(work, *studio)
                                       : draw_picture(work, *studio);
  for (const Warning& warning : studio->warnings()) {
    std::fprintf(stderr, "marrow: %s: %s\n", printable(options.file.path).c_str(),
                 printable(to_string(warning)).c_str());
  }
  return status;
}

}  // namespace marrow::tool

#include "render/film.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#if __has_include(<spawn.h>) && __has_include(<sys/wait.h>)
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#define MARROW_POSIX_SPAWN
#endif

namespace marrow::tool {
namespace {

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

Error no_ffmpeg(const char* why) {
  return {ErrorCode::unsupported,
          std::string("films are made by the program ffmpeg, which cannot be run: ") + why +
              " (Debian and Ubuntu: the package ffmpeg)",
          {}};
}

}  // namespace

std::optional<FilmFormat> film_format(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  std::string extension(path.substr(dot + 1));
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension == "mp4") return FilmFormat::mp4;
  if (extension == "webm") return FilmFormat::webm;
  if (extension == "gif") return FilmFormat::gif;
  return std::nullopt;
}

std::uint32_t frame_count(double seconds, double frames_per_second) {
  constexpr double kMost = 1e6;
  return static_cast<std::uint32_t>(std::clamp(std::round(seconds * frames_per_second), 1.0, kMost));
}

std::vector<std::string> ffmpeg_arguments(const FilmOptions& options, const std::string& path) {
  std::vector<std::string> out = {"ffmpeg",
                                  "-hide_banner",
                                  "-loglevel",
                                  "error",
                                  "-y",
                                  "-f",
                                  "rawvideo",
                                  "-pixel_format",
                                  "rgba",
                                  "-video_size",
                                  std::to_string(options.width) + "x" + std::to_string(options.height),
                                  "-framerate",
                                  number_text(options.frames_per_second),
                                  "-i",
                                  "-",
                                  "-an"};
  const auto add = [&](std::initializer_list<const char*> more) { out.insert(out.end(), more.begin(), more.end()); };
  // Codecs want even sides, and players the colours of television.
  const std::string even = "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=";
  const bool clear = options.transparent;
  switch (options.format) {
    case FilmFormat::mp4:
      add({"-vf", (even + "yuv420p").c_str(), "-c:v", "libx264", "-crf", "18", "-preset", "medium", "-movflags",
           "+faststart"});
      add({"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-f", "mp4"});
      break;
    case FilmFormat::webm:
      add({"-vf", (even + (clear ? "yuva420p" : "yuv420p")).c_str(), "-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0",
           "-deadline", "good", "-cpu-used", "3", "-auto-alt-ref", clear ? "0" : "1"});
      add({"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-f", "webm"});
      break;
    case FilmFormat::gif:
      // One palette of the colours of the whole film; dots that stay where nothing moves.
      add({"-lavfi", clear ? "split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse=dither=bayer:"
                             "bayer_scale=4:alpha_threshold=128"
                           : "split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=bayer:"
                             "bayer_scale=4:diff_mode=rectangle"});
      add({"-loop", "0", "-f", "gif"});
      break;
  }
  add({"-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"});
  out.push_back("file:" + path);
  return out;
}

Film::Film(Film&& other) noexcept
    : file_(std::move(other.file_)),
      words_(std::exchange(other.words_, nullptr)),
      pipe_(std::exchange(other.pipe_, -1)),
      process_(std::exchange(other.process_, -1)) {}

#ifdef MARROW_POSIX_SPAWN

Result<Film> Film::make(const std::string& path, const FilmOptions& options) {
  Film film;
  film.file_ = std::make_unique<OutputFile>(path);
  film.words_ = std::tmpfile();
  int ends[2];
  if (film.words_ == nullptr || pipe2(ends, O_CLOEXEC) != 0) return no_ffmpeg(std::strerror(errno));
  film.pipe_ = ends[1];
  std::vector<std::string> arguments = ffmpeg_arguments(options, film.file_->temporary());
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(film.words_), STDERR_FILENO);
  pid_t process = -1;
  const int failed = posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (failed != 0) return no_ffmpeg(std::strerror(failed));
  film.process_ = process;
  signal(SIGPIPE, SIG_IGN);  // a write tells that ffmpeg is gone
  return film;
}

Film::~Film() {
  if (process_ >= 0) kill(process_, SIGKILL);
  wait();
  if (words_ != nullptr) std::fclose(words_);
}

void Film::discard() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  std::remove(file_->temporary().c_str());
}

// Ends the input and waits. Returns the status, 0 for success; what was ended before has none.
int Film::wait() {
  if (pipe_ >= 0) close(pipe_);
  pipe_ = -1;
  if (process_ < 0) return 0;
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

Result<void> Film::add(const Picture& picture) {
  const std::uint8_t* at = picture.rgba.data();
  std::size_t left = picture.rgba.size();
  while (left > 0) {
    const ssize_t written = write(pipe_, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      wait();
      return failure();
    }
    at += written;
    left -= static_cast<std::size_t>(written);
  }
  return {};
}

Result<void> Film::finish() {
  if (wait() != 0) return failure();
  return file_->keep();
}

#else

Result<Film> Film::make(const std::string&, const FilmOptions&) {
  return no_ffmpeg("this build cannot start programs");
}
Film::~Film() = default;
void Film::discard() {}
int Film::wait() { return 0; }
Result<void> Film::add(const Picture&) { return failure(); }
Result<void> Film::finish() { return failure(); }

#endif

// The last line of what ffmpeg said.
Error Film::failure() {
  std::string last;
  char line[512];
  if (words_ != nullptr) std::rewind(words_);
  while (words_ != nullptr && std::fgets(line, sizeof line, words_) != nullptr) {
    std::string text(line);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.pop_back();
    if (!text.empty()) last = text;
  }
  return {ErrorCode::unreadable, "ffmpeg could not make the film" + (last.empty() ? "" : ": " + last), {}};
}

}  // namespace marrow::tool

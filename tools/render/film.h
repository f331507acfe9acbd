// Film: pictures one after the other, made into a file by ffmpeg.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/result.h"
#include "marrow/draw/picture.h"
#include "output_file.h"

namespace marrow::tool {

enum class FilmFormat { mp4, webm, gif };

// By the extension of a path, in capitals or not; none if it is that of no film.
[[nodiscard]] std::optional<FilmFormat> film_format(std::string_view path);

struct FilmOptions {
  FilmFormat format = FilmFormat::mp4;
  std::uint32_t width = 0, height = 0;
  double frames_per_second = 30;
  bool transparent = false;  // not in mp4
};

// How many frames a film of so many seconds has: at least one.
[[nodiscard]] std::uint32_t frame_count(double seconds, double frames_per_second);

// What ffmpeg is called with to write to a path.
[[nodiscard]] std::vector<std::string> ffmpeg_arguments(const FilmOptions& options, const std::string& path);

// A film in the making. The file is there when `finish` has returned without an error, or not at all.
class Film {
 public:
  // Fails if there is no ffmpeg, naming the package that has it.
  [[nodiscard]] static Result<Film> make(const std::string& path, const FilmOptions& options);
  Film(Film&& other) noexcept;
  Film& operator=(Film&&) = delete;
  ~Film();

  // Adds a frame of the film's size. Fails with ffmpeg's own words if it gave up.
  [[nodiscard]] Result<void> add(const Picture& picture);
  [[nodiscard]] Result<void> finish();

  // Leaves nothing behind, for a program that is about to end where it is; nothing but the end may follow. Any thread.
  void discard();

 private:
  Film() = default;
  Error failure();
  int wait();

  std::unique_ptr<OutputFile> file_;
  std::FILE* words_ = nullptr;  // of ffmpeg
  int pipe_ = -1;
  int process_ = -1;
};

}  // namespace marrow::tool

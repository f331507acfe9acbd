// What `marrow render` writes: PNG files, sheets, films, and files that are there whole or not at all.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "output_file.h"
#include "render/film.h"
#include "render/images.h"
#include "render/png_file.h"
#include "render/sheet.h"

namespace marrow {
namespace {

using namespace tool;
namespace fs = std::filesystem;

Picture gradient(std::uint32_t width, std::uint32_t height, bool opaque) {
  Picture out{width, height, {}};
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      out.rgba.insert(out.rgba.end(), {static_cast<std::uint8_t>(x * 7), static_cast<std::uint8_t>(y * 5), 90,
                                       static_cast<std::uint8_t>(opaque ? 255 : 16 * (x % 16))});
    }
  }
  return out;
}

// A folder of its own, gone afterwards.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "marrow_render_test_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);  // other tests may run at the same time
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const char* name) const { return (path_ / name).string(); }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

TEST_CASE("a PNG has the pixels that it was made of, with alpha and without") {
  for (const bool opaque : {true, false}) {
    CAPTURE(opaque);
    const Picture picture = gradient(31, 17, opaque);
    const Result<std::vector<std::byte>> png = encode_png(picture);
    REQUIRE(png.ok());
    const Result<Picture> back = decode_png(*png);
    REQUIRE(back.ok());
    CHECK(back->width == 31);
    CHECK(back->height == 17);
    CHECK((back->rgba == picture.rgba));
    // And what reads the pictures of models agrees.
    const Result<Picture> image = decode_image({"", "image/png", "", *png});
    REQUIRE(image.ok());
    CHECK((image->rgba == picture.rgba));
  }
}

TEST_CASE("pictures that cannot be decoded are refused") {
  CHECK_FALSE(decode_png({}).ok());
  CHECK(to_string(decode_image({"", "", "skin.png", {}}).error()) == "skin.png: the picture was not loaded");
  std::vector<std::byte> png = *encode_png(gradient(31, 17, false));
  png.resize(png.size() / 2);
  CHECK_FALSE(decode_png(png).ok());
  png.resize(5);
  const Result<Picture> broken = decode_image({"", "image/ktx2", "", png});
  REQUIRE_FALSE(broken.ok());
  CHECK(broken.error().message.find("image/ktx2") != std::string::npos);
}

TEST_CASE("a file is there whole or not at all") {
  const Folder folder;
  const std::string path = folder / "picture.png";
  const std::byte bytes[] = {std::byte{1}, std::byte{2}};
  {
    OutputFile file(path);
    REQUIRE(file.write(bytes).ok());
    CHECK_FALSE(fs::exists(path));
  }
  CHECK(folder.files() == 0);
  {
    OutputFile file(path);
    REQUIRE(file.write(bytes).ok());
    REQUIRE(file.keep().ok());
  }
  CHECK(fs::file_size(path) == 2);
  CHECK(folder.files() == 1);
  OutputFile nowhere(folder / "no/such/folder.png");
  CHECK_FALSE(nowhere.write(bytes).ok());
}

TEST_CASE("pictures stand on a sheet in even rows") {
  const SheetLayout six = square_layout(6, 100, 100);
  CHECK(six.columns == 3);
  CHECK(six.rows == 2);
  CHECK(square_layout(1, 10, 10).columns == 1);
  CHECK(square_layout(8, 100, 120).columns == 4);
  const SheetLayout tall = square_layout(4, 50, 200);
  CHECK(tall.columns * tall.rows >= 4);
  CHECK(tall.columns == 4);
  // Of several clips each is in one row, and none is torn apart.
  const SheetLayout few = rows_layout(3, 6, 100, 100);
  CHECK(few.columns == 6);
  CHECK(few.rows == 3);
  const SheetLayout many = rows_layout(76, 4, 320, 320);
  CHECK(many.columns % 4 == 0);
  CHECK(many.columns * many.rows >= 76 * 4);
  CHECK(many.width() >= many.height());

  SheetLayout layout = square_layout(2, 3, 2);
  layout.columns = 2;
  layout.rows = 1;
  Picture sheet = make_sheet(layout, false);
  const Picture dark{3, 2, std::vector<std::uint8_t>(24, 9)};
  place(sheet, layout, 1, dark);
  const auto at = [&](std::size_t x, std::size_t y) { return sheet.rgba[(y * sheet.width + x) * 4]; };
  CHECK(at(4 + 3 + 4, 4) == 9);
  CHECK(at(4 + 3 + 4 + 2, 5) == 9);
  CHECK(at(4, 4) == 255);
  CHECK(at(4 + 3 + 4 + 3, 5) == 255);
}

TEST_CASE("the format of a film goes by its extension, and its frames by its length") {
  CHECK(film_format("a/b.mp4") == FilmFormat::mp4);
  CHECK(film_format("a.b/c.WEBM") == FilmFormat::webm);
  CHECK(film_format("x.gif") == FilmFormat::gif);
  CHECK_FALSE(film_format("x.png").has_value());
  CHECK_FALSE(film_format("gif").has_value());
  CHECK(frame_count(1.5, 30) == 45);
  CHECK(frame_count(0.7083, 25) == 18);
  CHECK(frame_count(0, 30) == 1);
}

// What ffmpeg makes of it, if it is there.
bool has_ffmpeg() { return std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0; }

int frames_of(const std::string& path) {
  const std::string text = path + ".count";
  const std::string command =
      "ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames -of "
      "csv=p=0 '" +
      path + "' >'" + text + "'";
  if (std::system(command.c_str()) != 0) return -1;
  std::ifstream file(text);
  int count = -1;
  file >> count;
  fs::remove(text);
  return count;
}

TEST_CASE("a film has the frames that it was given") {
  if (!has_ffmpeg()) {
    MESSAGE("there is no ffmpeg here");
    return;
  }
  const Folder folder;
  for (const char* name : {"film.mp4", "film.webm", "film.gif", "a film 'with' -odd- name.gif"}) {
    for (const bool transparent : {false, true}) {
      CAPTURE(name);
      CAPTURE(transparent);
      const std::string path = folder / name;
      const FilmOptions options{*film_format(path), 33, 21, 25, transparent};  // odd sides, too
      Result<Film> film = Film::make(path, options);
      REQUIRE(film.ok());
      for (int i = 0; i < 7; ++i) {
        Picture frame = gradient(33, 21, !transparent);
        frame.rgba[static_cast<std::size_t>(i) * 40] = 200;
        REQUIRE(film->add(frame).ok());
      }
      CHECK_FALSE(fs::exists(path));
      const Result<void> finished = film->finish();
      CHECK_MESSAGE(finished.ok(), (finished ? "" : to_string(finished.error())));
      if (std::string(name).find('\'') == std::string::npos) CHECK(frames_of(path) == 7);
      CHECK(fs::file_size(path) > 100);
      fs::remove(path);
    }
  }
  CHECK(folder.files() == 0);
}

TEST_CASE("a film that is given up, or cannot be written, leaves no file") {
  if (!has_ffmpeg()) return;
  const Folder folder;
  const std::string path = folder / "film.mp4";
  {
    Result<Film> film = Film::make(path, {FilmFormat::mp4, 32, 32, 30, false});
    REQUIRE(film.ok());
    REQUIRE(film->add(gradient(32, 32, true)).ok());
  }
  CHECK(folder.files() == 0);
  Result<Film> nowhere = Film::make(folder / "no/such/film.mp4", {FilmFormat::mp4, 32, 32, 30, false});
  REQUIRE(nowhere.ok());
  Result<void> added;
  for (int i = 0; i < 400 && added; ++i) added = nowhere->add(gradient(32, 32, true));
  const Result<void> finished = added ? nowhere->finish() : added;
  REQUIRE_FALSE(finished.ok());
  CHECK(finished.error().message.find("No such file or directory") != std::string::npos);
  CHECK(folder.files() == 0);
}

}  // namespace
}  // namespace marrow

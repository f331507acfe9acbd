#include "tools/golden.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "render/png_file.h"

namespace marrow::test {
namespace {

constexpr int kNearly = 28;  // of 255

const std::uint8_t* pixel(const Picture& picture, std::int64_t x, std::int64_t y) {
  return &picture.rgba[(static_cast<std::size_t>(y) * picture.width + static_cast<std::size_t>(x)) * 4];
}

// Of colours that are multiplied by alpha, so that what cannot be seen does not count.
int distance(const std::uint8_t* a, const std::uint8_t* b) {
  int worst = std::abs(a[3] - b[3]);
  for (int i = 0; i < 3; ++i) worst = std::max(worst, std::abs(a[i] * a[3] / 255 - b[i] * b[3] / 255));
  return worst;
}

// Whether nothing around a place in `other` is like the pixel there.
bool differs(const Picture& picture, const Picture& other, std::int64_t x, std::int64_t y) {
  for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v <= std::min<std::int64_t>(y + 1, other.height - 1); ++v) {
    for (std::int64_t u = std::max<std::int64_t>(x - 1, 0); u <= std::min<std::int64_t>(x + 1, other.width - 1); ++u) {
      if (distance(pixel(picture, x, y), pixel(other, u, v)) <= kNearly) return false;
    }
  }
  return true;
}

void write(const std::string& path, const Picture& picture) {
  const Result<std::vector<std::byte>> png = tool::encode_png(picture);
  REQUIRE(png.ok());
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(png->data()), static_cast<std::streamsize>(png->size()));
  REQUIRE(file.good());
}

Result<Picture> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::byte> bytes(text.size());
  std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return tool::decode_png(bytes);
}

}  // namespace

PictureDifference compare(const Picture& actual, const Picture& expected) {
  PictureDifference out;
  if (actual.width != expected.width || actual.height != expected.height) return out;
  out.shown = actual;
  std::size_t count = 0;
  double sum = 0;
  for (std::int64_t y = 0; y < actual.height; ++y) {
    for (std::int64_t x = 0; x < actual.width; ++x) {
      const std::size_t at = (static_cast<std::size_t>(y) * actual.width + static_cast<std::size_t>(x)) * 4;
      for (std::size_t i = 0; i < 4; ++i) sum += std::abs(actual.rgba[at + i] - expected.rgba[at + i]);
      const bool differing = differs(actual, expected, x, y) || differs(expected, actual, x, y);
      count += differing ? 1 : 0;
      for (std::size_t i = 0; i < 3; ++i) {
        const int pale = 170 + actual.rgba[at + i] / 3;
        out.shown.rgba[at + i] = static_cast<std::uint8_t>(differing ? (i == 0 ? 220 : 0) : pale);
      }
      out.shown.rgba[at + 3] = 255;
    }
  }
  const double pixels = static_cast<double>(actual.width) * actual.height;
  out.pixels = static_cast<double>(count) / pixels;
  out.colours = sum / (4 * pixels);
  return out;
}

void check_golden(const std::string& name, const Picture& actual) {
  const std::string kept = std::string(MARROW_GOLDEN_FOLDER) + "/" + name + ".png";
  if (const char* update = std::getenv("MARROW_UPDATE_GOLDEN"); update != nullptr && *update == '1') {
    write(kept, actual);
    MESSAGE("wrote " << kept << ": look at it");
    return;
  }
  const Result<Picture> expected = read(kept);
  REQUIRE_MESSAGE(expected.ok(), kept << ": " << (expected ? "" : to_string(expected.error())));
  const PictureDifference difference = compare(actual, *expected);
  if (is_same(difference)) return;
  const std::string out = std::string(MARROW_GOLDEN_RESULTS) + "/" + name;
  write(out + ".png", actual);
  if (!difference.shown.rgba.empty()) write(out + ".difference.png", difference.shown);
  FAIL_CHECK("the picture is not that of "
             << kept << ":\n  " << 100 * difference.pixels << " % of the pixels differ (at most " << 100 * kMostPixels
             << " %), the mean difference is " << difference.colours << " (at most " << kMostColours << ")\n  it is "
             << out << ".png, and what differs is red in " << out << ".difference.png");
}

}  // namespace marrow::test

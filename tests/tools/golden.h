// Pictures compared with those that are kept in tests/tools/golden, which were looked at when they were made.
//
// MARROW_UPDATE_GOLDEN=1 in the environment writes the pictures anew instead, to be looked at before they are kept.
#pragma once

#include <string>

#include "marrow/draw/picture.h"

namespace marrow::test {

// How different two pictures are. A pixel differs if no pixel around its place in the other picture is nearly like it:
// so an edge may be off by a pixel, as it is between drivers, but a limb may not.
struct PictureDifference {
  double pixels = 1;   // that differ, of all; 1 if the sizes do
  double colours = 0;  // mean difference of a channel, of 255
  Picture shown;       // what differs in red, over a pale copy of the first
};
[[nodiscard]] PictureDifference compare(const Picture& actual, const Picture& expected);

// What is still the same picture.
inline constexpr double kMostPixels = 0.002, kMostColours = 2.0;
[[nodiscard]] inline bool is_same(const PictureDifference& difference) {
  return difference.pixels <= kMostPixels && difference.colours <= kMostColours;
}

// Compares a picture with the one kept under a name. Where they differ, says how much, and where the picture and the
// difference were written.
void check_golden(const std::string& name, const Picture& actual);

}  // namespace marrow::test

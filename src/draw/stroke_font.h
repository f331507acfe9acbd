// Letters made of lines. Internal.
#pragma once

#include <string_view>

namespace marrow {

// A letter is a string of strokes with a space between them; a stroke of points of two digits: x from 0 to 4, and y,
// where 2 is the line that letters stand on, 6 the height of an x and 8 that of a capital. Two equal points are a dot.
// All letters are as wide. What is not ASCII is a box.
[[nodiscard]] std::string_view strokes_of(char letter);

inline constexpr float kLetterWidth = 4, kLetterStep = 5.6f, kBaseLine = 2, kCapitalHeight = 6;

}  // namespace marrow

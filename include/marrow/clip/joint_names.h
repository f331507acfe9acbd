// Names of joints: rules that translate them, and the names of the other side.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace marrow {

// Translates the name of a joint to the name of another joint.
using NameRule = std::function<std::string(std::string_view name)>;

// Returns the name of the joint on the other side, or the name itself if it has no side. A name has a side if it has
//   the word left or right, in any case, at the start of a word: "LeftHand", "arm.right", "mixamorig:RightFoot"
//   L or R, of either case, as a word alone: "hand_l", "Bip01 R Thigh", "DEF-thigh.L.001"
//   L or R, of either case, at the start of the name before a word with a capital: "lThigh", "LThigh"
//   a capital L or R after a small letter at the end of a word: "HandL"
[[nodiscard]] std::string opposite_name(std::string_view name);

}  // namespace marrow

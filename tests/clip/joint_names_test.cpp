#include "marrow/clip/joint_names.h"

#include <doctest/doctest.h>

namespace marrow {
namespace {

TEST_CASE("opposite_name gives the name on the other side") {
  const char* pairs[][2] = {{"LeftHand", "RightHand"},
                            {"mixamorig:LeftFoot", "mixamorig:RightFoot"},
                            {"arm.left", "arm.right"},
                            {"hand_l", "hand_r"},
                            {"Hand_L", "Hand_R"},
                            {"L_Hand", "R_Hand"},
                            {"Bip01 L Thigh", "Bip01 R Thigh"},
                            {"DEF-thigh.L.001", "DEF-thigh.R.001"},
                            {"lThigh", "rThigh"},
                            {"HandL", "HandR"},
                            {"J_Bip_L_UpperArm", "J_Bip_R_UpperArm"},
                            {"LEFT_EYE", "RIGHT_EYE"},
                            {"EyeLeft", "EyeRight"},
                            {"leftarm", "rightarm"},
                            {"l", "r"},
                            {"LThigh", "RThigh"},
                            {"finger1L", "finger1R"}};
  for (const auto& pair : pairs) {
    CHECK(opposite_name(pair[0]) == pair[1]);
    CHECK(opposite_name(pair[1]) == pair[0]);
  }
  for (const char* middle : {"", "Spine", "Root", "Hips", "upright", "Collar", "tail.001", "Lr", "Girl", "bright",
                             "root_1", "ROOT", "LOD", "Rear", "skull"}) {
    CHECK(opposite_name(middle) == middle);
  }
}

}  // namespace
}  // namespace marrow

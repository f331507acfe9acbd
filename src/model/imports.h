// What this module uses of other modules beyond their public headers, and what for. Internal.
#pragma once

#include "src/anim/clip_check.h"  // ClipData, its check, restore_clip, restore_skeleton: for model files
#include "src/math/arithmetic.h"  // exactly, checks of numbers
#include "src/text/text.h"        // names in UTF-8

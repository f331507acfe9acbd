// The demo in a window: keys crossfade, the mouse goes round.
#pragma once

#include <string>

#include "demo/hero.h"

namespace marrow::tool {

// True if there is likely to be a screen to open a window on.
[[nodiscard]] bool has_display();

// Opens a window and returns the exit status when it is closed. Pictures that are asked for there go to the folder.
[[nodiscard]] int show_window(const HeroModels& models, const std::string& folder);

}  // namespace marrow::tool

// ButtonScript: what the players press, written down.
//
//   60:right,20:right+a,40:none/120:left
//
// Player 0 presses right for 60 frames, then right and A for 20, then nothing for 40; player 1, after the slash, left
// for 120. Then nothing is pressed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "inputs.h"
#include "marrow/core/result.h"

namespace marrow::console {

class ButtonScript {
 public:
  // Fails with the part that is not as above.
  [[nodiscard]] static Result<ButtonScript> parse(std::string_view text);

  [[nodiscard]] Inputs at(std::uint64_t frame) const;

 private:
  struct ButtonSpan {
    std::uint64_t end;  // the frame after the last
    std::uint32_t buttons;
  };
  std::array<std::vector<ButtonSpan>, kPlayers> spans_;
};

}  // namespace marrow::console

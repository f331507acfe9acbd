// Numbers as text that reads back to the same bits.
#pragma once

#include <string>

namespace marrow {

// Returns the shortest decimal number that reads back to the same bits, with an exponent where that is shorter: "0.1",
// "1e-07", "16777216". The number must be finite.
[[nodiscard]] std::string number_text(float value);
[[nodiscard]] std::string number_text(double value);

}  // namespace marrow

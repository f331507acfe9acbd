// What number_text does where the standard library cannot. Internal.
#pragma once

#include <string>

namespace marrow {

[[nodiscard]] std::string number_text_by_printf(float value);
[[nodiscard]] std::string number_text_by_printf(double value);

}  // namespace marrow

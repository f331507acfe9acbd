// Searches error messages.
#pragma once

#include <string>

namespace marrow::test {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace marrow::test

// Modules written as text, for tests.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace marrow::test {

// Returns the binary of a module in the text format; fails the program if it is none.
std::vector<std::byte> wasm_of(const std::string& text);

}  // namespace marrow::test

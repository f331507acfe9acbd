// Changes of JSON text that leave it JSON.
#pragma once

#include <string>

#include "fixtures/random.h"

namespace marrow::fuzz {

using test::Random;

// Returns a number below `end`, which is above 0.
[[nodiscard]] std::size_t below(std::size_t end, Random& random);

// Changes one thing: puts another number, string or value in the place of one, takes an element or a member away, or
// repeats one. Most of what is put in comes from elsewhere in the text, so that indices, keys and names tend to mean
// something. Text that is no JSON is left as it is, and false returned.
bool mutate_json(std::string& text, Random& random);

}  // namespace marrow::fuzz

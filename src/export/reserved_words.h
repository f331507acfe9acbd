// Words that mean something else at the top of a C++ program. Internal.
#pragma once

#include <string_view>

namespace marrow {

// Returns true for a lower case word that no namespace can have: a keyword, or what the C library or a system's own
// headers declare or define, which headers of the C++ library may include.
[[nodiscard]] bool is_reserved_in_cpp(std::string_view word);

}  // namespace marrow

// Where a glTF file says its buffers and images are. Internal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/result.h"

namespace marrow {

// Returns a text in quotation marks, for messages.
[[nodiscard]] std::string in_quotes(std::string_view text);

// True for a URI that holds its data itself.
[[nodiscard]] bool is_data_uri(std::string_view uri);

// Returns the data of such a URI: base64, with or without padding, or percent-encoded. Fails on characters that are
// neither, and on a URI without data.
[[nodiscard]] Result<std::vector<std::byte>> read_data_uri(std::string_view uri);

// Returns a URI with its %XX replaced; a % without two hexadecimal digits stays.
[[nodiscard]] std::string percent_decoded(std::string_view uri);

// True for a relative path that leads to something inside the folder it is relative to: no scheme, drive or leading
// separator, never above the start, no character 0. Both kinds of separators count.
[[nodiscard]] bool stays_inside(std::string_view path);

}  // namespace marrow

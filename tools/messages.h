// What the commands say when something is wrong.
#pragma once

#include <string>
#include <string_view>

#include "marrow/core/result.h"
#include "marrow/model/model.h"

namespace marrow::tool {

// "marrow: path: place: sentence" and the end of the line, fit for a terminal whatever the file has in its names.
[[nodiscard]] std::string error_line(std::string_view path, const Error& error);

// That a model has no clip of a name or number; tells which it has.
[[nodiscard]] Error no_such_clip(const Model& model, std::string_view which);

}  // namespace marrow::tool

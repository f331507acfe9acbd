// What is said when the device is gone or full. Internal.
#pragma once

#include <cstddef>
#include <string>

#include "marrow/core/result.h"

namespace marrow {

inline Error lost_error() {
  return {ErrorCode::device_lost,
          "the graphics context was lost, with everything on it: make the device and what was made with it anew",
          {}};
}

inline Error no_room_error(std::size_t bytes, std::string place = {}) {
  return {ErrorCode::limit_exceeded, "the device has no room for " + std::to_string(bytes) + " bytes",
          std::move(place)};
}

}  // namespace marrow

// Errors of a device that is lost or out of memory. Internal.
#pragma once

#include <cstddef>
#include <string>

#include "marrow/core/result.h"

namespace marrow {

inline Error lost_error() {
  return {ErrorCode::device_lost, "the graphics context was lost; create the device and all its objects again", {}};
}

inline Error device_memory_error(std::size_t bytes, Place place = {}) {
  return {ErrorCode::limit_exceeded, "the device has not enough memory for " + std::to_string(bytes) + " bytes",
          std::move(place)};
}

}  // namespace marrow

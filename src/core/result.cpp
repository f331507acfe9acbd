#include "marrow/core/result.h"

#include "marrow/core/version.h"

namespace marrow {

const char* to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::not_finite: return "not_finite";
    case ErrorCode::size_mismatch: return "size_mismatch";
    case ErrorCode::not_sorted: return "not_sorted";
    case ErrorCode::cycle: return "cycle";
    case ErrorCode::two_parents: return "two_parents";
    case ErrorCode::duplicate: return "duplicate";
    case ErrorCode::limit_exceeded: return "limit_exceeded";
    case ErrorCode::unreadable: return "unreadable";
    case ErrorCode::malformed: return "malformed";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::not_allowed: return "not_allowed";
    case ErrorCode::device_lost: return "device_lost";
    case ErrorCode::not_found: return "not_found";
  }
  return "unknown";
}

std::string to_string(const Error& error) {
  return error.place.empty() ? error.message : to_string(error.place) + ": " + error.message;
}

std::string to_string(const Warning& warning) {
  return warning.place.empty() ? warning.message : to_string(warning.place) + ": " + warning.message;
}

const char* no_value_message(const Error& error) {
  static thread_local std::string message;
  message = "Result holds an error: " + to_string(error);
  return message.c_str();
}

#define MARROW_TEXT_OF(x) #x
#define MARROW_TEXT(x) MARROW_TEXT_OF(x)

const char* library_version() {
  return MARROW_TEXT(MARROW_VERSION_MAJOR) "." MARROW_TEXT(MARROW_VERSION_MINOR) "." MARROW_TEXT(MARROW_VERSION_PATCH);
}

}  // namespace marrow

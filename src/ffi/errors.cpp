#include "src/ffi/errors.h"

#include <cstring>
#include <iterator>
#include <string_view>

#include "marrow/core/version.h"
#include "src/ffi/imports.h"

namespace marrow::ffi {
namespace {

// Fixed in size, so that running out of memory can be told.
struct LastError {
  char message[512] = "";
  char place[256] = "";
  marrow_error error = {MARROW_OK, message, place};
};

LastError& last_error() noexcept {
  thread_local LastError last;
  return last;
}

// Copies a text, cut between two characters where it does not fit, and mended where it is not UTF-8. It may be what is
// already there.
void copy_text(std::string_view text, char* out, std::size_t capacity) {
  std::size_t size = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_at(text, at);
    const std::string_view bytes = c.code == kReplacementCharacter ? kReplacement : text.substr(at, c.length);
    if (size + bytes.size() >= capacity) break;
    std::memmove(out + size, bytes.data(), bytes.size());
    size += bytes.size();
    at += c.length;
  }
  out[size] = 0;
}

static_assert(static_cast<int>(ErrorCode::invalid_argument) + 1 == MARROW_ERROR_INVALID_ARGUMENT);
static_assert(static_cast<int>(ErrorCode::limit_exceeded) + 1 == MARROW_ERROR_LIMIT_EXCEEDED);
static_assert(static_cast<int>(ErrorCode::device_lost) + 1 == MARROW_ERROR_DEVICE_LOST);

}  // namespace

marrow_status fail(marrow_status status, const char* message, const char* place) noexcept {
  LastError& last = last_error();
  last.error.status = status;
  copy_text(message, last.message, sizeof last.message);
  copy_text(place, last.place, sizeof last.place);
  return status;
}

marrow_status fail(const Error& error) {
  const marrow_status status = error.code == ErrorCode::not_found ? marrow_status{MARROW_ERROR_NOT_FOUND}
                                                                  : static_cast<marrow_status>(error.code) + 1;
  return fail(status, error.message.c_str(), to_string(error.place).c_str());
}

marrow_status refused(const Error& error) {
  if (error.code != ErrorCode::invalid_argument) return fail(error);
  return fail(MARROW_ERROR_REFUSED, error.message.c_str(), to_string(error.place).c_str());
}

}  // namespace marrow::ffi

using namespace marrow::ffi;

uint32_t marrow_abi_version() noexcept { return MARROW_ABI_VERSION; }

const char* marrow_version() noexcept { return marrow::library_version(); }

const marrow_error* marrow_last_error() noexcept { return &last_error().error; }

marrow_status marrow_check_abi(uint32_t abi_version) noexcept {
  if (abi_version == MARROW_ABI_VERSION) return MARROW_OK;
  return fail(MARROW_ERROR_ABI_MISMATCH, "the program was compiled with a marrow.h of another ABI version",
              "abi_version");
}

const char* marrow_status_name(marrow_status status) noexcept {
  if (status == MARROW_OK) return "ok";
  if (status >= MARROW_ERROR_INVALID_ARGUMENT && status <= MARROW_ERROR_DEVICE_LOST) {
    return marrow::to_string(static_cast<marrow::ErrorCode>(status - 1));
  }
  constexpr const char* kNames[] = {"null_pointer", "bad_handle",   "dead_handle",   "foreign_handle",
                                    "short_buffer", "out_of_range", "not_found",     "refused",
                                    "busy",         "abi_mismatch", "out_of_memory", "internal"};
  static_assert(std::size(kNames) == MARROW_ERROR_INTERNAL - MARROW_ERROR_NULL_POINTER + 1);
  if (status >= MARROW_ERROR_NULL_POINTER && status <= MARROW_ERROR_INTERNAL) {
    return kNames[status - MARROW_ERROR_NULL_POINTER];
  }
  return "unknown";
}

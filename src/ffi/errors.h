// How the C ABI answers: a status, and for this thread what there is to say about it. Internal.
#pragma once

#include <new>
#include <stdexcept>

#include "marrow/core/result.h"
#include "marrow/marrow.h"

namespace marrow::ffi {

// Puts down why a call fails, and returns the status. Texts that are too long are cut. For an Error call this inside
// guarded(): printing its place allocates memory.
marrow_status fail(marrow_status status, const char* message, const char* place = "") noexcept;
marrow_status fail(const Error& error);

// Runs the body of an entry point, which returns a status. Nothing that is thrown gets out.
template <typename Body>
marrow_status guarded(const Body& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail(MARROW_ERROR_OUT_OF_MEMORY, "there is not enough memory");
  } catch (const std::length_error&) {
    return fail(MARROW_ERROR_OUT_OF_MEMORY, "there is not enough memory");
  } catch (...) {
    return fail(MARROW_ERROR_INTERNAL, "something was thrown that the library does not know");
  }
}

// Reports the error of a command that a scene or a mixer has refused: MARROW_ERROR_NOT_FINITE for numbers that are
// not finite or too large, otherwise MARROW_ERROR_REFUSED.
marrow_status refused(const Error& error);

// Runs a command on a scene or a mixer, and reports the error that it left there.
template <typename Owner, typename Command>
marrow_status command(Owner& owner, const Command& body) {
  owner.clear_error();
  body();
  const Error* const error = owner.last_error();
  return error == nullptr ? MARROW_OK : refused(*error);
}

inline marrow_status null_pointer(const char* parameter) noexcept {
  return fail(MARROW_ERROR_NULL_POINTER, "a pointer is null that must not be", parameter);
}

}  // namespace marrow::ffi

// Leaves the function with a status that is not MARROW_OK.
#define MARROW_FFI_TRY(expression) \
  if (const marrow_status status_ = (expression); status_ != MARROW_OK) return status_

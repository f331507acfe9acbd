// Errors as values: Result<T> holds a T or an Error.
//
// Used for everything that the world outside the program can get wrong. No exception crosses marrow's API but
// std::bad_alloc where memory ran out.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "marrow/core/assert.h"
#include "marrow/core/place.h"

namespace marrow {

enum class ErrorCode {
  invalid_argument,  // a value that makes no sense: a joint index past the end, a duration below zero
  not_finite,        // NaN, infinity, or a number too large to compute with
  size_mismatch,     // two lengths that should agree and do not
  not_sorted,        // key times that run backwards
  cycle,             // a hierarchy that contains itself
  two_parents,       // a joint that two others claim as their child
  duplicate,         // a second one of what there may be one of
  limit_exceeded,    // more than the library can hold, or was allowed to
  unreadable,        // a file that is missing or cannot be read
  malformed,         // data that is not what its format asks for
  unsupported,       // something that the library, or this build of it, cannot do
  not_allowed,       // something that the options do not permit, such as reading outside a folder
  device_lost,       // a graphics device that is gone, with everything on it
  not_found,         // a name that does not exist
};

// Returns the code's name, e.g. "not_finite".
[[nodiscard]] const char* to_string(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::invalid_argument;
  std::string message;  // a sentence for a person
  Place place;          // where in the input, e.g. Place("tracks", 3) / "times" / 17
};

// Something odd that did not stop the work: it was repaired, left out or only noticed.
struct Warning {
  std::string message;
  Place place;
};

// Returns "place: message", or the message alone where there is no place.
[[nodiscard]] std::string to_string(const Error& error);
[[nodiscard]] std::string to_string(const Warning& warning);

// Returns the message of the assert that fails where such an error is asked for a value. Valid until the next call on
// the same thread.
[[nodiscard]] const char* no_value_message(const Error& error);

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // The value. Asking an error for one is a mistake of the caller; the assert prints the error.
  [[nodiscard]] T& value() & { return check_value(), *std::get_if<0>(&state_); }
  [[nodiscard]] const T& value() const& { return check_value(), *std::get_if<0>(&state_); }
  [[nodiscard]] T&& value() && { return check_value(), std::move(*std::get_if<0>(&state_)); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // The error. Asking a success for one is a mistake of the caller.
  [[nodiscard]] const Error& error() const {
    MARROW_ASSERT(!ok(), "error() was asked of a Result that holds a value");
    return *std::get_if<1>(&state_);
  }

 private:
  void check_value() const { MARROW_ASSERT(ok(), no_value_message(*std::get_if<1>(&state_))); }

  std::variant<T, Error> state_;
};

// A Result with nothing to return but success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}

  [[nodiscard]] bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }

  [[nodiscard]] const Error& error() const {
    MARROW_ASSERT(!ok_, "error() was asked of a Result that holds a value");
    return error_;
  }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace marrow

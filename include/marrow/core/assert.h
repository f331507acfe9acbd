// Checks for mistakes in the calling program.
//
// What comes from outside (files, guests, C callers) is reported through Result (result.h). What only the calling C++
// code can get wrong, such as a pose that belongs to another skeleton, is an assert: a sentence that names the mistake.
// The checks stand at the entries of functions, never in inner loops, and stay on in release builds; define
// MARROW_NO_ASSERT when building the library to leave them out.
#pragma once

namespace marrow {

// What an assert reports. All strings but the message live for ever.
struct AssertInfo {
  const char* condition;  // the expression that was false
  const char* message;    // what the caller did wrong; valid until the next failed check on the same thread
  const char* file;
  int line;
};

// Called when a check fails. It may throw, jump or end the program; if it returns, the program is aborted.
using AssertHandler = void (*)(const AssertInfo& info);

// Installs a handler and returns the one before it; nullptr restores the default, which prints to standard error and
// aborts. Safe to call from any thread.
AssertHandler set_assert_handler(AssertHandler handler);

// Reports a failed check to the handler. Never returns normally.
[[noreturn]] void assert_failed(const AssertInfo& info);

}  // namespace marrow

#ifdef MARROW_NO_ASSERT
#define MARROW_ASSERT(condition, message) static_cast<void>(sizeof(condition))
#else
#define MARROW_ASSERT(condition, message) \
  static_cast<void>((condition) || (::marrow::assert_failed({#condition, message, __FILE__, __LINE__}), false))
#endif

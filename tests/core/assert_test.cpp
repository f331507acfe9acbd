#include "marrow/core/assert.h"

#include <doctest/doctest.h>

#include <string>

#if defined(__unix__) && !defined(__EMSCRIPTEN__)
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

namespace marrow {
namespace {

struct Caught {
  AssertInfo info;
};
void throw_caught(const AssertInfo& info) { throw Caught{info}; }
void return_at_once(const AssertInfo&) {}

// Installs a handler for a scope.
class HandlerScope {
 public:
  explicit HandlerScope(AssertHandler handler) : before_(set_assert_handler(handler)) {}
  ~HandlerScope() { set_assert_handler(before_); }

 private:
  AssertHandler before_;
};

TEST_CASE("a failed check reaches the handler with its condition, message and place") {
  const HandlerScope scope(throw_caught);
  const int count = 3;
  bool caught = false;
  const int line = __LINE__ + 2;
  try {
    MARROW_ASSERT(count == 4, "there must be four");
  } catch (const Caught& c) {
    caught = true;
    CHECK(std::string(c.info.condition) == "count == 4");
    CHECK(std::string(c.info.message) == "there must be four");
    CHECK(std::string(c.info.file).find("assert_test.cpp") != std::string::npos);
    CHECK(c.info.line == line);
  }
  CHECK(caught);
}

TEST_CASE("a check evaluates its condition once, and calls nothing if it holds") {
  const HandlerScope scope(throw_caught);
  int evaluations = 0;
  CHECK_NOTHROW(MARROW_ASSERT(++evaluations == 1, "must be the first"));
  CHECK(evaluations == 1);
  CHECK_THROWS_AS(MARROW_ASSERT(++evaluations == 1, "must be the first"), Caught);
  CHECK(evaluations == 2);
}

TEST_CASE("a check is an expression: it needs no braces") {
  const HandlerScope scope(throw_caught);
  const auto call = [](bool good, bool other) {
    if (good)
      MARROW_ASSERT(other, "both must be good");
    else
      return 1;
    return 2;
  };
  CHECK(call(false, false) == 1);
  CHECK(call(true, true) == 2);
  CHECK_THROWS_AS(call(true, false), Caught);
}

TEST_CASE("installing a handler returns the one before it") {
  const AssertHandler original = set_assert_handler(throw_caught);
  CHECK((set_assert_handler(return_at_once) == throw_caught));
  CHECK((set_assert_handler(nullptr) == return_at_once));
  // nullptr stands for the default, which is a handler like the others.
  const AssertHandler by_default = set_assert_handler(throw_caught);
  CHECK((by_default != nullptr));
  CHECK((by_default != throw_caught));
  set_assert_handler(original);
}

#if defined(__unix__) && !defined(__EMSCRIPTEN__)
struct Death {
  int signal = 0;
  std::string errors;  // what it wrote to standard error
};

// Runs a failed check under `handler` in a process of its own.
Death die_under(AssertHandler handler) {
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    (void)std::signal(SIGABRT, SIG_DFL);  // the test program has a handler of its own
    dup2(pipe_ends[1], STDERR_FILENO);
    set_assert_handler(handler);
    MARROW_ASSERT(1 > 2, "the order of numbers is fixed");
    _exit(0);
  }
  close(pipe_ends[1]);
  Death death;
  char buffer[256];
  for (ssize_t n; (n = read(pipe_ends[0], buffer, sizeof(buffer))) > 0;) {
    death.errors.append(buffer, static_cast<std::size_t>(n));
  }
  close(pipe_ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status)) death.signal = WTERMSIG(status);
  return death;
}

TEST_CASE("without a handler a failed check says what was wrong and ends the program") {
  const Death death = die_under(nullptr);
  CHECK(death.signal == SIGABRT);
  CAPTURE(death.errors);
  CHECK(death.errors.find("assert_test.cpp:") != std::string::npos);
  CHECK(death.errors.find("the order of numbers is fixed (1 > 2)") != std::string::npos);
}

TEST_CASE("a handler that returns does not save the program") { CHECK(die_under(return_at_once).signal == SIGABRT); }
#endif

}  // namespace
}  // namespace marrow

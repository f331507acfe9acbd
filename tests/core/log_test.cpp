#include "marrow/core/log.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace marrow {
namespace {

using Messages = std::vector<std::pair<LogLevel, std::string>>;

void keep(LogLevel level, std::string_view message, void* user) {
  static_cast<Messages*>(user)->emplace_back(level, std::string(message));
}

TEST_CASE("messages reach the handler with their level and the user's pointer") {
  Messages messages;
  set_log_handler(keep, &messages);
  log_message(LogLevel::info, "read");
  log_message(LogLevel::warning, std::string_view("odd, and more", 3));  // not ended by a zero
  log_message(LogLevel::error, "");
  set_log_handler(nullptr);
  const Messages expected = {{LogLevel::info, "read"}, {LogLevel::warning, "odd"}, {LogLevel::error, ""}};
  REQUIRE(messages.size() == expected.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    CHECK(messages[i].first == expected[i].first);
    CHECK(messages[i].second == expected[i].second);
  }
}

TEST_CASE("a new handler takes the place of the old one") {
  Messages first, second;
  set_log_handler(keep, &first);
  set_log_handler(keep, &second);
  log_message(LogLevel::info, "one");
  set_log_handler(nullptr);
  CHECK(first.empty());
  CHECK(second.size() == 1);
}

TEST_CASE("without a handler messages are dropped") {
  Messages messages;
  log_message(LogLevel::error, "before any handler");
  set_log_handler(keep, &messages);
  set_log_handler(nullptr);
  log_message(LogLevel::error, "after it was taken away");
  CHECK(messages.empty());
}

}  // namespace
}  // namespace marrow

// GuestLog: prints what hosts have to say about their guests. A guest that does something wrong does it in every frame,
// so a line is printed when it comes first, and how often it came at the end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "marrow/core/log.h"

namespace marrow::console {

class GuestLog {
 public:
  explicit GuestLog(std::FILE* out) : out_(out) {}

  void add(LogLevel level, std::string_view message);

  // Prints the lines that came more than once, with how often.
  void finish();

  // For GuestOptions, with the log as the user.
  static void handle(LogLevel level, std::string_view message, void* user);

 private:
  static constexpr std::size_t kMaxLines = 1000;  // a guest can make up as many as it likes

  std::FILE* out_;
  std::vector<std::string> lines_;  // as they came first
  std::unordered_map<std::string, std::uint64_t> counts_;
  std::uint64_t left_out_ = 0;
};

}  // namespace marrow::console

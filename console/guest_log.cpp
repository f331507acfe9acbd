#include "guest_log.h"

namespace marrow::console {

void GuestLog::add(LogLevel level, std::string_view message) {
  std::string line = level == LogLevel::error ? "error: " : level == LogLevel::warning ? "warning: " : "";
  line += message;
  if (const auto known = counts_.find(line); known != counts_.end()) {
    ++known->second;
    return;
  }
  if (lines_.size() == kMaxLines) {
    ++left_out_;
    return;
  }
  std::fprintf(out_, "%s\n", line.c_str());
  lines_.push_back(line);
  counts_.emplace(std::move(line), 1);
}

void GuestLog::finish() {
  for (const std::string& line : lines_) {
    if (const std::uint64_t count = counts_[line]; count > 1) {
      std::fprintf(out_, "%llu times: %s\n", static_cast<unsigned long long>(count), line.c_str());
    }
  }
  if (left_out_ > 0) {
    std::fprintf(out_, "and %llu lines of other kinds\n", static_cast<unsigned long long>(left_out_));
  }
}

void GuestLog::handle(LogLevel level, std::string_view message, void* user) {
  static_cast<GuestLog*>(user)->add(level, message);
}

}  // namespace marrow::console

#include "marrow/core/log.h"

namespace marrow {
namespace {

LogHandler g_log_handler = nullptr;
void* g_log_user = nullptr;

}  // namespace

void set_log_handler(LogHandler handler, void* user) {
  g_log_handler = handler;
  g_log_user = user;
}

void log_message(LogLevel level, std::string_view message) {
  if (g_log_handler != nullptr) g_log_handler(level, message, g_log_user);
}

}  // namespace marrow

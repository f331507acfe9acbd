#include "marrow/core/log.h"

namespace marrow {
namespace {

LogHandler g_handler = nullptr;
void* g_user = nullptr;

}  // namespace

void set_log_handler(LogHandler handler, void* user) {
  g_handler = handler;
  g_user = user;
}

void log(LogLevel level, std::string_view message) {
  if (g_handler != nullptr) g_handler(level, message, g_user);
}

}  // namespace marrow

// The log hook: where hosts of guests, in C++ and in C, send their warnings.
//
// Nothing else logs. Without a handler messages are dropped, so the library is silent by default.
#pragma once

#include <string_view>

namespace marrow {

enum class LogLevel { info, warning, error };

// Called with one message, without a line end, on the thread that caused it. The text lives only for the call.
using LogHandler = void (*)(LogLevel level, std::string_view message, void* user);

// Installs a handler; nullptr drops messages again. Not to be called while another thread may be logging.
void set_log_handler(LogHandler handler, void* user = nullptr);

// Sends a message to the handler, if there is one.
void log_message(LogLevel level, std::string_view message);

}  // namespace marrow

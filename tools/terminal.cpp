#include "terminal.h"

#include <algorithm>
#include <cstdlib>

#include "text.h"
#if __has_include(<unistd.h>) && __has_include(<sys/ioctl.h>)
#include <sys/ioctl.h>
#include <unistd.h>
#define MARROW_POSIX_TERMINAL
#endif

namespace marrow::tool {
namespace {

constexpr std::size_t kNarrowest = 60, kWidest = 160;  // what tables and trees can live with, and what eyes can
constexpr std::size_t kBar = 24;                       // columns of a progress bar
constexpr auto kPatience = std::chrono::milliseconds(400), kRedrawInterval = std::chrono::milliseconds(100);

#ifdef MARROW_POSIX_TERMINAL
bool is_terminal(std::FILE* file) { return isatty(fileno(file)) != 0; }

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(fileno(stdout), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
}
#else
bool is_terminal(std::FILE*) { return false; }
std::size_t terminal_width() { return 80; }
#endif

}  // namespace

Terminal Terminal::standard_output() {
  Terminal out;
  if (!is_terminal(stdout)) return out;
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  out.color = (no_color == nullptr || *no_color == '\0') && (term == nullptr || std::string_view(term) != "dumb");
  out.width = terminal_width();
  return out;
}

std::string Terminal::paint(Tone tone, std::string_view text) const {
  if (!color || tone == Tone::plain || text.empty()) return std::string(text);
  const char* code = "0";
  switch (tone) {
    case Tone::plain: break;
    case Tone::dim: code = "2"; break;
    case Tone::bold: code = "1"; break;
    case Tone::red: code = "1;31"; break;
    case Tone::yellow: code = "1;33"; break;
    case Tone::blue: code = "1;34"; break;
    case Tone::cyan: code = "36"; break;
  }
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

Progress::Progress() : terminal_(is_terminal(stderr)), next_(std::chrono::steady_clock::now() + kPatience) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(const std::string& what, std::size_t done, std::size_t of) {
  if (!terminal_ || std::chrono::steady_clock::now() < next_) return;
  next_ = std::chrono::steady_clock::now() + kRedrawInterval;
  shown_ = true;
  const std::size_t filled = of > 0 ? std::min(done, of) * kBar / of : 0;
  const std::string bar = std::string(filled, '#') + std::string(kBar - filled, '.');
  std::fprintf(stderr, "\r\x1b[K[%s] %zu of %zu: %s", bar.c_str(), done, of,
               shortened(printable(what), kNarrowest - kBar).c_str());
  std::fflush(stderr);
}

}  // namespace marrow::tool

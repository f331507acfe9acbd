// What output goes to: a terminal, with colours and a width, or something that reads plain text.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

namespace marrow::tool {

enum class Tone { plain, dim, bold, red, yellow, blue, cyan };

// Standard output.
struct Terminal {
  bool color = false;
  std::size_t width = 100;

  // As it is: colours on a terminal unless NO_COLOR is set (no-color.org), and the terminal's width.
  [[nodiscard]] static Terminal standard_output();

  [[nodiscard]] std::string paint(Tone tone, std::string_view text) const;
};

// One line on standard error that tells how far long work has come; gone when this is. Nothing if that is no terminal,
// or while the work is not long.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const std::string& what, std::size_t done, std::size_t of);

 private:
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace marrow::tool

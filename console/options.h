// The command line of the console.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "button_script.h"
#include "marrow/core/result.h"

namespace marrow::console {

struct Options {
  std::string path;
  std::uint32_t frames = 600;
  ButtonScript buttons;
  bool hash = false;
  std::optional<std::uint64_t> rollback;  // the seed
  bool match = false;
  bool time = false;
  std::string out;  // a picture or film; empty for none
  std::uint32_t width = 640, height = 480;
  std::uint32_t patience_s = 10;
  bool plain = false;  // asked for something that neither a rollback nor a match has
  bool help = false;   // asked for; the others are as they may be
};

[[nodiscard]] const char* usage();

// Reads arguments, without the name of the program. Fails with what is wrong with them.
[[nodiscard]] Result<Options> parse_options(std::span<const char* const> arguments);

}  // namespace marrow::console

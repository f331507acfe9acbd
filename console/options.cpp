#include "options.h"

#include <optional>
#include <string_view>

#include "src/text/text.h"

namespace marrow::console {
namespace {

Error wrong(const std::string& sentence) { return Error{ErrorCode::invalid_argument, sentence, {}}; }

template <typename T>
bool read(std::string_view text, T& out) {
  const std::optional<T> number = parse_number<T>(text);
  if (number) out = *number;
  return number.has_value();
}

// Reads "640x480".
bool read_size(std::string_view text, Options& options) {
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos) return false;
  const auto fits = [](std::uint32_t side) { return side > 0 && side <= 8192; };
  return read(text.substr(0, x), options.width) && read(text.substr(x + 1), options.height) && fits(options.width) &&
         fits(options.height);
}

// Returns what is wrong with an option's value; empty if nothing is.
std::string set(std::string_view name, std::string_view value, Options& options) {
  if (name == "--frames") {
    return read(value, options.frames) && options.frames > 0 ? "" : "is a number of frames, from 1";
  }
  if (name == "--rollback") return read(value, options.rollback.emplace()) ? "" : "is a seed, a whole number";
  if (name == "--patience") {
    return read(value, options.patience_s) && options.patience_s > 0 ? "" : "is a number of seconds, from 1";
  }
  if (name == "--size") return read_size(value, options) ? "" : "is like 640x480, with sides from 1 to 8192";
  if (name == "-o") {
    options.out = value;
    const auto is = [&](std::string_view extension) { return value.ends_with(extension); };
    return is(".png") || is(".mp4") || is(".webm") || is(".gif") ? "" : "is a .png, .mp4, .webm or .gif file";
  }
  Result<ButtonScript> script = ButtonScript::parse(value);
  if (!script) return "is a script: " + script.error().message;
  options.buttons = std::move(*script);
  return "";
}

}  // namespace

const char* usage() {
  return "usage: console GUEST.wasm [option]...\n"
         "  --frames N         how many frames to run (default: 600)\n"
         "  --buttons SCRIPT   what is pressed, such as 60:right,20:right+a,40:none/120:left;\n"
         "                     frames:buttons, player 1 after the slash\n"
         "  --hash             print a hash of what each frame draws\n"
         "  --rollback SEED    play frames again after wrong predictions, and compare with a run without\n"
         "  --match            play a match of two consoles over a link that loses packets\n"
         "  --time             print what the calls and the frames cost\n"
         "  -o FILE            write the last frame as .png, or all as .mp4, .webm or .gif\n"
         "  --size WxH         of the picture (default: 640x480)\n"
         "  --patience SECONDS how long the guest may take for a call (default: 10)\n";
}

Result<Options> parse_options(std::span<const char* const> arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view name = arguments[i];
    if (name == "--help" || name == "-h") {
      options.help = true;
      return options;
    }
    options.plain = options.plain || name == "--hash" || name == "--time" || name == "--buttons" || name == "--size" ||
                    name == "-o";
    if (name == "--hash") {
      options.hash = true;
    } else if (name == "--match") {
      options.match = true;
    } else if (name == "--time") {
      options.time = true;
    } else if (name == "--frames" || name == "--buttons" || name == "--rollback" || name == "--patience" ||
               name == "--size" || name == "-o") {
      if (i + 1 == arguments.size()) return wrong(std::string(name) + " needs a value");
      const std::string problem = set(name, arguments[++i], options);
      if (!problem.empty()) return wrong(std::string(name) + " " + problem);
    } else if (name.starts_with('-')) {
      return wrong("there is no option \"" + std::string(name) + "\"");
    } else if (!options.path.empty()) {
      return wrong("there is one guest, and \"" + std::string(name) + "\" would be another");
    } else {
      options.path = name;
    }
  }
  if (options.path.empty()) return wrong("the guest is missing");
  if (options.rollback && options.match) return wrong("--rollback and --match exclude each other");
  if (!options.rollback && !options.match) return options;
  if (options.plain)
    return wrong("--hash, --time, --buttons, --size and -o are of a run without --rollback and --match");
  constexpr std::uint32_t kMostFrames = 1'000'000;
  if (options.frames > kMostFrames)
    return wrong("--rollback and --match take " + std::to_string(kMostFrames) + " frames at most");
  return options;
}

}  // namespace marrow::console

#include "button_script.h"

#include <optional>
#include <string>

#include "src/text/text.h"

namespace marrow::console {
namespace {

constexpr std::string_view kNames[] = {"left", "right", "up", "down", "a", "b"};

// Takes what stands before a character, and the character.
std::string_view take(std::string_view& text, char until) {
  const std::size_t end = text.find(until);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

std::optional<std::uint32_t> buttons_of(std::string_view names) {
  if (names == "none") return 0;
  std::uint32_t buttons = 0;
  for (bool more = true; more;) {
    more = names.find('+') != std::string_view::npos;
    const std::string_view name = take(names, '+');
    std::uint32_t button = 0;
    for (std::uint32_t bit = 0; bit < std::size(kNames); ++bit) {
      if (name == kNames[bit]) button = 1u << bit;
    }
    if (button == 0) return std::nullopt;
    buttons |= button;
  }
  return buttons;
}

}  // namespace

Result<ButtonScript> ButtonScript::parse(std::string_view text) {
  ButtonScript script;
  for (std::vector<ButtonSpan>& spans : script.spans_) {
    std::uint64_t end = 0;
    std::string_view of_player = take(text, '/');
    for (bool more = !of_player.empty(); more;) {
      more = of_player.find(',') != std::string_view::npos;
      const std::string_view part = take(of_player, ',');
      std::string_view names = part;
      const std::string_view number = take(names, ':');
      const std::optional<std::uint32_t> frames = parse_number<std::uint32_t>(number);
      const std::optional<std::uint32_t> buttons = buttons_of(names);
      if (!frames || *frames == 0 || !buttons) {
        return Error{
            ErrorCode::invalid_argument,
            "\"" + std::string(part) + "\" is not like 60:right+a or 30:none; there are left, right, up, down, a and b",
            {}};
      }
      spans.push_back({end += *frames, *buttons});
    }
  }
  if (!text.empty()) return Error{ErrorCode::invalid_argument, "there are two players, and inputs for more", {}};
  return script;
}

Inputs ButtonScript::at(std::uint64_t frame) const {
  Inputs inputs{};
  for (std::uint32_t player = 0; player < kPlayers; ++player) {
    for (const ButtonSpan& span : spans_[player]) {
      if (frame >= span.end) continue;
      inputs[player] = span.buttons;
      break;
    }
  }
  return inputs;
}

}  // namespace marrow::console

#include "messages.h"

#include <algorithm>

#include "text.h"

namespace marrow::tool {
namespace {

constexpr std::size_t kLongestPlace = 200, kLongestSentence = 800;
constexpr std::size_t kClipsShown = 12;

}  // namespace

std::string error_line(std::string_view path, const Error& error) {
  std::string line = "marrow: " + printable(path) + ": ";
  const std::string place = shortened_inside(printable(to_string(error.place)), kLongestPlace);
  if (!place.empty()) line += place + ": ";
  return line + shortened_inside(printable(error.message), kLongestSentence) + "\n";
}

Error no_such_clip(const Model& model, std::string_view which) {
  std::string message = "there is no clip " + in_quotes(which) + "; the file has";
  const std::size_t count = model.clips().size(), shown = std::min(count, kClipsShown);
  if (count == 0) message += " none";
  for (std::size_t i = 0; i < shown; ++i) {
    message += (i == 0 ? " " : ", ") + std::to_string(i) + " " + in_quotes(model.clips()[i].name());
  }
  if (shown < count) message += " and " + grouped(count - shown) + " more";
  return {ErrorCode::invalid_argument, message, ""};
}

}  // namespace marrow::tool

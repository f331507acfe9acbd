#include "marrow/core/place.h"

#include <algorithm>
#include <utility>

namespace marrow {
namespace {

// Escapes what has a meaning in a JSON Pointer.
void append_escaped(std::string& out, std::string_view name) {
  for (const char c : name) {
    if (c == '~') {
      out.append("~0");
    } else if (c == '/') {
      out.append("~1");
    } else {
      out.push_back(c);
    }
  }
}

const char* separator(Place::Kind before, Place::Kind after) {
  if (before != after) return ": ";
  if (before == Place::Kind::step) return "/";
  return before == Place::Kind::numbered ? ", " : ": ";
}

}  // namespace

Place::Place(const char* name) : Place(std::string(name)) {}

Place::Place(std::string name) {
  if (!name.empty()) steps_.push_back({Kind::step, std::move(name), std::nullopt});
}

Place::Place(std::string array, std::size_t index) { steps_.push_back({Kind::step, std::move(array), index}); }

Place::Place(std::vector<Step> steps) : steps_(std::move(steps)) {}

Place Place::file(std::string path) {
  Place place;
  if (!path.empty()) place.steps_.push_back({Kind::file, std::move(path), std::nullopt});
  return place;
}

Place Place::document() {
  Place place;
  place.steps_.push_back({Kind::document, {}, std::nullopt});
  return place;
}

Place Place::numbered(std::string unit, std::size_t number) {
  Place place;
  place.steps_.push_back({Kind::numbered, std::move(unit), number});
  return place;
}

Place Place::operator/(std::string_view name) const { return Place(std::string(name)).within(*this); }

Place Place::operator/(std::size_t index) const {
  if (steps_.empty() || steps_.back().kind != Kind::step || steps_.back().index) {
    return Place(std::string(), index).within(*this);
  }
  Place place = *this;
  place.steps_.back().index = index;
  return place;
}

Place Place::within(const Place& outer) const {
  Place place;
  place.steps_.reserve(outer.steps_.size() + steps_.size());
  place.steps_.insert(place.steps_.end(), outer.steps_.begin(), outer.steps_.end());
  place.steps_.insert(place.steps_.end(), steps_.begin(), steps_.end());
  return place;
}

Place Place::without_first(std::size_t count) const {
  Place place;
  place.steps_.assign(steps_.begin() + static_cast<std::ptrdiff_t>(std::min(count, steps_.size())), steps_.end());
  return place;
}

bool Place::empty() const {
  return std::all_of(steps_.begin(), steps_.end(), [](const Step& step) { return step.kind == Kind::document; });
}

std::optional<std::size_t> Place::index_in(std::size_t step, std::string_view array) const {
  if (step >= steps_.size() || steps_[step].kind != Kind::step || steps_[step].name != array) return std::nullopt;
  return steps_[step].index;
}

std::string to_string(const Place& place) {
  std::string out;
  bool in_document = false, at_root = false;
  Place::Kind before = Place::Kind::document;
  for (const Place::Step& step : place.steps()) {
    const bool is_member = step.kind == Place::Kind::step;
    if (step.kind == Place::Kind::document) {
      in_document = at_root = true;
      continue;
    }
    if (!out.empty()) out.append(at_root ? ": " : separator(before, step.kind));
    if (at_root && is_member) out.append("/");
    if (in_document && is_member) {
      append_escaped(out, step.name);
    } else {
      out.append(step.name);
    }
    if (step.index && !step.name.empty()) out.append(is_member ? "/" : " ");
    if (step.index) out.append(std::to_string(*step.index));
    before = step.kind;
    at_root = false;
  }
  return out;
}

bool operator==(const Place::Step& a, const Place::Step& b) {
  return a.kind == b.kind && a.name == b.name && a.index == b.index;
}

bool operator==(const Place& a, const Place& b) { return a.steps() == b.steps(); }

Place PlacePath::place() const {
  std::vector<Place::Step> steps;
  for (const PlacePath* path = this; path != nullptr; path = path->parent) {
    Place::Step step{Place::Kind::step, std::string(path->name), std::nullopt};
    if (path->index != kNoIndex) step.index = path->index;
    steps.push_back(std::move(step));
  }
  std::reverse(steps.begin(), steps.end());
  return Place(std::move(steps));
}

}  // namespace marrow

#include "src/gltf/load.h"

#include "src/gltf/imports.h"

namespace marrow {
namespace {

// Of one kind, for each table of the file. More are counted, not kept: a broken file can have millions.
constexpr std::size_t kMaxWarnings = 500;

// The standard has about ten for each thing.
constexpr std::uint32_t kMaxObjectKeys = 256;

Place place_of(const PlacePath& path, std::string_view key = {}) {
  const Place place = key.empty() ? path.place() : PlacePath(path, key).place();
  return place.within(Place::document());
}

}  // namespace

bool Load::fail(ErrorCode code, std::string message, const PlacePath& path, std::string_view key) {
  return fail({code, std::move(message), place_of(path, key)});
}

bool Load::fail(Error error) {
  if (!error_) error_ = std::move(error);
  return false;
}

void Load::warn(std::string message, const PlacePath& path, std::string_view key) {
  tell(std::move(message), path, key, warned_);
}

void Load::note(std::string message, const PlacePath& path, std::string_view key) {
  if (options_.thorough) tell(std::move(message), path, key, noted_);
}

void Load::tell(std::string message, const PlacePath& path, std::string_view key, Counts& counts) {
  const PlacePath* table = &path;
  while (table->parent != nullptr) table = table->parent;
  if (++counts[table->name] <= kMaxWarnings) warnings_.push_back({std::move(message), place_of(path, key)});
}

std::vector<Warning> Load::take_warnings() {
  const auto tell_more = [this](const Counts& counts, const char* what) {
    for (const auto& [table, count] : counts) {
      if (count <= kMaxWarnings) continue;
      const PlacePath path(table);
      warnings_.push_back({"and " + std::to_string(count - kMaxWarnings) + " more " + what, place_of(path)});
    }
  };
  tell_more(warned_, "warnings");
  tell_more(noted_, "notes");
  return std::move(warnings_);
}

bool Load::spend(std::uint64_t bytes, const PlacePath& path) {
  std::optional<std::string> why_not = allowance_.spend(bytes);
  return !why_not || fail(ErrorCode::limit_exceeded, std::move(*why_not), path);
}

bool Load::not_expected(JsonValue value, JsonKind kind, const PlacePath& path, std::string_view key) {
  return fail(ErrorCode::malformed, std::string("expected ") + to_string(kind) + ", found " + to_string(value.kind()),
              path, key);
}

bool Load::expect_entry(JsonValue value, const PlacePath& path) {
  if (!expect(value, JsonKind::object, path)) return false;
  if (value.size() <= kMaxObjectKeys) return true;
  return fail(
      ErrorCode::limit_exceeded,
      std::to_string(value.size()) + " keys are more than the " + std::to_string(kMaxObjectKeys) + " that can be read",
      path);
}

bool Load::whole_number(JsonValue value, std::uint64_t end, std::uint64_t& out, const PlacePath& path,
                        std::string_view key) {
  const double number = value.number();
  if (!value.is(JsonKind::number) || !value.is_whole() || number < 0 || number > 9007199254740992.0) {
    return fail(ErrorCode::malformed, "expected a whole number that is not negative", path, key);
  }
  out = static_cast<std::uint64_t>(number);
  if (out >= end) return fail(ErrorCode::malformed, "the number " + std::to_string(out) + " is too large", path, key);
  return true;
}

bool Load::read_index(JsonValue value, std::size_t count, const char* what, std::int32_t& out, const PlacePath& path,
                      std::string_view key) {
  if (!value.present()) return true;
  std::uint64_t index = 0;
  if (!value.is_plain_whole(index) && !whole_number(value, ~std::uint64_t{0}, index, path, key)) return false;
  if (index >= count) {
    return fail(
        ErrorCode::malformed,
        "there is no " + std::string(what) + " " + std::to_string(index) + "; the file has " + std::to_string(count),
        path, key);
  }
  out = static_cast<std::int32_t>(index);
  return true;
}

bool Load::read_float(JsonValue value, float& out, const PlacePath& path, std::string_view key) {
  if (!value.present()) return true;
  if (!expect(value, JsonKind::number, path, key)) return false;
  const double number = value.number();
  if (!(number >= -static_cast<double>(kMaxMagnitude) && number <= static_cast<double>(kMaxMagnitude))) {
    return fail(ErrorCode::not_finite, "a number is beyond 1e18", path, key);
  }
  out = static_cast<float>(number);
  return true;
}

bool Load::read_floats(JsonValue value, std::size_t count, float* out, const PlacePath& path, std::string_view key) {
  if (!value.present()) return true;
  if (!value.is(JsonKind::array) || value.size() != count) {
    return fail(ErrorCode::malformed, "expected an array of " + std::to_string(count) + " numbers", path, key);
  }
  for (const JsonValue element : value.elements()) {
    if (!read_float(element, *out++, path, key)) return false;
  }
  return true;
}

void pick(JsonValue object, std::initializer_list<Field> fields) {
  if (!object.is(JsonKind::object)) return;
  for (const JsonValue::Member member : object.members()) {
    for (const Field& field : fields) {
      if (is_same_key(field.key, member.key)) {
        *field.out = member.value;
        break;
      }
    }
  }
}

JsonValue extension(JsonValue extensions, std::string_view name) {
  const JsonValue found = extensions[name];
  return found.is(JsonKind::object) ? found : JsonValue();
}

}  // namespace marrow

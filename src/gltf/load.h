// The state of one reading: what went wrong, what is odd, what may still be spent. Internal.
//
// Functions that can fail return false after telling `fail` why; the first failure is what the caller gets.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/gltf/reader.h"
#include "src/gltf/imports.h"

namespace marrow {

// How much may be spent for each byte of input, without a limit of the caller's.
inline constexpr std::uint64_t kAllowancePerByte = 64;

class Load {
 public:
  explicit Load(const LoadOptions& options) : options_(options), allowance_(options.memory_limit) {}

  [[nodiscard]] const LoadOptions& options() const { return options_; }

  // Remembers why the reading fails and returns false. `path` is in the JSON, `key` a step below it.
  bool fail(ErrorCode code, std::string message, const PlacePath& path, std::string_view key = {});
  bool fail(Error error);
  [[nodiscard]] const Error& error() const { return *error_; }

  void warn(std::string message, const PlacePath& path, std::string_view key = {});

  // The same for what only a thorough reading tells.
  void note(std::string message, const PlacePath& path, std::string_view key = {});
  [[nodiscard]] std::vector<Warning> take_warnings();

  // Takes from what may be spent; fails if that is not enough.
  bool spend(std::uint64_t bytes, const PlacePath& path);
  void allow(std::uint64_t bytes) { allowance_.add(bytes); }
  [[nodiscard]] std::uint64_t allowance() const { return allowance_.left(); }

  // Reads a whole number from 0 up to, but without, `end`. Absent values leave `out` as it is.
  template <typename Integer>
  bool read(JsonValue value, std::uint64_t end, Integer& out, const PlacePath& path, std::string_view key) {
    if (!value.present()) return true;
    std::uint64_t number = 0;
    if (!(value.is_plain_whole(number) && number < end) && !whole_number(value, end, number, path, key)) return false;
    out = static_cast<Integer>(number);
    return true;
  }

  // The same for an index into an array of `count` things called `what`.
  bool read_index(JsonValue value, std::size_t count, const char* what, std::int32_t& out, const PlacePath& path,
                  std::string_view key);

  // Reads a finite number. Absent values leave `out` as it is.
  bool read_float(JsonValue value, float& out, const PlacePath& path, std::string_view key);

  // Reads an array of exactly `count` finite numbers. Absent values leave `out` as it is.
  bool read_floats(JsonValue value, std::size_t count, float* out, const PlacePath& path, std::string_view key);

  // Fails unless the value is absent, or an object of no more keys than one has that others refer to. Each reference
  // looks at all of them, so many keys and many references would take as long as their product.
  bool expect_entry(JsonValue value, const PlacePath& path);

  // Fails unless the value is absent or of that kind.
  bool expect(JsonValue value, JsonKind kind, const PlacePath& path, std::string_view key = {}) {
    return !value.present() || value.is(kind) || not_expected(value, kind, path, key);
  }

 private:
  using Counts = std::map<std::string_view, std::size_t>;  // by the tables of the file
  void tell(std::string message, const PlacePath& path, std::string_view key, Counts& counts);
  bool not_expected(JsonValue value, JsonKind kind, const PlacePath& path, std::string_view key);
  bool whole_number(JsonValue value, std::uint64_t end, std::uint64_t& out, const PlacePath& path,
                    std::string_view key);

  const LoadOptions& options_;
  std::optional<Error> error_;
  std::vector<Warning> warnings_;
  Counts warned_, noted_;
  Allowance allowance_;
};

// Finds several keys of an object in one walk. Keys that are not there leave their values absent.
struct Field {
  std::string_view key;
  JsonValue* out;
};
void pick(JsonValue object, std::initializer_list<Field> fields);

// Returns an extension of an object; absent if it has none of that name.
[[nodiscard]] JsonValue extension(JsonValue extensions, std::string_view name);

}  // namespace marrow

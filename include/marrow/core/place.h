// Place: where something is in a file, a model or the arguments of a call.
//
// A place is a list of steps, the outermost first. Build it from its parts, read it by its steps, print it last:
//
//   Place("tracks", 3) / "times" / 17                            tracks/3/times/17
//   Place("nodes", 2).within(Place::document())                  /nodes/2
//   Place::numbered("byte", 12).within(Place::file("a.glb"))     a.glb: byte 12
//
// The printed text is for people and for other programs; nothing in the library reads it back. A place allocates
// memory, so code makes one only when it has something to report. Code that checks much holds a PlacePath until then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace marrow {

class Place {
 public:
  enum class Kind : std::uint8_t {
    step,      // a member by its name, or an element of an array: "times", "tracks/3"
    numbered,  // the unit and a number: "byte 12", "frame 3"
    file,      // a path or a URI
    document,  // the root of a JSON document; the steps after it print as a JSON Pointer (RFC 6901)
  };

  struct Step {
    Kind kind = Kind::step;
    std::string name;                  // of the member, the array or the unit; the path of a file
    std::optional<std::size_t> index;  // of an element; the number of Kind::numbered
  };

  // No place. An empty name makes no place either.
  Place() = default;

  Place(const char* name);  // NOLINT(google-explicit-constructor): Error{code, message, "size"}
  explicit Place(std::string name);
  Place(std::string array, std::size_t index);
  explicit Place(std::vector<Step> steps);

  [[nodiscard]] static Place file(std::string path);
  [[nodiscard]] static Place document();
  [[nodiscard]] static Place numbered(std::string unit, std::size_t number);

  // Returns the place of a member or of an element. An index after a step without one belongs to that step.
  [[nodiscard]] Place operator/(std::string_view name) const;
  [[nodiscard]] Place operator/(std::size_t index) const;

  // Returns this place as seen from outside of `outer`: the steps of `outer`, then those of this place.
  [[nodiscard]] Place within(const Place& outer) const;

  // Returns the place without its first `count` steps; no place if it has no more than that.
  [[nodiscard]] Place without_first(std::size_t count) const;

  // True if there is nothing to print: no steps, or a whole document.
  [[nodiscard]] bool empty() const;

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }

  // Returns the index of step number `step` if that is an element of an array of this name.
  [[nodiscard]] std::optional<std::size_t> index_in(std::size_t step, std::string_view array) const;

 private:
  std::vector<Step> steps_;
};

// Returns the steps in one line. Names and indices are joined by "/", units by ", " as in "line 3, column 5", anything
// else by ": ".
[[nodiscard]] std::string to_string(const Place& place);

[[nodiscard]] bool operator==(const Place::Step& a, const Place::Step& b);
[[nodiscard]] bool operator==(const Place& a, const Place& b);

// "tracks/3" would be a name, not a name and an index. Compare with Place("tracks", 3), or compare to_string(place).
bool operator==(const Place& place, const char* text) = delete;

// A place that costs nothing until something fails: a step and a link to the one outside it, on the stack.
//
//   const PlacePath mesh("meshes", 2), part(mesh, "parts", 0);
//   if (bad) return Error{code, message, part.place()};  // meshes/2/parts/0
//
// The outer path and the name must outlive it.
struct PlacePath {
  static constexpr std::size_t kNoIndex = ~std::size_t{0};
  const PlacePath* parent = nullptr;
  std::string_view name;
  std::size_t index = kNoIndex;

  explicit PlacePath(std::string_view n, std::size_t i = kNoIndex) : name(n), index(i) {}
  PlacePath(const PlacePath& p, std::string_view n, std::size_t i = kNoIndex) : parent(&p), name(n), index(i) {}
  PlacePath(const PlacePath&&, std::string_view, std::size_t = 0) = delete;

  [[nodiscard]] Place place() const;
};

}  // namespace marrow

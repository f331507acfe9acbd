#include "marrow/core/place.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/result.h"

namespace marrow {
namespace {

TEST_CASE("a place prints its names and indices with slashes") {
  CHECK(to_string(Place("size")) == "size");
  CHECK(to_string(Place("joints", 0)) == "joints/0");
  CHECK(to_string(Place("tracks", 3) / "times" / 17) == "tracks/3/times/17");
  CHECK(to_string(Place("meshes") / 2 / "primitives" / 1) == "meshes/2/primitives/1");
  CHECK(to_string(Place("rows", 2) / 5) == "rows/2/5");
}

TEST_CASE("a place in a document prints as a JSON Pointer") {
  CHECK(to_string(Place::document() / "nodes" / 2 / "children" / 0) == "/nodes/2/children/0");
  CHECK(to_string(Place::document() / "a/b" / "~c") == "/a~1b/~0c");
  CHECK(to_string(Place::document() / 4) == "/4");
  // Only a pointer escapes.
  CHECK(to_string(Place("a/b") / "~c") == "a/b/~c");
}

TEST_CASE("files and numbers of something stand apart") {
  CHECK(to_string(Place::numbered("byte", 12)) == "byte 12");
  CHECK(to_string(Place::numbered("column", 5).within(Place::numbered("line", 3))) == "line 3, column 5");
  CHECK(to_string(Place("update").within(Place::numbered("frame", 7))) == "frame 7: update");
  CHECK(to_string(Place::numbered("byte", 0).within(Place::file("a/b~.glb"))) == "a/b~.glb: byte 0");
  CHECK(to_string((Place::document() / "nodes" / 1).within(Place::file("a.gltf"))) == "a.gltf: /nodes/1");
  CHECK(to_string(Place("size").within(Place::file("a.png"))) == "a.png: size");
  CHECK(to_string(Place::file("b.png").within({"images", 2})) == "images/2: b.png");
}

TEST_CASE("a place that names nothing is empty and prints nothing") {
  for (const Place& place : {Place(), Place(""), Place::file(""), Place::document(), Place().within(Place())}) {
    CAPTURE(place.steps().size());
    CHECK(place.empty());
    CHECK(to_string(place) == "");
  }
  CHECK_FALSE(Place("size").empty());
  CHECK_FALSE(Place("", 0).empty());
  CHECK_FALSE(Place::file("a.glb").empty());
  CHECK(to_string(Error{ErrorCode::malformed, "it is empty", Place::document()}) == "it is empty");
  CHECK(to_string(Place("size").within(Place())) == "size");
  CHECK(to_string(Place().within("size")) == "size");
}

TEST_CASE("places are equal if all their steps are") {
  const Place place = Place("tracks", 3) / "times" / 17;
  CHECK(bool(place == Place("tracks") / 3 / "times" / 17));
  CHECK(bool(place == (Place("times", 17)).within({"tracks", 3})));
  CHECK(bool(place != Place("tracks", 3) / "times" / 18));
  CHECK(bool(place != Place("tracks", 3) / "times"));
  CHECK(bool(place != place.within(Place::document())));
  // The same text, but not the same steps.
  CHECK(bool(Place("tracks", 3) != Place("tracks/3")));
  CHECK(bool(Place("tracks", 3) != Place("tracks") / "3"));
  CHECK(bool(Place::file("a") != Place("a")));
}

TEST_CASE("a place can be read by its steps") {
  const Place place = Place("meshes", 2) / "parts" / 1 / "indices" / 40;
  REQUIRE(place.steps().size() == 3);
  CHECK(place.steps()[1].name == "parts");
  CHECK(place.steps()[1].index.value_or(99) == 1);
  CHECK(place.index_in(0, "meshes").value_or(99) == 2);
  CHECK(place.index_in(2, "indices").value_or(99) == 40);
  CHECK_FALSE(place.index_in(0, "parts"));
  CHECK_FALSE(place.index_in(3, "indices"));
  CHECK_FALSE(Place("meshes").index_in(0, "meshes"));
  CHECK_FALSE(Place::numbered("byte", 4).index_in(0, "byte"));
}

TEST_CASE("the place of an inner object can be moved to another outer one") {
  const Place place = Place("meshes", 2) / "parts" / 1 / "indices" / 40;
  CHECK(to_string(place.without_first(2).within(Place::document() / "meshes" / 2 / "primitives" / 7)) ==
        "/meshes/2/primitives/7/indices/40");
  CHECK(bool(place.without_first(0) == place));
  CHECK(place.without_first(3).empty());
  CHECK(place.without_first(4).empty());
}

TEST_CASE("an error takes a place as a literal, as a name with an index, or none") {
  CHECK(to_string(Error{ErrorCode::not_finite, "it is NaN", "fade"}) == "fade: it is NaN");
  CHECK(to_string(Error{ErrorCode::not_finite, "it is NaN", {"weights", 4}}) == "weights/4: it is NaN");
  CHECK(to_string(Error{ErrorCode::not_finite, "it is NaN", {}}) == "it is NaN");
  CHECK(to_string(Warning{"it is left out", {"images", 1}}) == "images/1: it is left out");
  CHECK(to_string(Warning{"it is left out", {}}) == "it is left out");
}

TEST_CASE("a path on the stack becomes the same place") {
  const PlacePath mesh("meshes", 2), part(mesh, "parts", 0), indices(part, "indices");
  CHECK(bool(indices.place() == Place("meshes", 2) / "parts" / 0 / "indices"));
  CHECK(bool(PlacePath("up").place() == Place("up")));
}

}  // namespace
}  // namespace marrow

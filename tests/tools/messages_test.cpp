#include "messages.h"

#include <doctest/doctest.h>

#include "tools/character.h"

namespace marrow::tool {
namespace {

TEST_CASE("errors reach the terminal without what would move the cursor, and whole") {
  CHECK(error_line("a.glb", {ErrorCode::malformed, "this is wrong", Place::document() / "nodes" / 0}) ==
        "marrow: a.glb: /nodes/0: this is wrong\n");
  CHECK(error_line("a\x1b.glb", {ErrorCode::malformed, "clip \"\x1b[2J\" is wrong", ""}) ==
        "marrow: a\ufffd.glb: clip \"\ufffd[2J\" is wrong\n");
  using namespace std::string_literals;
  CHECK(error_line("a.glb", {ErrorCode::malformed, "\"ok.bin\0.png\" is wrong"s, Place::document() / "b\0c"s}) ==
        "marrow: a.glb: /b\ufffdc: \"ok.bin\ufffd.png\" is wrong\n");
}

TEST_CASE("a name that fills the screen does not hide what is wrong") {
  const std::string line = error_line(
      "a.glb",
      {ErrorCode::malformed, "clip \"" + std::string(100000, 'x') + "\" is wrong", Place(std::string(9999, 'y'))});
  CHECK(line.size() < 1100);
  CHECK(line.ends_with("xx\" is wrong\n"));
  CHECK(line.find("clip \"xx") != std::string::npos);
}

TEST_CASE("who asks for a clip that is not there is told the clips that are, but not without end") {
  test::Character character;
  CHECK(no_such_clip(character.model(), "zz").message == "there is no clip \"zz\"; the file has 0 \"Walk\"");
  character.clips[0].name = "\x1b[31m";
  character.clips.resize(20, character.clips[0]);
  character.clips[1].name = std::string(1000, 'x');
  const std::string message = no_such_clip(character.model(), "\x1b").message;
  CHECK(message.starts_with("there is no clip \"\ufffd\"; the file has 0 \"\ufffd[31m\", 1 \"xxx"));
  CHECK(message.ends_with("11 \"\ufffd[31m\" and 8 more"));
  CHECK(message.size() < 300);
  character.clips.clear();
  CHECK(no_such_clip(character.model(), "0").message == "there is no clip \"0\"; the file has none");
}

}  // namespace
}  // namespace marrow::tool

// What the console program is made of beside guests: the command line, the log, the watchdog.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "button_script.h"
#include "guest_log.h"
#include "options.h"
#include "report_text.h"
#include "watchdog.h"

namespace marrow::console {
namespace {

TEST_CASE("A script says what is pressed in each frame") {
  const Result<ButtonScript> script = ButtonScript::parse("2:right,1:right+a+up,1:none,1:b/3:left");
  REQUIRE(script.ok());
  const Inputs expected[] = {{kRight, kLeft}, {kRight, kLeft}, {kRight | kA | kUp, kLeft}, {0, 0}, {kB, 0}, {0, 0}};
  for (std::size_t i = 0; i < std::size(expected); ++i) CHECK(script->at(i) == expected[i]);
  CHECK(ButtonScript::parse("/1:down")->at(0) == Inputs{0, kDown});
  CHECK(ButtonScript::parse("")->at(0) == Inputs{0, 0});
}

TEST_CASE("A script that is none is refused with the part") {
  for (const char* text : {"right", "2:jump", "2:right+", ":right", "-1:right", "2:", "2x:right", "1:right,,1:left",
                           "99999999999:right", "1:left/1:left/1:left"}) {
    CAPTURE(text);
    CHECK_FALSE(ButtonScript::parse(text).ok());
  }
  for (const char* text : {"5:a,", ",5:a", "0:a", "5:a/5:b,", "5:a/5:b/5:b"}) CHECK(!ButtonScript::parse(text).ok());
  CHECK(ButtonScript::parse("1:left,2:jump").error().message.find("\"2:jump\" is not like 60:right+a") == 0);
}

Result<Options> parse(const std::vector<const char*>& arguments) { return parse_options(arguments); }

TEST_CASE("The command line is read") {
  const Result<Options> options = parse({"--frames", "12", "a.wasm", "--hash", "-o", "a.png", "--size", "64x48"});
  REQUIRE(options.ok());
  CHECK(options->path == "a.wasm");
  CHECK(options->frames == 12);
  CHECK(options->hash);
  CHECK(options->out == "a.png");
  CHECK(options->width == 64);
  CHECK(options->height == 48);
  CHECK_FALSE(options->rollback.has_value());
  CHECK(*parse({"a.wasm", "--rollback", "5"})->rollback == 5);
  CHECK(parse({"--help"})->help);
}

TEST_CASE("A command line that makes no sense is refused with what is wrong") {
  const auto refusal = [](const std::vector<const char*>& arguments) {
    const Result<Options> options = parse(arguments);
    return options ? "none" : options.error().message;
  };
  CHECK(refusal({}) == "the guest is missing");
  CHECK(refusal({"a", "b"}) == "there is one guest, and \"b\" would be another");
  CHECK(refusal({"a", "--fast"}) == "there is no option \"--fast\"");
  CHECK(refusal({"a", "--frames"}) == "--frames needs a value");
  CHECK(refusal({"a", "--frames", "0"}) == "--frames is a number of frames, from 1");
  CHECK(refusal({"a", "--frames", "5s"}) == "--frames is a number of frames, from 1");
  CHECK(refusal({"a", "--rollback", "x"}) == "--rollback is a seed, a whole number");
  CHECK(refusal({"a", "--size", "9000x1"}) == "--size is like 640x480, with sides from 1 to 8192");
  CHECK(refusal({"a", "-o", "a.jpeg"}) == "-o is a .png, .mp4, .webm or .gif file");
  CHECK(refusal({"a", "--rollback", "1", "--match"}) == "--rollback and --match exclude each other");
  CHECK(refusal({"a", "--match", "--hash"}) ==
        "--hash, --time, --buttons, --size and -o are of a run without --rollback and --match");
  CHECK(refusal({"a", "--match", "--buttons", "5:a"}).find("are of a run without") != std::string::npos);
  CHECK(refusal({"a", "--match", "--frames", "1000001"}) == "--rollback and --match take 1000000 frames at most");
  CHECK(refusal({"a", "--buttons", "jump"}).find("--buttons is a script: \"jump\" is not like") == 0);
}

// What a log prints.
std::string printed(const std::vector<std::string>& messages) {
  std::FILE* const file = std::tmpfile();
  GuestLog log(file);
  for (const std::string& message : messages) GuestLog::handle(LogLevel::warning, message, &log);
  log.finish();
  std::rewind(file);
  std::string text(4096 * 16, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

TEST_CASE("A line of the log is printed once, and how often it came at the end") {
  CHECK(printed({"a", "b", "a", "a"}) == "warning: a\nwarning: b\n3 times: warning: a\n");
  CHECK(printed({}).empty());
  std::vector<std::string> many;
  for (int i = 0; i < 1002; ++i) many.push_back(std::to_string(i));
  const std::string text = printed(many);
  CHECK(text.ends_with("warning: 999\nand 2 lines of other kinds\n"));
}

// A clock that the test moves, and that counts how often the watchdog reads it.
struct TestClock {
  std::atomic<int> seconds = 0;
  std::atomic<int> reads = 0;
  [[nodiscard]] Watchdog::Now now() {
    return [this] {
      ++reads;
      return Watchdog::Clock::time_point(std::chrono::seconds(seconds));
    };
  }
};

// Waits for a condition. The limit ends a hang alone: no machine is so busy.
template <typename Condition>
bool becomes(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

// Waits for a whole check of the watchdog, or for its bark. When the second of two checks begins, the first has ended.
bool checks(const TestClock& clock, const std::atomic<const char*>& barked) {
  return becomes([&, reads = clock.reads + 2] { return clock.reads >= reads || barked != nullptr; });
}

TEST_CASE("The watchdog notices who does not come back, and nobody else") {
  TestClock clock;
  std::atomic<const char*> late = nullptr;
  const Watchdog::Bark bark = [&](const char* what, Watchdog::Trouble trouble) {
    if (trouble == Watchdog::Trouble::late) late = what;
  };
  Watchdog watchdog(std::chrono::seconds(10), bark, std::uint64_t{1} << 40, clock.now());
  watchdog.start("init");
  clock.seconds = 9;
  REQUIRE(checks(clock, late));
  watchdog.stop();
  clock.seconds = 100;
  REQUIRE(checks(clock, late));
  watchdog.start("update");
  clock.seconds = 109;
  REQUIRE(checks(clock, late));
  CHECK(late == nullptr);
  clock.seconds = 110;
  REQUIRE(becomes([&] { return late != nullptr; }));
  CHECK(std::string(late) == "update");
}

TEST_CASE("The watchdog notices who makes the program grow") {
  TestClock clock;
  std::atomic<const char*> large = nullptr;
  constexpr std::size_t kBytes = 64 << 20;
  const Watchdog::Bark bark = [&](const char* what, Watchdog::Trouble trouble) {
    if (trouble == Watchdog::Trouble::large) large = what;
  };
  Watchdog watchdog(std::chrono::seconds(20), bark, kBytes / 2, clock.now());
  watchdog.start("init");
  REQUIRE(checks(clock, large));
  CHECK(large == nullptr);
  const std::vector<char> bytes(kBytes, 1);
  REQUIRE(becomes([&] { return large != nullptr; }));
  CHECK(std::string(large) == "init");
  CHECK(bytes.back() == 1);
}

TEST_CASE("Numbers stand in sentences") {
  CHECK(counted(1, "frame") == "1 frame");
  CHECK(counted(0, "frame") == "0 frames");
}

}  // namespace
}  // namespace marrow::console

// A fantasy console without a screen: runs a game that was compiled to WASM, and shows what it does.
//
//   console hero_c.wasm --frames 300 --buttons 60:none,240:right -o hero.mp4
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "guest.h"
#include "guest_log.h"
#include "match.h"
#include "options.h"
#include "pictures.h"
#include "report_text.h"
#include "rollback_trial.h"
#include "src/text/text.h"
#include "watchdog.h"

namespace marrow::console {
namespace {

using Clock = std::chrono::steady_clock;

void complain(const std::string& path, const Error& error) {
  std::fprintf(stderr, "console: %s: %s\n", path.c_str(), to_string(error).c_str());
}

Result<std::vector<std::byte>> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> bytes;
  std::vector<char> part(1 << 16);
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) {
    const auto* const first = reinterpret_cast<const std::byte*>(part.data());
    bytes.insert(bytes.end(), first, first + file.gcount());
  }
  if (!file.is_open() || file.bad()) return Error{ErrorCode::unreadable, "the file cannot be read", {}};
  return bytes;
}

void print_times(const Guest& guest, std::uint32_t frames, double microseconds) {
  std::printf("%-26s %10s %12s\n", "", "calls", "us per call");
  for (const CallTime& time : guest.call_times()) {
    if (time.calls == 0) continue;
    std::printf("%-26s %10llu %12.3f\n", time.name, static_cast<unsigned long long>(time.calls),
                time.microseconds / static_cast<double>(time.calls));
  }
  std::printf("%-26s %10u %12.3f\n", "frame", frames, microseconds / frames);
}

// What went wrong with the output, and not with the guest.
Error of_output(const Options& options, const Error& error) {
  return {error.code, error.message, error.place.within(Place::file(options.out))};
}

// Runs frame after frame.
Result<void> run(const std::vector<std::byte>& module, const GuestSetup& setup, const Options& options) {
  Result<Guest> guest = Guest::load(module, setup);
  if (!guest) return guest.error();
  std::optional<Pictures> pictures;
  if (!options.out.empty()) {
    Result<Pictures> made = Pictures::make(options.out, options.width, options.height);
    if (!made) return of_output(options, made.error());
    pictures.emplace(std::move(*made));
  }
  double microseconds = 0;
  std::uint64_t draws = 0;
  for (std::uint32_t frame = 0; frame < options.frames; ++frame) {
    const Clock::time_point start = Clock::now();
    if (const Result<void> done = guest->frame(options.buttons.at(frame)); !done) return in_frame(done.error(), frame);
    microseconds += std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    draws += guest->host().draws().size();
    if (options.hash) std::printf("frame %u %s\n", frame, hex_text(hash_of_draws(guest->host())).c_str());
    if (!pictures) continue;
    setup.watchdog->start("picture");
    const Result<void> added = pictures->add(guest->host(), frame + 1 == options.frames);
    setup.watchdog->stop();
    if (!added) return of_output(options, added.error());
  }
  if (pictures) {
    if (const Result<void> finished = pictures->finish(); !finished) return of_output(options, finished.error());
  }
  if (options.time) print_times(*guest, options.frames, microseconds);
  if (!options.hash && !options.time) {
    std::printf("%s, %s\n", counted(options.frames, "frame").c_str(), counted(draws, "draw").c_str());
  }
  return {};
}

template <typename Report>
Result<void> print(const Result<Report>& report) {
  if (!report) return report.error();
  std::printf("%s", to_text(*report).c_str());
  return {};
}

int main_of(const Options& options) {
  const Result<std::vector<std::byte>> module = read_file(options.path);
  if (!module) return complain(options.path, module.error()), 1;
  GuestLog log(stderr);
  Watchdog watchdog(std::chrono::seconds(options.patience_s), [&options](const char* what, Watchdog::Trouble trouble) {
    std::fflush(stdout);
    const std::string sentence = trouble == Watchdog::Trouble::late
                                     ? "it did not return within " + counted(options.patience_s, "second")
                                     : "it takes more memory than there is for a guest";
    complain(options.path, {ErrorCode::limit_exceeded, sentence, what});
    Pictures::abandon();
    std::_Exit(1);  // the guest's thread goes on, and nothing can stop it
  });
  GuestSetup setup;
  setup.host.log = GuestLog::handle;
  setup.host.log_user = &log;
  setup.timed = options.time;
  setup.watchdog = &watchdog;
  const Result<void> done = options.rollback
                                ? print(run_rollback_trial(*module, setup, options.frames, *options.rollback))
                            : options.match ? print(play_match(*module, setup, {.frames = options.frames, .link = {}}))
                                            : run(*module, setup, options);
  std::fflush(stdout);
  log.finish();
  if (done) return 0;
  complain(options.path, done.error());
  return 1;
}

}  // namespace
}  // namespace marrow::console

int main(int argc, char** argv) try {
  const std::span<const char* const> arguments(argv, static_cast<std::size_t>(argc));
  const auto options = marrow::console::parse_options(arguments.subspan(arguments.empty() ? 0 : 1));
  if (!options) {
    std::fprintf(stderr, "console: %s\n%s", options.error().message.c_str(), marrow::console::usage());
    return 2;
  }
  if (options->help) {
    std::printf("%s", marrow::console::usage());
    return 0;
  }
  return marrow::console::main_of(*options);
} catch (const std::exception& problem) {
  std::fprintf(stderr, "console: %s\n", problem.what());
  return 1;
}

#include "rollback_trial.h"

#include <algorithm>
#include <vector>

#include "random.h"
#include "report_text.h"

namespace marrow::console {
namespace {

// What is pressed, and until when it is known at once.
struct Script {
  std::vector<Inputs> inputs;
  std::vector<Inputs> delays;  // of each input: for how many frames it is not known
};

// Players press for a while, then something else. Where the dark begins they always press something else than before,
// so that every guess about that is wrong.
Script make_script(std::uint32_t frames, std::uint64_t seed) {
  Random random(seed);
  Script script;
  Inputs pressed{};
  for (std::uint32_t frame = 0; frame < frames;) {
    const std::uint32_t light = 1 + random.below(5), dark = 1 + random.below(kRollbackFrames);
    const std::uint32_t who = 1 + random.below(3);  // a bit for each player
    for (std::uint32_t i = 0; i < light + dark && frame < frames; ++i, ++frame) {
      Inputs delay{};
      for (std::uint32_t player = 0; player < kPlayers; ++player) {
        if (random.below(4) == 0) pressed[player] = random.below(kAllButtons + 1);
        if (i < light || (who >> player & 1) == 0) continue;
        if (i == light) pressed[player] ^= 1u << random.below(6);
        delay[player] = light + dark - i;  // all of it is known when the dark ends
      }
      script.inputs.push_back(pressed);
      script.delays.push_back(delay);
    }
  }
  return script;
}

struct Comparison {
  GuestSnapshot state;
  Drawing drawing;

  // Compares a frame of both; adds to the report what was equal.
  Result<void> compare(const Guest& plain, const Rollback& rollback, std::uint32_t frame, TrialReport& report) {
    plain.save(state);
    drawing.copy_from(plain.host());
    std::string differs = difference(state, rollback.state_after(frame));
    if (differs.empty()) differs = difference(drawing, rollback.drawing(frame));
    if (!differs.empty()) {
      return Error{ErrorCode::invalid_argument, differs + " is not the same after a rollback",
                   Place::numbered("frame", frame)};
    }
    report.bytes += state.memory.size();
    report.globals += state.globals.size();
    report.draws += drawing.draws.size();
    report.bones += drawing.bones.size();
    return {};
  }
};

}  // namespace

Result<TrialReport> run_rollback_trial(std::span<const std::byte> module, const GuestSetup& setup, std::uint32_t frames,
                                       std::uint64_t seed) {
  Result<Guest> plain = Guest::load(module, setup), guest = Guest::load(module, setup);
  if (!plain) return plain.error();
  if (!guest) return guest.error();
  const Script script = make_script(frames, seed);
  Rollback rollback(*guest);
  Comparison comparison;
  TrialReport report{.frames = frames};
  std::uint32_t compared = 0;
  for (std::uint64_t now = 0; compared < frames; ++now) {
    // What is known by now, of the next frame too.
    for (std::uint32_t player = 0; player < kPlayers; ++player) {
      for (std::uint32_t frame = rollback.known(player); frame < frames && frame <= rollback.frames(); ++frame) {
        if (std::uint64_t{frame} + script.delays[frame][player] > now) break;
        rollback.add_input(player, frame, script.inputs[frame][player]);
      }
    }
    if (rollback.frames() < frames) {
      const Result<Rollback::Step> step = rollback.advance();
      if (!step) return step.error();
    } else {
      // The end: everything is known.
      for (std::uint32_t player = 0; player < kPlayers; ++player) {
        for (std::uint32_t frame = rollback.known(player); frame < frames; ++frame) {
          rollback.add_input(player, frame, script.inputs[frame][player]);
        }
      }
      if (const Result<void> done = rollback.correct(); !done) return done.error();
    }
    for (; compared < rollback.confirmed(); ++compared) {
      const Result<void> done = plain->frame(script.inputs[compared]);
      if (!done) return in_frame(done.error(), compared);
      const Result<void> same = comparison.compare(*plain, rollback, compared, report);
      if (!same) return same.error();
    }
  }
  report.counts = rollback.counts();
  report.hash = hash_of(comparison.state);
  return report;
}

std::string to_text(const TrialReport& report) {
  return counted(report.frames, "frame") + ", " + to_text(report.counts) + "\n" +
         "the same as without, after every frame: " + counted(report.bytes, "byte") + " of memory, " +
         counted(report.globals, "global") + ", " + counted(report.draws, "draw") + " with " +
         counted(report.bones, "bone") + "\nstate " + hex_text(report.hash) + "\n";
}

}  // namespace marrow::console

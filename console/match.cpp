#include "match.h"

#include <algorithm>
#include <vector>

#include "match_side.h"
#include "random.h"
#include "report_text.h"

namespace marrow::console {
namespace {

constexpr std::uint64_t kFrameUs = 16'667;

// What a player presses: something else every few frames.
std::vector<std::uint32_t> make_buttons(std::uint32_t frames, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint32_t> buttons;
  while (buttons.size() < frames) {
    const std::uint32_t length = 2 + random.below(15), pressed = random.below(kAllButtons + 1);
    buttons.insert(buttons.end(), std::min<std::size_t>(length, frames - buttons.size()), pressed);
  }
  return buttons;
}

// Compares a side with a guest that is told everything.
Result<void> compare_with_plain(Guest& guest, const std::vector<std::uint32_t> (&buttons)[kPlayers],
                                const MatchSide& side) {
  GuestSnapshot state;
  for (std::uint32_t frame = 0; frame < buttons[0].size(); ++frame) {
    const Result<void> done = guest.frame({buttons[0][frame], buttons[1][frame]});
    if (!done) return in_frame(done.error(), frame);
    guest.save(state);
    if (hash_of(state) != side.hashes()[frame]) return differs_from("a console that knew all inputs", frame);
  }
  return {};
}

}  // namespace

Result<MatchReport> play_match(std::span<const std::byte> module, const GuestSetup& setup,
                               const MatchOptions& options) {
  Result<Guest> guests[] = {Guest::load(module, setup), Guest::load(module, setup), Guest::load(module, setup)};
  for (const Result<Guest>& guest : guests) {
    if (!guest) return guest.error();
  }
  const std::vector<std::uint32_t> buttons[kPlayers] = {make_buttons(options.frames, options.seed * 4),
                                                        make_buttons(options.frames, options.seed * 4 + 1)};
  MatchSide sides[kPlayers] = {{*guests[0], 0, buttons[0]}, {*guests[1], 1, buttons[1]}};
  Link links[kPlayers] = {{options.link, options.seed * 4 + 2},
                          {options.link, options.seed * 4 + 3}};  // from each side

  // The clocks of the two sides do not tick together. A link that lets nothing through must not keep them forever.
  const std::uint64_t ticks = 1000 + std::uint64_t{options.frames} * 20;
  for (std::uint64_t tick = 0; !sides[0].done() || !sides[1].done(); ++tick) {
    if (tick == ticks) return Error{ErrorCode::limit_exceeded, "the match does not come to an end", {}};
    for (std::uint32_t i = 0; i < kPlayers; ++i) {
      const std::uint64_t now_us = tick * kFrameUs + i * kFrameUs / 3;
      for (Packet packet; links[1 - i].receive(now_us, packet);) sides[i].take(packet);
      if (const Result<void> done = sides[i].step(); !done) return done.error();
      links[i].send(now_us, sides[i].packet());
    }
  }
  MatchReport report{.frames = options.frames};
  for (std::uint32_t i = 0; i < kPlayers; ++i) {
    report.counts[i] = sides[i].counts();
    report.packets += links[i].sent();
    report.lost += links[i].lost();
    report.late += sides[i].late();
    report.compared += sides[i].compared();
  }
  if (const Result<void> same = compare_with_plain(*guests[2], buttons, sides[0]); !same) return same.error();
  report.compared += options.frames;
  report.hash = options.frames == 0 ? 0 : sides[0].hashes().back();
  return report;
}

std::string to_text(const MatchReport& report) {
  std::string text = counted(report.frames, "frame") + ", " + counted(report.packets, "packet") + ", of which " +
                     std::to_string(report.lost) + " lost and " + std::to_string(report.late) + " late\n";
  for (std::uint32_t i = 0; i < kPlayers; ++i) {
    text += "player " + std::to_string(i) + ": " + to_text(report.counts[i]) + ", waited " +
            counted(report.counts[i].waits, "time") + "\n";
  }
  return text + counted(report.compared, "state") + " compared, all the same\nstate " + hex_text(report.hash) + "\n";
}

}  // namespace marrow::console

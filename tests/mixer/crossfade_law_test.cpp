// After a crossfade of T seconds its target is alone: at fade 1, with everything at 0 that was `from` or in a fade of a
// crossfade, unless a later command reaches one of them. What is blended on purpose stays.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "fixtures/random.h"
#include "mixer/scene.h"
#include "support/rounds.h"

namespace marrow {
namespace {

using test::Dial;

constexpr double kExactStep = 1.0 / 64;  // exact in binary, so that times and fades are

TEST_CASE("a crossfade from an action that an earlier one fades out leaves nothing of the earlier one") {
  const Dial dial;
  test::PosedMixer mixer(dial.skeleton);
  const Action a = mixer.play(dial.still(1)), blended = mixer.play(dial.still(2)),
               b = mixer.clip_action(dial.still(3)).value(), c = mixer.clip_action(dial.still(4)).value();
  mixer.cross_fade(a, b, 1);
  test::run_for(mixer, 0.5, kExactStep);
  mixer.cross_fade(a, c, 1);
  CHECK(b.fade() == 0.5f);
  test::run_for(mixer, 1, kExactStep);
  CHECK(!a.active());
  CHECK(!b.active());
  CHECK(c.fade() == 1.0f);
  CHECK(blended.fade() == 1.0f);  // no crossfade had anything to do with it
}

// Random commands, and what the law says of them, kept by the rules above and not by the mixer's.
class Lawyer {
 public:
  Lawyer(std::uint32_t seed, const MixerOptions& options) : random_(seed), mixer_(dial_.skeleton, options) {
    (void)mixer_.add_layer({}).value();
    const std::uint32_t most = mixer_.capacity().max_actions - 1;
    for (std::uint32_t i = 0; i < std::min(6u, most); ++i) {
      const Clip clip = dial_.clip(0.25 * (i + 1));
      actions_.push_back(mixer_.layer(i % 2).clip_action(clip).value());
    }
    for (int i = 0; i < 8; ++i) others_.push_back(dial_.clip(0.375 + 0.25 * i));
  }

  // How many commands were refused.
  [[nodiscard]] int refused() const { return refused_; }

  void step() {
    command();
    const double dt = kExactStep * random_.below(24);
    mixer_.advance(dt);
    now_ += dt * mixer_.time_scale();
    check();
  }

 private:
  struct Due {
    double at;
    float fade;
  };

  using Key = std::pair<std::uint32_t, std::uint32_t>;
  static Key key(const Action& a) { return {a.handle().index, a.handle().generation}; }

  void command() {
    const auto count = static_cast<std::uint32_t>(actions_.size());
    const Action a = actions_[random_.below(count)], b = actions_[random_.below(count)];
    const double seconds = kExactStep * random_.below(96);
    switch (random_.below(14)) {
      case 0:
      case 1:
      case 2: return cross_fade(&a, b, seconds);
      case 3:
      case 4: return cross_fade(nullptr, b, seconds);
      case 5: return reach(a, [&] { a.play(); });
      case 6: return reach(a, [&] { a.stop(); });
      case 7: return reach(a, [&] { a.fade_in(seconds); });
      case 8:
        reach(a, [&] { a.fade_out(seconds); });
        if (a.fading()) fading_out_.insert(key(a));
        return;
      case 9: a.pause(); return;
      case 10: a.set_loop(Loop::once).resume(); return;
      case 11: {
        Action started;
        if (attempt([&] { started = mixer_.play(others_[random_.below(8)], {.loop = Loop::once}); })) {
          reach(started, [] {});
        }
        return;
      }
      case 12:
        for (const Action& other : mixer_.actions()) {
          if (is_new(other) && random_.below(2) == 0) reach(other, [&] { other.stop(); });
        }
        return;
      default: mixer_.set_time_scale(random_.below(2) == 0 ? 1 : 0.5); return;
    }
  }

  [[nodiscard]] std::vector<std::byte> block() const {
    std::vector<std::byte> out(mixer_.snapshot_size());
    out.resize(mixer_.save(out).value());
    return out;
  }

  // Runs a command. Returns whether it was taken; one that was refused has changed nothing.
  template <typename Body>
  bool attempt(const Body& body) {
    const std::vector<std::byte> before = block();
    mixer_.clear_error();
    body();
    if (mixer_.last_error() == nullptr) return true;
    ++refused_;
    CHECK(mixer_.last_error()->code == ErrorCode::limit_exceeded);
    CHECK(block() == before);
    return false;
  }

  template <typename Body>
  void reach(const Action& a, const Body& body) {
    if (!attempt(body)) return;
    due_.erase(key(a));
    crossing_.erase(key(a));
    fading_out_.erase(key(a));
  }

  void cross_fade(const Action* from, const Action& to, double seconds) {
    if (from != nullptr && *from == to) return mixer_.cross_fade(*from, to, seconds);
    std::vector<Action> leave;
    for (const Action& a : mixer_.actions()) {
      if (a == to || !a.active()) continue;
      const bool same_layer = a.layer() == to.layer();
      if (from == nullptr ? same_layer : a == *from || (same_layer && crossing_.count(key(a)) > 0)) leave.push_back(a);
    }
    // What fade_out has fading keeps to its own time if that is sooner, and stays the user's.
    std::set<Key> own;
    for (const Action& a : leave) {
      if (from == nullptr && fading_out_.count(key(a)) > 0 && a.fade_remaining() <= seconds) own.insert(key(a));
    }
    std::set<Key> before;
    for (const Action& a : mixer_.actions()) before.insert(key(a));
    const bool taken = attempt(
        [&] { from != nullptr ? mixer_.cross_fade(*from, to, seconds) : void(mixer_.cross_fade_to(to, seconds)); });
    if (!taken) return;
    for (const Action& a : leave) {
      due_[key(a)] = {now_ + seconds, 0};
      if (own.count(key(a)) > 0) continue;
      crossing_.insert(key(a));
      fading_out_.erase(key(a));
    }
    fading_out_.erase(key(to));
    due_[key(to)] = {now_ + seconds, 1};
    if (to.fading()) crossing_.insert(key(to));
    // The end that a finished action showed leaves in an action of its own.
    for (const Action& a : mixer_.actions()) {
      if (before.count(key(a)) == 0) due_[key(a)] = {now_ + seconds, 0}, crossing_.insert(key(a));
    }
    check();
  }

  [[nodiscard]] bool is_new(const Action& a) const {
    for (const Action& own : actions_) {
      if (own == a) return false;
    }
    return true;
  }

  void check() {
    for (auto at = due_.begin(); at != due_.end();) {
      if (at->second.at > now_ + 1e-12) {
        ++at;
        continue;
      }
      const Action a = mixer_.action({at->first.first, at->first.second});
      CHECK((a ? a.fade() : 0.0f) == at->second.fade);
      at = due_.erase(at);
    }
    for (std::set<Key>* const fading : {&crossing_, &fading_out_}) {
      std::erase_if(*fading, [&](const Key& k) {
        const Action a = mixer_.action({k.first, k.second});
        return !a || !a.fading();
      });
    }
  }

  Dial dial_;
  test::Random random_;
  test::PosedMixer mixer_;
  std::vector<Action> actions_;
  std::vector<Clip> others_;
  int refused_ = 0;
  std::map<Key, Due> due_;
  std::set<Key> crossing_;    // in a fade that a crossfade started
  std::set<Key> fading_out_;  // in one that fade_out started
  double now_ = 0;
};

TEST_CASE("at the end of a crossfade its target is alone, whatever was commanded before") {
  int refused = 0;
  for (std::uint32_t seed = 1; seed <= test::rounds(2000u); ++seed) {
    CAPTURE(seed);
    // Mixers that grow, and full ones.
    const std::uint32_t most = 4 + seed % 3;
    Lawyer growing(seed, {.actions = 1}), full(seed, {.actions = most, .max_actions = most});
    for (int i = 0; i < 60; ++i) growing.step();
    for (int i = 0; i < 60; ++i) full.step();
    CHECK(growing.refused() == 0);
    refused += full.refused();
  }
  CHECK(refused > 1000);
}

}  // namespace
}  // namespace marrow

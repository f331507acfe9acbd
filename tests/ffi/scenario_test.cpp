// One script through both APIs: what plays from C is what plays from C++, bit for bit, through every rollback.
#include <doctest/doctest.h>

#include <cstring>
#include <optional>

#include "ffi/life.h"
#include "fixtures/random.h"
#include "marrow/core/hash.h"
#include "marrow/gltf/reader.h"
#include "marrow/scene/scene.h"
#include "support/rounds.h"

namespace marrow {
namespace {

constexpr std::uint32_t kActions = 12, kLayers = 3, kEvents = 32, kUpper = 8, kLower = 3;

// What the script is played on. Actions are told by their place among those of the mixer.
struct Player {
  virtual ~Player() = default;
  virtual std::uint32_t clip_count() = 0;
  virtual std::uint32_t layer_count() = 0;
  virtual std::uint32_t action_count() = 0;
  virtual void get(std::uint32_t layer, std::uint32_t clip) = 0;  // the action that commands are about
  virtual void take(std::uint32_t action) = 0;                    // the other
  virtual void play(std::uint32_t layer, std::uint32_t clip, double speed, double fade_in) = 0;
  virtual void cross_fade_to(double seconds, std::uint32_t easing, bool warp) = 0;
  virtual void cross_fade(double seconds, std::uint32_t easing) = 0;
  virtual void fade_in(double seconds, std::uint32_t easing) = 0;
  virtual void fade_out(double seconds, std::uint32_t easing) = 0;
  virtual void stop() = 0;
  virtual void pause() = 0;
  virtual void resume_other() = 0;
  virtual void seek(double seconds) = 0;
  virtual void set_loop(std::uint32_t loop, std::uint32_t repetitions) = 0;
  virtual void set_other(double speed, float weight) = 0;
  virtual void sync() = 0;
  virtual void fade_layer(std::uint32_t layer, float weight, double seconds) = 0;
  virtual void set_time_scale(double scale) = 0;
  virtual void release_other() = 0;
  virtual void play_another(std::uint32_t layer, std::uint32_t clip) = 0;
  virtual void set_mask(bool upper) = 0;
  virtual void update(double dt) = 0;
  virtual std::uint64_t hash() = 0;  // of palettes, morph weights, events, root motion
  virtual std::vector<std::byte> save() = 0;
  virtual void restore(const std::vector<std::byte>& block) = 0;
};

struct Told {
  Hasher hash;
  void matrices(const void* data, std::size_t count) {
    std::vector<float> floats(count * 12);
    if (count > 0) std::memcpy(floats.data(), data, count * 48);
    hash.add(floats);
  }
  void event(std::uint32_t kind, std::uint32_t mark, std::uint64_t count, double offset, float weight) {
    hash.add(std::uint64_t{mark} << 8 | kind);
    hash.add(count);
    hash.add(__builtin_bit_cast(std::uint64_t, offset));
    hash.add({&weight, 1});
  }
};

struct CppPlayer : Player {
  Model model;
  Scene scene;
  Instance hero;
  Mixer* mixer;
  JointMask upper, lower;
  Action action, other;

  CppPlayer()
      : model(load_gltf(test::asset("character.glb")).value().model),
        upper(JointMask::from_branch(model.skeleton(), kUpper, 1)),
        lower(JointMask::from_branch(model.skeleton(), kLower, 0)) {
    InstanceOptions options;
    options.mixer = {kActions, kLayers, kEvents, 64};
    hero = scene.instantiate(model, options);
    mixer = &hero.mixer();
    LayerOptions masked, adding;
    masked.mask = &upper;
    adding.mode = LayerMode::add;
    adding.weight = 0.3f;
    REQUIRE(mixer->add_layer(masked).ok());
    REQUIRE(mixer->add_layer(adding).ok());
    const Mark marks[] = {{0.1, "left"}, {0.6, "right"}};
    REQUIRE(mixer->set_marks(Marks::create(clip_of("walk"), marks).value()));
    REQUIRE(mixer->set_root_motion({}));
    mixer->layer(1).set_mask(&lower);
    mixer->layer(1).set_mask(&upper);
  }
  const Clip& clip_of(const char* name) { return *model.find_clip(name); }

  std::uint32_t clip_count() override { return static_cast<std::uint32_t>(model.clips().size()); }
  std::uint32_t layer_count() override { return mixer->layer_count(); }
  std::uint32_t action_count() override { return mixer->actions().size(); }
  void get(std::uint32_t layer, std::uint32_t clip) override {
    action = mixer->layer(layer).clip_action(model.clips()[clip]).value();
  }
  void take(std::uint32_t index) override {
    for (const Action a : mixer->actions()) {
      if (index-- == 0) other = a;
    }
  }
  void play(std::uint32_t layer, std::uint32_t clip, double speed, double fade_in) override {
    PlayOptions options;
    options.speed = speed;
    options.fade_in = fade_in;
    mixer->layer(layer).play(model.clips()[clip], options);
  }
  void cross_fade_to(double seconds, std::uint32_t easing, bool warp) override {
    mixer->cross_fade_to(action, seconds, {static_cast<Easing>(easing), warp});
  }
  void cross_fade(double seconds, std::uint32_t easing) override {
    mixer->cross_fade(other, action, seconds, {static_cast<Easing>(easing), false});
  }
  void fade_in(double seconds, std::uint32_t easing) override { action.fade_in(seconds, static_cast<Easing>(easing)); }
  void fade_out(double seconds, std::uint32_t easing) override {
    action.fade_out(seconds, static_cast<Easing>(easing));
  }
  void stop() override { action.stop(); }
  void pause() override { action.pause(); }
  void resume_other() override { other.resume(); }
  void seek(double seconds) override { action.seek(seconds); }
  void set_loop(std::uint32_t loop, std::uint32_t repetitions) override {
    action.set_loop(static_cast<Loop>(loop), repetitions);
  }
  void set_other(double speed, float weight) override { other.set_speed(speed).set_weight(weight); }
  void sync() override { action.sync_with(other); }
  void fade_layer(std::uint32_t layer, float weight, double seconds) override {
    mixer->layer(layer).fade_to(weight, seconds);
  }
  void set_time_scale(double scale) override { mixer->set_time_scale(scale); }
  void release_other() override { mixer->release(other); }
  void play_another(std::uint32_t layer, std::uint32_t clip) override {
    mixer->layer(layer).new_action(model.clips()[clip]).value().play();
  }
  void set_mask(bool is_upper) override { mixer->layer(1).set_mask(is_upper ? &upper : &lower); }
  void update(double dt) override { hero.update(dt); }
  std::uint64_t hash() override {
    Told told;
    for (std::uint32_t s = 0; s < model.skins().size(); ++s) {
      told.matrices(hero.palette(s).data(), hero.palette(s).size());
    }
    for (std::uint32_t n = 0; n < model.nodes().size(); ++n) told.hash.add(hero.morph_weights(n));
    for (const Event& e : mixer->events()) {
      told.event(static_cast<std::uint32_t>(e.kind), e.mark, e.count, e.offset_s, e.weight);
      told.hash.add(e.name);
    }
    told.hash.add({&mixer->root_motion().translation.x, 3});
    told.hash.add({&mixer->root_motion().rotation.x, 4});
    told.hash.add(mixer->dropped_events());
    return told.hash.finish();
  }
  std::vector<std::byte> save() override {
    std::vector<std::byte> block(mixer->snapshot_size());
    block.resize(mixer->save(block).value());
    return block;
  }
  void restore(const std::vector<std::byte>& block) override { REQUIRE(mixer->restore(block).ok()); }
};

struct CPlayer : Player {
  marrow_instance_options options = {sizeof options, kActions, 0, kLayers, kEvents, 0, nullptr, nullptr, 0};
  test::Life life{&options};
  std::uint32_t clips = 0, skins = 0, nodes = 0;
  std::vector<float> upper, lower;
  marrow_action action = 0, other = 0;

  CPlayer() {
    marrow_model_info info = {};
    info.struct_size = sizeof info;
    MARROW_REQUIRE_OK(marrow_model_get_info(test::character(), &info));
    clips = info.clip_count;
    skins = info.skin_count;
    nodes = info.node_count;
    upper = branch(kUpper, 1);
    lower = branch(kLower, 0);
    marrow_layer_options masked = MARROW_LAYER_OPTIONS_INIT, adding = MARROW_LAYER_OPTIONS_INIT;
    masked.mask = upper.data();
    masked.mask_count = upper.size();
    adding.mode = MARROW_ADD;
    adding.weight = 0.3f;
    MARROW_REQUIRE_OK(marrow_mixer_add_layer(life.mixer, &masked, nullptr));
    MARROW_REQUIRE_OK(marrow_mixer_add_layer(life.mixer, &adding, nullptr));
    const marrow_mark marks[] = {{0.1, "left"}, {0.6, "right"}};
    MARROW_REQUIRE_OK(marrow_mixer_set_marks(life.mixer, test::clip("walk"), marks, 2));
    MARROW_REQUIRE_OK(marrow_mixer_set_root_motion(life.mixer, nullptr));
    set_mask(false);
    set_mask(true);
  }
  static std::vector<float> branch(std::uint32_t joint, std::uint32_t feather) {
    return test::all<float>([&](float* out, std::uint64_t capacity, std::uint64_t* count) {
      return marrow_model_branch_mask(test::character(), joint, feather, out, capacity, count);
    });
  }
  std::vector<marrow_action> actions() const {
    return test::all<marrow_action>([&](marrow_action* out, std::uint64_t capacity, std::uint64_t* count) {
      return marrow_mixer_actions(life.mixer, out, capacity, count);
    });
  }

  std::uint32_t clip_count() override { return clips; }
  std::uint32_t layer_count() override {
    std::uint32_t count = 0;
    MARROW_REQUIRE_OK(marrow_mixer_layer_count(life.mixer, &count));
    return count;
  }
  std::uint32_t action_count() override { return static_cast<std::uint32_t>(actions().size()); }
  void get(std::uint32_t layer, std::uint32_t clip) override {
    MARROW_REQUIRE_OK(marrow_mixer_clip_action(life.mixer, layer, clip, &action));
  }
  void take(std::uint32_t index) override { other = actions().at(index); }
  void play(std::uint32_t layer, std::uint32_t clip, double speed, double fade_in) override {
    marrow_play_options play = MARROW_PLAY_OPTIONS_INIT;
    play.set = MARROW_PLAY_SPEED;
    play.speed = speed;
    play.fade_in = fade_in;
    MARROW_REQUIRE_OK(marrow_mixer_play(life.mixer, layer, clip, &play, nullptr));
  }
  void cross_fade_to(double seconds, std::uint32_t easing, bool warp) override {
    const marrow_fade_options fade = {sizeof fade, easing, warp ? 1u : 0u, 0};
    MARROW_REQUIRE_OK(marrow_action_cross_fade_to(action, seconds, &fade));
  }
  void cross_fade(double seconds, std::uint32_t easing) override {
    const marrow_fade_options fade = {sizeof fade, easing, 0, 0};
    MARROW_REQUIRE_OK(marrow_action_cross_fade(other, action, seconds, &fade));
  }
  void fade_in(double seconds, std::uint32_t easing) override {
    MARROW_REQUIRE_OK(marrow_action_fade_in(action, seconds, easing));
  }
  void fade_out(double seconds, std::uint32_t easing) override {
    MARROW_REQUIRE_OK(marrow_action_fade_out(action, seconds, easing));
  }
  void stop() override { MARROW_REQUIRE_OK(marrow_action_stop(action)); }
  void pause() override { MARROW_REQUIRE_OK(marrow_action_pause(action)); }
  void resume_other() override { MARROW_REQUIRE_OK(marrow_action_resume(other)); }
  void seek(double seconds) override { MARROW_REQUIRE_OK(marrow_action_seek(action, seconds)); }
  void set_loop(std::uint32_t loop, std::uint32_t repetitions) override {
    MARROW_REQUIRE_OK(marrow_action_set_loop(action, loop, repetitions));
  }
  void set_other(double speed, float weight) override {
    MARROW_REQUIRE_OK(marrow_action_set_speed(other, speed));
    MARROW_REQUIRE_OK(marrow_action_set_weight(other, weight));
  }
  void sync() override {
    const marrow_status status = marrow_action_sync(action, other);
    CHECK((status == MARROW_OK || status == MARROW_ERROR_CYCLE));  // the script asks for circles, too
  }
  void fade_layer(std::uint32_t layer, float weight, double seconds) override {
    MARROW_REQUIRE_OK(marrow_mixer_fade_layer(life.mixer, layer, weight, seconds, MARROW_EASE_LINEAR));
  }
  void set_time_scale(double scale) override { MARROW_REQUIRE_OK(marrow_mixer_set_time_scale(life.mixer, scale)); }
  void release_other() override { MARROW_REQUIRE_OK(marrow_action_release(other)); }
  void play_another(std::uint32_t layer, std::uint32_t clip) override {
    marrow_action another = 0;
    MARROW_REQUIRE_OK(marrow_mixer_new_action(life.mixer, layer, clip, &another));
    MARROW_REQUIRE_OK(marrow_action_play(another));
  }
  void set_mask(bool is_upper) override {
    const std::vector<float>& mask = is_upper ? upper : lower;
    MARROW_REQUIRE_OK(marrow_mixer_set_mask(life.mixer, 1, mask.data(), mask.size()));
  }
  void update(double dt) override { MARROW_REQUIRE_OK(marrow_instance_update(life.hero, dt)); }
  std::uint64_t hash() override {
    Told told;
    for (std::uint32_t s = 0; s < skins; ++s) {
      const std::vector<marrow_affine> matrices = test::palette(life.hero, s);
      told.matrices(matrices.data(), matrices.size());
    }
    for (std::uint32_t n = 0; n < nodes; ++n) {
      told.hash.add(test::all<float>([&](float* out, std::uint64_t capacity, std::uint64_t* count) {
        return marrow_instance_morphs(life.hero, n, out, capacity, count);
      }));
    }
    const auto events = test::all<marrow_event>([&](marrow_event* out, std::uint64_t capacity, std::uint64_t* count) {
      return marrow_mixer_events(life.mixer, out, capacity, count);
    });
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const marrow_event& e = events[i];
      told.event(e.kind, e.mark, e.loops, e.offset, e.weight);
      told.hash.add(test::text([&](char* out, std::uint64_t capacity, std::uint64_t* count) {
        return marrow_mixer_event_name(life.mixer, i, out, capacity, count);
      }));
    }
    marrow_transform motion;
    std::uint64_t dropped = 0;
    MARROW_REQUIRE_OK(marrow_mixer_root_motion(life.mixer, &motion));
    MARROW_REQUIRE_OK(marrow_mixer_dropped_events(life.mixer, &dropped));
    told.hash.add(motion.translation);
    told.hash.add(motion.rotation);
    told.hash.add(dropped);
    return told.hash.finish();
  }
  std::vector<std::byte> save() override { return test::saved(life.mixer); }
  void restore(const std::vector<std::byte>& block) override {
    MARROW_REQUIRE_OK(marrow_mixer_restore(life.mixer, block.data(), block.size()));
  }
};

// The commands of the mixer's own test of rollback (tests/mixer/snapshot_test.cpp).
void rollback_command(Player& player, test::Random& random) {
  const std::uint32_t layer = random.below(player.layer_count()), clip = random.below(player.clip_count());
  const std::uint32_t count = player.action_count();
  if (count >= kActions - 1) {
    player.take(random.below(kActions - 1));
    return player.release_other();
  }
  if (count > 0) player.take(random.below(count));
  player.get(layer, clip);
  if (count == 0) player.take(0);
  const double seconds = random.range(0, 0.5);
  switch (random.below(20)) {
    case 0:
    case 1:
    case 2: return player.play(layer, clip, random.range(-1, 2), seconds);
    case 3:
    case 4:
    case 5: return player.cross_fade_to(seconds, MARROW_EASE_SMOOTH, random.below(2) == 0);
    case 6: return player.cross_fade(seconds, MARROW_EASE_LINEAR);
    case 7: return player.fade_out(seconds, MARROW_EASE_LINEAR);
    case 8: return player.stop();
    case 9: return player.pause();
    case 10: return player.resume_other();
    case 11: return player.seek(random.range(0, 1));
    case 12: {
      const std::uint32_t loop = random.below(3);
      return player.set_loop(loop, random.below(4));
    }
    case 13: {
      const double speed = random.range(-2, 2);
      return player.set_other(speed, random.rangef(0, 2));
    }
    case 14: return player.sync();
    case 15: return player.fade_layer(layer, random.rangef(0, 1), seconds);
    case 16: return player.set_time_scale(random.range(-0.5, 2));
    case 17: return player.release_other();
    case 18: return player.play_another(layer, clip);
    case 19: return player.set_mask(random.below(2) == 0);
  }
}

// And of its test of continuity (tests/mixer/continuity_test.cpp).
void continuity_command(Player& player, test::Random& random) {
  player.get(0, random.below(player.clip_count()));
  player.take(random.below(player.action_count()));
  const double seconds = random.range(0.1, 0.6);
  const std::uint32_t easing = random.below(4);
  switch (random.below(8)) {
    case 0: return player.cross_fade(seconds, easing);
    case 1:
    case 2: return player.cross_fade_to(seconds, easing, false);
    case 3: return player.fade_in(seconds, easing);
    case 4: return player.fade_out(seconds, easing);
    case 5: return player.pause();
    case 6: return player.resume_other();
    case 7: return player.set_other(random.range(-2, 2), 1);
  }
}

// Returns a hash of each frame.
std::vector<std::uint64_t> run(Player& player, void (*command)(Player&, test::Random&), std::uint64_t seed,
                               int frames) {
  test::Random random(seed);
  std::vector<std::uint64_t> hashes;
  for (int frame = 0; frame < frames; ++frame) {
    for (std::uint32_t n = random.below(3); n > 0; --n) command(player, random);
    player.update(random.below(20) == 0 ? random.range(-3, 3) : 1.0 / 60);
    hashes.push_back(player.hash());
  }
  return hashes;
}

TEST_CASE("three hundred rollbacks through C: every frame has the hash that it has through C++, before and after") {
  CppPlayer cpp;
  CPlayer c;
  for (std::uint64_t seed = 1; seed <= test::rounds(std::uint64_t{300}); ++seed) {
    CAPTURE(seed);
    REQUIRE(run(c, rollback_command, seed * 7919, static_cast<int>(seed % 5)) ==
            run(cpp, rollback_command, seed * 7919, static_cast<int>(seed % 5)));
    const std::vector<std::byte> block = c.save();
    REQUIRE(block == cpp.save());
    const std::vector<std::uint64_t> first = run(c, rollback_command, seed, 120);
    REQUIRE(first == run(cpp, rollback_command, seed, 120));
    c.restore(block);
    cpp.restore(block);
    REQUIRE(run(c, rollback_command, seed, 120) == first);
    REQUIRE(run(cpp, rollback_command, seed, 120) == first);
  }
}

TEST_CASE("fades, crossfades, interruptions, pauses and speeds through C have the hashes that they have through C++") {
  CppPlayer cpp;
  CPlayer c;
  for (std::uint64_t seed = 1; seed <= test::rounds(std::uint64_t{1000}); ++seed) {
    CAPTURE(seed);
    const std::vector<std::uint64_t> frames = run(c, continuity_command, seed, 40);
    REQUIRE(frames == run(cpp, continuity_command, seed, 40));
    CHECK(frames.front() != frames.back());
  }
}

}  // namespace
}  // namespace marrow

// What a Mixer is made of. Internal.
//
// The commands on one action or layer are methods here, so that Action, Layer and Mixer are three views of one thing.
// They expect the floating-point state that results are defined in.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "marrow/anim/sampling.h"
#include "marrow/mixer/mixer.h"
#include "marrow/play/event_list.h"
#include "src/mixer/imports.h"

namespace marrow {

enum class PlayState : std::uint8_t { stopped, playing, finished };

// Everything of an action that changes while it plays: plain data, and all of it in a snapshot.
struct ActionState {
  std::uint32_t clip = 0;  // index of the mixer's clips
  std::uint32_t layer = 0;
  PlayState state = PlayState::stopped;
  bool paused = false;
  bool sought = false;        // stopped, at a place to start from
  bool crossing = false;      // its fade was started by a crossfade, and runs
  bool separate = false;      // made by new_action: clip_action does not find it
  bool remnant = false;       // the end of an action that has started again; removed when faded out
  bool held = false;          // the program asked for it, and has not released it
  std::uint64_t stopped = 0;  // when it was last stopped: the greater, the later
  Playhead head;
  double speed = 1;
  float weight = 1;
  Ramp fade{0, 0, 0, 0, Easing::linear};
  Ramp warp;  // factor of the speed
  ActionHandle leader;

  [[nodiscard]] bool active() const { return state != PlayState::stopped; }
  [[nodiscard]] bool moves() const { return state == PlayState::playing && !paused; }
  [[nodiscard]] bool leaving() const { return crossing && fade.to == 0; }  // being faded out by a crossfade
  [[nodiscard]] bool contributes() const { return active() && weight > 0 && exact::value(fade) > 0; }
};

struct LayerState {
  LayerMode mode = LayerMode::replace;
  Fill fill = Fill::fade;
  std::uint32_t mask = 0;  // index of the mixer's masks + 1; 0 for none
  Ramp weight;
  ActionHandle current;
};

struct ClipEntry {
  Clip clip;
  double duration = 0;
  std::uint32_t twin = 0;  // how many of the mixer's earlier clips have the same contents
  std::optional<Marks> marks;
  std::optional<RootCurve> root;
};

struct MaskEntry {
  JointMask mask;
  std::uint64_t hash;
  std::uint64_t last_used;
};

// What was set on an action whose slot was reused.
struct RememberedOptions {
  std::uint32_t clip = 0;  // index of the mixer's clips
  std::uint32_t layer = 0;
  double speed = 1;
  float weight = 1;
  Loop loop = Loop::repeat;
  std::uint32_t repetitions = 0;
};

struct ActionSlot {
  ActionState action;
  Cursor cursor;
};

// What an update does to an action.
struct Step {
  double dt = 0;  // of the mixer's time; less than asked where a fade-out ends before
  Travel way;
};

struct MixerImpl {
  MixerImpl(const Skeleton& skeleton_, const MixerOptions& options);
  void reserve(const MixerOptions& options);
  void resize_actions(std::uint32_t actions);

  // Handles.
  [[nodiscard]] ActionHandle handle_of(std::uint32_t slot) const { return {slot + 1, slots.generation(slot)}; }
  [[nodiscard]] Action make_action(std::uint32_t slot) { return {this, handle_of(slot)}; }
  [[nodiscard]] Action make_null_action() { return {this, {}}; }  // what a failed command returns: it can be commanded
  [[nodiscard]] Layer make_layer(std::uint32_t index) { return {this, index}; }
  [[nodiscard]] std::optional<std::uint32_t> find(ActionHandle handle) const {
    const SlotRef ref = {handle.index - 1, handle.generation};  // of a null handle beyond all slots
    return slots.is_alive(ref) ? std::optional(ref.slot) : std::nullopt;
  }
  [[nodiscard]] static MixerImpl* owner(const Action& action) { return action.mixer_; }

  // Returns the slot of an action that a command was given. None, with an error, if it was released or reused, or is
  // another mixer's.
  [[nodiscard]] std::optional<std::uint32_t> slot_of(const Action& action, const char* parameter);
  [[nodiscard]] double duration(const ActionState& a) const { return clips[a.clip].duration; }

  // Getting and releasing.
  [[nodiscard]] Result<Action> get_action(const Clip& clip, std::uint32_t layer, bool another, bool held);
  [[nodiscard]] bool can_be_reused(std::uint32_t slot) const;
  [[nodiscard]] Error full_error() const;
  [[nodiscard]] std::optional<std::uint32_t> find_slot();  // free, or of an action to be reused; may make free ones
  void clear_slot(std::uint32_t slot);                     // of the action to be reused
  void remember(const ActionState& action);
  void recall(std::uint32_t slot);
  [[nodiscard]] std::uint32_t count_active() const;
  void require_scratch(std::uint32_t actions);
  [[nodiscard]] Action action_or_error(const Clip& clip, std::uint32_t layer);  // null, with last_error set, on failure
  [[nodiscard]] Result<std::uint32_t> get_clip(const Clip& clip);
  void replace_marks(ClipEntry& entry, const Marks& marks);
  void release(std::uint32_t slot);
  void vacate(std::uint32_t slot);
  [[nodiscard]] Result<Layer> add_layer(const LayerOptions& options);
  [[nodiscard]] Result<void> check_layer(float weight, const JointMask* mask) const;
  [[nodiscard]] std::uint32_t get_mask(const JointMask* mask);  // index + 1

  // Commands (commands.cpp).
  void refuse(ErrorCode code, const char* why, const char* parameter) { last_error = Error{code, why, parameter}; }
  void start(std::uint32_t slot);
  void play(std::uint32_t slot);
  void stop(std::uint32_t slot);
  void reset(std::uint32_t slot);
  void seek_to(std::uint32_t slot, double time_s);
  [[nodiscard]] bool needs_remnant(std::uint32_t slot, double seconds) const;
  [[nodiscard]] bool prepare_fade_in(std::uint32_t slot, double seconds);
  void leave_remnant(std::uint32_t slot, double seconds, Easing easing);
  bool fade_in(std::uint32_t slot, double seconds, Easing easing, bool crossing);
  void fade_out(std::uint32_t slot, double seconds, Easing easing, bool crossing);
  void change_loop(std::uint32_t slot, Loop loop, std::uint32_t repetitions);
  void sync(std::uint32_t slot, ActionHandle leader);
  void resume(std::uint32_t slot);
  void join_leader(std::uint32_t slot);
  void place_in_phase(std::uint32_t slot, std::uint32_t leader);
  void place_followers(std::uint32_t leader);
  bool cross_fade(std::optional<std::uint32_t> from, std::uint32_t to, double seconds, const FadeOptions& options);
  void warp(std::uint32_t from, std::uint32_t to, double seconds, bool set_incoming);
  [[nodiscard]] Action play_clip(const Clip& clip, std::uint32_t layer, const PlayOptions& options);
  [[nodiscard]] Action cross_fade_to_clip(const Clip& clip, std::uint32_t layer, double seconds,
                                          const FadeOptions& options);
  [[nodiscard]] Action switch_to_clip(const Clip& clip, std::uint32_t layer, const PlayOptions& options);
  [[nodiscard]] Action prepare(const Clip& clip, std::uint32_t layer, const PlayOptions& options, double seconds);

  // Return whether an argument is valid, and leave an error if it is not.
  [[nodiscard]] bool check_speed(double speed);
  [[nodiscard]] bool check_weight(float weight);
  [[nodiscard]] bool check_duration(double seconds, const char* parameter = "seconds");

  // Returns the action that this one follows at the end of the chain; its own slot if none.
  [[nodiscard]] std::uint32_t root_leader(std::uint32_t slot) const;

  // Updating (advance.cpp, evaluate.cpp).
  bool advance(double dt_s);
  void move_all(double dt);
  void dispatch();
  void evaluate(MixScratch::Data& scratch, Pose& out);

  Skeleton skeleton;
  MixerOptions capacity;
  SlotTable<ActionSlot> slots;
  std::vector<LayerState> layers;
  std::deque<ClipEntry> clips;  // never moved in memory: actions give out their clips
  std::vector<MaskEntry> masks;
  std::span<const Clip> library;  // clips that `restore` may need beside those that were played
  std::vector<RememberedOptions> remembered;
  std::uint64_t stops = 0;  // of actions, to tell which was stopped first
  std::uint64_t uses = 0;   // of masks, to tell which was used last
  double time_scale = 1;

  EventList events;
  std::vector<Marks> named_marks;  // replaced, but their names are in the events
  Mixer::EventHandler handler;
  bool dispatching = false;
  bool handler_replaced = false;  // while dispatching
  Mixer::ScratchHandler scratch_handler;
  std::uint32_t scratch_poses = 4;  // as many as actions contributed at most, and some more
  std::optional<Error> last_error;

  std::optional<RootSetup> root;
  RootMotion root_motion;

  std::vector<Step> steps;  // of each slot

  // What a snapshot says, until all of it is found good.
  std::vector<SlotState> restored_slots;
  std::vector<ActionState> restored_actions;  // of each slot
  std::vector<LayerState> restored_layers;
  std::vector<RememberedOptions> restored_options;
};

}  // namespace marrow

// Mixer: plays clips on one skeleton, fades between them, and writes the pose.
//
//   Mixer mixer(skeleton);
//   mixer.play(idle);
//   ...
//   mixer.cross_fade_to(walk, 0.3);
//   ...
//   mixer.update(dt, scratch, pose);
//   local_to_model(pose, model_from_joint);
//
// A mixer has no pose of its own: the caller gives it one, and scratch memory that many mixers can share. Player
// (player.h) has all three in one; in a scene the instance has them.
//
// A mixer keeps its clips alive. It grows when commands, and event handlers, need more actions, up to
// MixerOptions::max_actions; `advance` and `evaluate` allocate nothing. At the limit, a new action takes the place of
// the one that was stopped longest ago. It never takes the place of one that is held: that plays, fades or holds its
// last frame, that another action follows, or that the program asked for with clip_action or new_action and has not
// released. What was set on the action that goes (speed, weight, loop, repetitions) is remembered for its clip and
// layer: the next action of both gets it back. If all actions are held, the command fails and changes nothing.
//
// One thread at a time may use a mixer; different mixers are independent. Moving a mixer leaves its actions, layers and
// handles valid; a mixer that was moved from may only be assigned to or destroyed. The mixers of players and instances
// belong to them: do not move them, and do not assign to them.
//
// Time is kept in double, as a number of passes through the clip and a remainder, so that it does not drift. Results
// are deterministic to the bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "marrow/anim/pose.h"
#include "marrow/core/result.h"
#include "marrow/mixer/action.h"
#include "marrow/mixer/layer.h"
#include "marrow/play/animator.h"
#include "marrow/play/event.h"
#include "marrow/play/marks.h"
#include "marrow/play/mix_scratch.h"
#include "marrow/play/root_motion.h"

namespace marrow {

// The capacity of a mixer.
struct MixerOptions {
  std::uint32_t actions = 16;     // to allocate at once
  std::uint32_t max_actions = 0;  // up to which it grows; 0: 128, in an instance also the clips of its model and 16
  std::uint32_t layers = 4;       // with the base
  std::uint32_t events = 64;
};

class Mixer {
 public:
  explicit Mixer(const Skeleton& skeleton, const MixerOptions& options = {});
  ~Mixer();
  Mixer(Mixer&&) noexcept;
  Mixer& operator=(Mixer&&) noexcept;

  // Raises the capacity; never lowers it. A `max_actions` of 0 leaves the limit as it is.
  void reserve(const MixerOptions& options);
  [[nodiscard]] MixerOptions capacity() const;

  [[nodiscard]] const Skeleton& skeleton() const;

  // Sets clips that `restore` can bring back though the mixer has not played them; an instance sets those of its model.
  // They must outlive the mixer, or the next call.
  void set_library(std::span<const Clip> clips);

  // Returns the action of a clip, and holds it until it is released. There is one for each clip and layer; clips of the
  // same name are different clips. It is made at the first call, and is stopped then. Fails if the mixer is full
  // (ErrorCode::limit_exceeded), or the clip is for another skeleton (size_mismatch).
  [[nodiscard]] Result<Action> clip_action(const Clip& clip);

  // Returns a further action of a clip, independent of all others, and holds it. Fails as clip_action does.
  [[nodiscard]] Result<Action> new_action(const Clip& clip);

  // Plays the action of a clip: sets what `options` name, then calls Action::play, or fade_in. Adds to what plays: two
  // clips that play are blended by their weights. To play one in place of the others use `switch_to` or
  // `cross_fade_to`. If the options are invalid or clip_action fails, returns a null action and sets last_error().
  Action play(const Clip& clip, const PlayOptions& options = {});

  // Plays the action of a clip in place of all others of the base layer: a crossfade of no length. Fails as `play`
  // does, and if the options have a `fade_in`: that is cross_fade_to.
  Action switch_to(const Clip& clip, const PlayOptions& options = {});

  // Fades `from` out and `to` in, each from its present fade, over `seconds`; 0 switches. `to` is played from its start
  // if it contributes nothing at the moment, otherwise it goes on from where it is. One that is finished starts anew,
  // while the end that it showed fades out in an action of its own; if the mixer is full, the command fails. What an
  // earlier crossfade is fading in the layer of `to`, in or out, leaves together with `from`, so that after `seconds`
  // `to` is alone; what other commands play goes on. Asking again for a crossfade that is under way does not make it
  // slower. An action with itself: nothing.
  void cross_fade(Action from, Action to, double seconds, const FadeOptions& options = {});

  // The same from everything that plays in the layer of `to`. What Action::fade_out has fading keeps to its own time
  // if that is sooner. With a clip, fails as play does.
  Action cross_fade_to(Action to, double seconds, const FadeOptions& options = {});
  Action cross_fade_to(const Clip& to, double seconds, const FadeOptions& options = {});

  // Stops all actions, of all layers.
  void stop_all();

  // Ends the life of an action. What follows it goes on by itself.
  void release(Action action);

  // The actions, by slot: for (Action action : mixer.actions()). All that contributes is among them: also the ends that
  // actions left when they started anew, each until it has faded out.
  class ActionRange;
  [[nodiscard]] ActionRange actions() const;

  // Returns the action of a handle; null if it was released or reused.
  [[nodiscard]] Action action(ActionHandle handle) const;

  // Returns the action of the base layer that was last started or faded in, as long as it plays; else null.
  [[nodiscard]] Action current() const;

  // Layers are blended in order, each on top of those before. The base is there from the start. `add_layer` fails if
  // the mixer is full, and on a weight outside 0 to 1 or a mask for another skeleton.
  [[nodiscard]] Layer base() const;
  [[nodiscard]] Layer layer(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t layer_count() const;
  Result<Layer> add_layer(const LayerOptions& options);

  // How fast the mixer's time goes for all that it does, fades too. An error if not finite.
  void set_time_scale(double scale);
  [[nodiscard]] double time_scale() const;

  // Moves actions and fades by `dt_s`, which may be anything finite, and calls the event handler. Returns false, having
  // changed nothing, if it is not finite, or if called by the handler. Backward, fades that are under way go back to
  // where they started.
  bool advance(double dt_s);

  // `advance` in two steps: moves time, then calls the event handler. With these, mixers can be advanced on any thread
  // while their handlers are called on one.
  bool advance_deferred(double dt_s);
  void dispatch_events();
  [[nodiscard]] bool has_pending_events() const;  // the last advance had events, and there is a handler

  // Writes the pose. A scratch that is smaller than `scratch_size`, which grows with the actions that play at the same
  // time, is made larger first: that allocates.
  void evaluate(MixScratch& scratch, Pose& out) const;
  [[nodiscard]] ScratchSize scratch_size() const;

  // Is called by commands after which `scratch_size` is larger: to make a scratch larger before the next update. Null
  // for none. Players and instances have one.
  using ScratchHandler = std::function<void(const ScratchSize& size)>;
  void on_scratch_growth(ScratchHandler handler);

  // Calls advance, then evaluate. Returns what advance returns; if that is false the pose stays as it is.
  bool update(double dt_s, MixScratch& scratch, Pose& out);

  // What happened in the last advance: ordered by offset, slot, mark (and then looped, finished). Events
  // beyond the capacity are dropped, the latest first, and counted.
  [[nodiscard]] std::span<const Event> events() const;
  [[nodiscard]] std::uint64_t dropped_events() const;

  // Is called at the end of each advance with one event after another; it may do anything with the mixer but advance or
  // destroy it. Null for none. One that is replaced, also by itself, is not called again.
  using EventHandler = std::function<void(const Event& event)>;
  void on_event(EventHandler handler);

  // Gives a clip its marks, for all actions of it; they take the place of those before. Fails if the clip is for
  // another skeleton.
  Result<void> set_marks(const Marks& marks);

  // Takes the motion of a joint out of the pose of every layer that replaces, and sums up that of the base layer,
  // weighted as in the blend. Above the joint the skeleton is taken to be at rest. May allocate, as may getting a new
  // action after it. Fails on a joint out of range, and on an up that is no direction.
  Result<void> set_root_motion(const RootMotionOptions& options);
  void clear_root_motion();

  // How far the root went in the last advance.
  [[nodiscard]] const RootMotion& root_motion() const;

  // Everything that changes while playing, as a block of bytes without pointers: of at most `snapshot_size` bytes,
  // which commands raise that let the mixer grow, or reuse actions. `save` returns how many it wrote; fails if the
  // buffer is too small. `restore` fails on a block that is damaged, or of another version or skeleton, and on one that
  // needs more than `max_actions` or more layers, or clips or masks that this mixer does not have; then nothing has
  // changed. Handles are good again as they were. The pose follows with the next evaluate; events and root motion are
  // those of no update.
  [[nodiscard]] std::size_t snapshot_size() const;
  [[nodiscard]] Result<std::size_t> save(std::span<std::byte> out) const;
  Result<void> restore(std::span<const std::byte> block);

  // The memory that the mixer takes for its capacity and its cursors; clips, masks and marks are shared, and not
  // counted.
  [[nodiscard]] std::size_t memory_bytes() const;

  // The error of the last command that had one, of actions and layers too; null if none had since `clear_error`. Its
  // place is the name of the parameter. An action that was released, or is another mixer's, is such an error. Valid
  // until the next command.
  [[nodiscard]] const Error* last_error() const;
  void clear_error();

 private:
  // Retires the slot of an action when its generation comes to `end`: for the C ABI, whose handles have fewer bits than
  // ActionHandle.
  friend void limit_action_generations(Mixer& mixer, std::uint32_t end);
  std::unique_ptr<MixerImpl> impl_;
};

class Mixer::ActionRange {
 public:
  class Iterator {
   public:
    Action operator*() const;
    Iterator& operator++();
    bool operator!=(const Iterator& other) const { return slot_ != other.slot_; }

   private:
    friend class ActionRange;
    Iterator(MixerImpl* mixer, std::uint32_t slot);
    MixerImpl* mixer_;
    std::uint32_t slot_;
  };
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;
  [[nodiscard]] std::uint32_t size() const;

 private:
  friend class Mixer;
  explicit ActionRange(MixerImpl* mixer) : mixer_(mixer) {}
  MixerImpl* mixer_;
};

// Returns a mixer as an animator. The mixer must outlive it.
[[nodiscard]] Animator mixer_animator(Mixer& mixer);

// Returns the mixer of an animator; null if it is another kind of animator.
[[nodiscard]] Mixer* mixer_of(const Animator& animator);

}  // namespace marrow

// Animator: what writes the pose of an instance: a table of functions, and the object that they are called with.
//
// The mixer is one (mixer_animator in mixer.h). Write another to drive instances by a graph, a network replay or a
// simulation: fill in the table, and hand it to Instance::set_animator.
//
//   constexpr AnimatorFunctions kReplay = {.name = "replay", .advance = ..., .evaluate = ...};
//   instance.set_animator({&kReplay, new Replay(file)});
//
// An instance calls the functions of its animator on one thread at a time, in batches on the threads of the executor.
// It calls `advance` and `evaluate` with round to nearest and with denormals, whatever the thread has set.
// A function that is null does nothing, or returns a default value. `name`, `advance` and `evaluate` are needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "marrow/anim/pose.h"
#include "marrow/core/result.h"
#include "marrow/play/event.h"
#include "marrow/play/mix_scratch.h"
#include "marrow/play/root_motion.h"

namespace marrow {

struct AnimatorFunctions {
  const char* name = "";  // not null. Saved blocks have the name and version, and fit no other animator.
  std::uint32_t version = 1;

  // Moves time by dt_s without calling event handlers. Returns false, having changed nothing, if dt_s is not finite.
  bool (*advance)(void* self, double dt_s) = nullptr;

  // Writes the pose of the present state. Changes no state that `save` writes, so it may be called any number of times.
  // `scratch` has at least the size that `scratch_size` returned.
  void (*evaluate)(void* self, MixScratch& scratch, Pose& out) = nullptr;
  ScratchSize (*scratch_size)(const void* self) = nullptr;

  // The events and the root motion of the last advance.
  std::span<const Event> (*events)(const void* self) = nullptr;
  RootMotion (*root_motion)(const void* self) = nullptr;

  // Whether handlers wait for events of the last advance, and the calls of these handlers.
  bool (*has_pending_events)(const void* self) = nullptr;
  void (*dispatch_events)(void* self) = nullptr;

  // The state as a block of bytes without pointers; without these, instances cannot be saved. `state_size` is the most
  // that `save` writes; `save` returns how many bytes it wrote. A failed `restore` changes nothing.
  std::size_t (*state_size)(const void* self) = nullptr;
  Result<std::size_t> (*save)(const void* self, std::span<std::byte> out) = nullptr;
  Result<void> (*restore)(void* self, std::span<const std::byte> block) = nullptr;

  std::size_t (*memory_bytes)(const void* self) = nullptr;

  // Ends the life of the object; null if its owner does that.
  void (*destroy)(void* self) = nullptr;
};

struct Animator {
  const AnimatorFunctions* functions = nullptr;  // must outlive the instance
  void* self = nullptr;
};

}  // namespace marrow

// A pose stage through C and the same through C++, and what can be seen of their instances.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "ffi/life.h"
#include "marrow/scene/instance.h"

namespace marrow::test {

// What a stage sees of its edit, and what it changes.
struct Seen {
  double dt_s = -1;
  float phase = 0;  // its state
  marrow_affine first, chest;
  marrow_transform head;
  std::array<float, 16> morphs{};
};

struct Sway {
  std::uint32_t chest = 0, head = 0, face = 0;
  float amount = 0;
  std::thread::id thread{};
  marrow_status status = MARROW_OK;

  // All arithmetic of both stages.
  void move(Seen& seen) const {
    seen.phase = seen.phase * 0.9f + static_cast<float>(seen.dt_s) * amount;
    seen.head.rotation[0] += seen.phase + 0.1f * seen.chest.m[3];
    seen.head.translation[1] += 0.01f * seen.first.m[7];
    for (float& weight : seen.morphs) weight = 0.5f * weight + seen.phase;
  }
};

inline std::uint32_t sway_in_c(void* context, marrow_pose_edit* edit) {
  Sway& self = *static_cast<Sway*>(context);
  self.thread = std::this_thread::get_id();
  Seen seen;
  void* state = nullptr;
  std::uint64_t size = 0, count = 0;
  marrow_affine all[kJoints];
  self.status |= marrow_pose_edit_dt(edit, &seen.dt_s);
  self.status |= marrow_pose_edit_state(edit, &state, &size);
  if (size != 20 || reinterpret_cast<std::uintptr_t>(state) % 16 != 0) self.status |= MARROW_ERROR_INTERNAL;
  auto* const phase = static_cast<float*>(state) + 4;
  seen.phase = *phase;
  self.status |= marrow_pose_edit_joint_matrices(edit, all, kJoints, nullptr);
  seen.first = all[0];
  self.status |= marrow_pose_edit_joint_matrix(edit, self.chest, &seen.chest);
  self.status |= marrow_pose_edit_local(edit, self.head, &seen.head);
  self.status |= marrow_pose_edit_morphs(edit, self.face, seen.morphs.data(), seen.morphs.size(), &count);
  self.move(seen);
  self.status |= marrow_pose_edit_set_local(edit, self.head, &seen.head);
  self.status |= marrow_pose_edit_set_morphs(edit, self.face, seen.morphs.data(), count);
  if (seen.dt_s != 0) *phase = seen.phase;
  return MARROW_STAGE_CHANGED;
}

template <typename To, typename From>
To bits_of(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void*>(&to), &from, sizeof to);
  return to;
}

inline StageResult sway_in_cpp(void* data, PoseEdit& edit) {
  Sway& self = *static_cast<Sway*>(data);
  Seen seen;
  auto* const phase = reinterpret_cast<float*>(edit.state().data()) + 4;
  seen.dt_s = edit.dt_s();
  seen.phase = *phase;
  seen.first = bits_of<marrow_affine>(edit.model_from_joints()[0]);
  seen.chest = bits_of<marrow_affine>(edit.model_from_joint(self.chest));
  seen.head = bits_of<marrow_transform>(edit.local(self.head));
  const std::span<const float> morphs = edit.pose().morph_weights(self.face);
  std::copy(morphs.begin(), morphs.end(), seen.morphs.begin());
  self.move(seen);
  edit.set_local(self.head, bits_of<Transform>(seen.head));
  std::copy_n(seen.morphs.begin(), morphs.size(), edit.edit_pose().morph_weights(self.face).begin());
  if (seen.dt_s != 0) *phase = seen.phase;
  return StageResult::changed;
}

inline constexpr std::size_t kSwayBytes = 20;

inline Sway sway(std::size_t i) {
  return {joint_of("chest"), joint_of("head"), face_joint(), 0.5f + static_cast<float>(i)};
}

inline std::uint32_t add_sway(marrow_instance instance, Sway& self) {
  const marrow_pose_stage stage = {sizeof stage, 3, kSwayBytes, "sway", sway_in_c, &self};
  std::uint32_t number = 0;
  MARROW_REQUIRE_OK(marrow_instance_add_stage(instance, &stage, &number));
  return number;
}

// The palette and the morph weights of an instance.
inline std::vector<float> results(marrow_instance instance) {
  std::vector<float> out;
  for (const marrow_affine& each : palette(instance)) out.insert(out.end(), each.m, each.m + 12);
  marrow_model_info info = {};
  info.struct_size = sizeof info;
  MARROW_REQUIRE_OK(marrow_model_get_info(character(), &info));
  for (std::uint32_t n = 0; n < info.node_count; ++n) {
    const auto weights = all<float>([&](float* to, std::uint64_t capacity, std::uint64_t* count) {
      return marrow_instance_morphs(instance, n, to, capacity, count);
    });
    out.insert(out.end(), weights.begin(), weights.end());
  }
  return out;
}

inline std::vector<float> results(const Instance& instance) {
  std::vector<float> out;
  for (const Affine& each : instance.palette(0)) out.insert(out.end(), &each.m[0][0], &each.m[0][0] + 12);
  for (std::uint32_t n = 0; n < instance.model().nodes().size(); ++n) {
    const std::span<const float> weights = instance.morph_weights(n);
    out.insert(out.end(), weights.begin(), weights.end());
  }
  return out;
}

inline bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

}  // namespace marrow::test

// Stages and an animator for tests.
#pragma once

#include <cmath>
#include <cstring>
#include <string>

#include "marrow/math/affine.h"
#include "marrow/math/quat.h"
#include "marrow/scene/scene.h"

namespace marrow::test {

// Turns a joint so that its x axis points at a target in model space.
struct LookAt {
  std::uint32_t joint = 0;
  Vec3 target;

  static StageResult run(void* data, PoseEdit& edit) {
    const auto& self = *static_cast<const LookAt*>(data);
    const Affine now = edit.model_from_joint(self.joint);
    const Vec3 at = translation_of(now);
    const Vec3 axis = {now.m[0][0], now.m[1][0], now.m[2][0]};
    const Vec3 to = {self.target.x - at.x, self.target.y - at.y, self.target.z - at.z};
    // In the parent's space: parent^-1 * turn * now.
    const Quat turn = rotation_between(axis, to);
    const std::int32_t above = edit.skeleton().parent(self.joint);
    const Quat parent =
        above == kNoParent ? Quat{} : to_transform(edit.model_from_joint(static_cast<std::uint32_t>(above))).rotation;
    Transform local = edit.local(self.joint);
    local.rotation = multiply(conjugate(parent), multiply(turn, multiply(parent, local.rotation)));
    edit.set_local(self.joint, local);
    return StageResult::changed;
  }
  [[nodiscard]] PoseStage stage() { return {"look at", 1, 0, run, this}; }
};

// A joint that lags behind its pose: a spring whose place is in the stage's state.
struct Spring {
  std::uint32_t joint = 0;
  int runs = 0;

  static StageResult run(void* data, PoseEdit& edit) {
    auto& self = *static_cast<Spring*>(data);
    ++self.runs;
    float x = 0;
    std::memcpy(&x, edit.state().data(), sizeof x);
    Transform local = edit.local(self.joint);
    const auto share = static_cast<float>(edit.dt_s() / (edit.dt_s() + 0.1));
    x += (local.rotation.x - x) * share;
    if (edit.dt_s() != 0) std::memcpy(edit.state().data(), &x, sizeof x);
    local.translation.x += x;
    edit.set_local(self.joint, local);
    return StageResult::changed;
  }
  [[nodiscard]] PoseStage stage() { return {"spring", 1, sizeof(float), run, this}; }
};

// An animator that swings one joint. All its state is a time.
class Pendulum {
 public:
  explicit Pendulum(std::uint32_t joint) : joint_(joint) {}
  static constexpr int kAlive = 0;

  static bool advance(void* self, double dt_s) {
    if (!(dt_s - dt_s == 0)) return false;
    static_cast<Pendulum*>(self)->time_ += dt_s;
    return true;
  }
  static void evaluate(void* self, MixScratch&, Pose& out) {
    const auto& p = *static_cast<const Pendulum*>(self);
    out.set_rest();
    Transform local = out.transform(p.joint_);
    const double turns = p.time_ - std::floor(p.time_);
    local.rotation = from_axis_angle({1, 0, 0}, static_cast<float>(turns));
    out.set_transform(p.joint_, local);
  }
  static std::size_t state_size(const void*) { return sizeof(double); }
  static Result<std::size_t> save(const void* self, std::span<std::byte> out) {
    if (out.size() < sizeof(double)) return Error{ErrorCode::size_mismatch, "too small", {}};
    std::memcpy(out.data(), &static_cast<const Pendulum*>(self)->time_, sizeof(double));
    return sizeof(double);
  }
  static Result<void> restore(void* self, std::span<const std::byte> block) {
    if (block.size() != sizeof(double)) return Error{ErrorCode::size_mismatch, "not a pendulum", {}};
    std::memcpy(&static_cast<Pendulum*>(self)->time_, block.data(), sizeof(double));
    return {};
  }
  static void destroy(void* self) {
    ++destroyed;
    delete static_cast<Pendulum*>(self);
  }
  static inline int destroyed = 0;

  static inline const AnimatorFunctions kFunctions = [] {
    AnimatorFunctions f;
    f.name = "pendulum";
    f.advance = advance;
    f.evaluate = evaluate;
    f.state_size = state_size;
    f.save = save;
    f.restore = restore;
    f.destroy = destroy;
    return f;
  }();
  [[nodiscard]] static Animator create(std::uint32_t joint) { return {&kFunctions, new Pendulum(joint)}; }

 private:
  std::uint32_t joint_;
  double time_ = 0;
};

}  // namespace marrow::test

// What the readers of model files share: files, what they may spend, axes, and models that need no check. Internal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "marrow/core/result.h"
#include "marrow/core/shared_bytes.h"
#include "marrow/math/types.h"
#include "marrow/model/model.h"

namespace marrow {

// ---- Files -----------------------------------------------------------------------------------------------------

// Returns the contents of a file, mapped where the system can. Errors have no place.
[[nodiscard]] Result<SharedBytes> read_file(const std::string& path);

// The error of a file that cannot be read: its name in quotes, and why.
[[nodiscard]] Error unreadable(const std::string& path, const std::string& why);

// Returns the name of a model whose file says none: the file's, without folder and extension, as UTF-8.
[[nodiscard]] std::string model_name(const std::string& path);

// ---- Memory ----------------------------------------------------------------------------------------------------

// What any file is allowed; without a limit of the caller's there is more for each byte of it.
inline constexpr std::uint64_t kLeastAllowance = std::uint64_t{64} << 20;

// Counts down the bytes that may be spent on what a file is made into.
class Allowance {
 public:
  // The limit of the caller's, or, if that is 0, `otherwise`.
  explicit Allowance(std::uint64_t limit, std::uint64_t otherwise = 0)
      : left_(limit != 0 ? limit : otherwise), limited_(limit != 0) {}

  [[nodiscard]] std::uint64_t left() const { return left_; }
  void add(std::uint64_t bytes) { left_ += bytes; }

  // Takes from what is left. Returns why not if that is not enough.
  [[nodiscard]] std::optional<std::string> spend(std::uint64_t bytes) {
    if (bytes <= left_ && bytes <= static_cast<std::uint64_t>(PTRDIFF_MAX)) {
      left_ -= bytes;
      return std::nullopt;
    }
    return "would take " + std::to_string(bytes) + " bytes, but only " + std::to_string(left_) + " are left of what " +
           (limited_ ? "memory_limit allows" : "a file of this size is allowed");
  }

 private:
  std::uint64_t left_;
  bool limited_;
};

// ---- Axes ------------------------------------------------------------------------------------------------------
//
// From y up to z up (x, y, z) becomes (x, -z, y): a turn by 90 degrees about x. Everything is given in turned axes, so
// each local transform is turned as a whole: C * M * C^-1. A sum with 0 keeps -0 out.

// From `from` to `to`; without `from`, from y up, as glTF has it.
inline Vec3 turned(Vec3 v, Up to, Up from = Up::y) {
  if (from == to) return v;
  return to == Up::z ? Vec3{v.x, 0.0f - v.z, v.y} : Vec3{v.x, v.z, 0.0f - v.y};
}
inline Vec4 turned(Vec4 v, Up to, Up from = Up::y) {
  const Vec3 t = turned(Vec3{v.x, v.y, v.z}, to, from);
  return {t.x, t.y, t.z, v.w};
}
inline Quat turned(Quat q, Up to, Up from = Up::y) {
  const Vec3 t = turned(Vec3{q.x, q.y, q.z}, to, from);
  return {t.x, t.y, t.z, q.w};
}
inline Vec3 turned_scale(Vec3 v, Up to, Up from = Up::y) { return from == to ? v : Vec3{v.x, v.z, v.y}; }
inline Transform turned(const Transform& t, Up to, Up from = Up::y) {
  return {turned(t.translation, to, from), turned(t.rotation, to, from), turned_scale(t.scale, to, from)};
}

inline Affine turned(const Affine& a, Up to, Up from = Up::y) {
  if (from == to) return a;
  constexpr int kFrom[4] = {0, 2, 1, 3};
  const int negated = to == Up::z ? 1 : 2;
  Affine out;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 4; ++c) {
      const float value = a.m[kFrom[r]][kFrom[c]];
      out.m[r][c] = (r == negated) != (c == negated) ? 0.0f - value : value;
    }
  }
  return out;
}

// ---- Models ----------------------------------------------------------------------------------------------------

// Model::create for parts that were found good before; fails on nodes that contain themselves alone.
[[nodiscard]] Result<Model> restore_model(ModelParts parts);

}  // namespace marrow

// The bits of the scalar maths. They are the same on every compiler, processor and level of optimisation, so these
// numbers may change only where the arithmetic is changed on purpose.
#include <doctest/doctest.h>

#include <span>

#include "fixtures/random.h"
#include "marrow/core/hash.h"
#include "marrow/math/affine.h"
#include "marrow/math/functions.h"
#include "marrow/math/quat.h"

namespace marrow {
namespace {

constexpr int kGoldenRounds = 20'000;

// Arguments that are exact, so that they are the same everywhere too: multiples of 2^-23 of `size`, a power of two.
class Arguments {
 public:
  explicit Arguments(std::uint64_t seed) : random_(seed) {}
  float number(float size) {
    return static_cast<float>(static_cast<std::int32_t>(random_.below(1u << 24)) - (1 << 23)) * 0x1p-23f * size;
  }
  Vec3 vector(float size) { return {number(size), number(size), number(size)}; }
  Quat quat() { return normalize({number(1), number(1), number(1), number(1)}); }
  Affine affine() {
    Affine a;
    for (auto& row : a.m) {
      for (float& x : row) x = number(2);
    }
    return a;
  }
  float finite() { return random_.finite(); }

 private:
  test::Random random_;
};

class Digest {
 public:
  void add(float x) { hasher_.add(std::span<const float>(&x, 1)); }
  void add(Vec3 v) { hasher_.add(std::span<const float>(&v.x, 3)); }
  void add(Quat q) { hasher_.add(std::span<const float>(&q.x, 4)); }
  void add(const Affine& a) {
    for (const auto& row : a.m) hasher_.add(std::span<const float>(row));
  }
  std::uint64_t value() const { return hasher_.finish(); }

 private:
  Hasher hasher_;
};

TEST_CASE("the functions have the bits that they have everywhere") {
  Arguments arguments(1);
  Digest digest;
  for (int i = 0; i < kGoldenRounds; ++i) {
    const float any = arguments.finite(), other = arguments.finite(), angle = arguments.number(16);
    const float magnitude = any < 0 ? -any : any;
    digest.add(det::sqrt(magnitude));
    digest.add(det::sin(any));
    digest.add(det::cos(any));
    digest.add(det::sin(angle));
    digest.add(det::cos(angle));
    digest.add(det::acos(arguments.number(1)));
    digest.add(det::atan2(any, other));
    digest.add(det::atan2(angle, arguments.number(16)));
  }
  CHECK(digest.value() == 0x344aa3e8f6aa610eu);
}

TEST_CASE("rotations have the bits that they have everywhere") {
  Arguments arguments(2);
  Digest digest;
  for (int i = 0; i < kGoldenRounds; ++i) {
    const Quat a = arguments.quat(), b = arguments.quat();
    const Vec3 v = arguments.vector(4), w = arguments.vector(0x1p-100f);
    const EulerOrder order = static_cast<EulerOrder>(i % 6);
    const AxisAngle axis_angle = to_axis_angle(a);
    for (Quat q : {a, from_axis_angle(v, v.x), from_axis_angle(w, v.y), from_euler(v, order), look_rotation(v, w),
                   look_rotation(v, w, b.x < 0 ? v : w, v), rotation_between(v, w), multiply(a, b),
                   from_rotation_vector(v), from_rotation_vector(w), conjugate(a)}) {
      digest.add(q);
    }
    for (Vec3 u : {axis_angle.axis, to_euler(a, order), rotate(a, v), rotate(a, w), rotation_vector(a)}) digest.add(u);
    for (float x : {axis_angle.angle, dot(a, b), angle_between(a, b)}) digest.add(x);
  }
  CHECK(digest.value() == 0xb3702353c169a6a1u);
}

TEST_CASE("maps have the bits that they have everywhere") {
  Arguments arguments(3);
  Digest digest;
  for (int i = 0; i < kGoldenRounds; ++i) {
    const Affine a = arguments.affine(), b = arguments.affine();
    const Transform t = {arguments.vector(2), arguments.quat(), arguments.vector(2)}, apart = to_transform(a);
    for (const Affine& m : {multiply(a, b), inverse(a), to_affine(t)}) digest.add(m);
    for (Vec3 v : {transform_point(a, t.scale), transform_vector(a, t.scale), apart.translation, apart.scale}) {
      digest.add(v);
    }
    digest.add(apart.rotation);
    digest.add(determinant(a));
  }
  CHECK(digest.value() == 0xb6a7b8e60f694cd3u);
}

}  // namespace
}  // namespace marrow

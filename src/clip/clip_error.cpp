#include "marrow/clip/clip_error.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "marrow/anim/clip_keys.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "src/clip/imports.h"
#include "src/clip/skin_error.h"

namespace marrow {
namespace {

constexpr std::size_t kMaxLooks = 50'000'000;  // joints times checks: some ten seconds

ClipError compare(const Skeleton& skeleton, const Clip& a, const Clip& b, const ErrorOptions& options) {
  ClipError worst;
  const ClipKeys keys_a = clip_keys(skeleton, a), keys_b = clip_keys(skeleton, b);
  const ClipKeys* const both[] = {&keys_a, &keys_b};
  const std::size_t most = kMaxLooks / std::max<std::size_t>(skeleton.joint_count(), 1) + 1000;
  Pose pose_a(skeleton), pose_b(skeleton);
  Cursor cursor_a(a), cursor_b(b);
  std::vector<Affine> model_a(skeleton.joint_count()), model_b(skeleton.joint_count());
  for (const double time : check_times(both, options.checks_per_second, most)) {
    sample(a, time, cursor_a, pose_a);
    sample(b, time, cursor_b, pose_b);
    local_to_model(pose_a, model_a);
    local_to_model(pose_b, model_b);
    for (std::uint32_t joint = 0; joint < skeleton.joint_count(); ++joint) {
      const auto error =
          static_cast<double>(skin_error(to_skin_target(model_a[joint], options.distance), model_b[joint]));
      if (!(error <= worst.distance)) {  // what is not a number is the worst
        worst.distance = error == error ? error : std::numeric_limits<double>::infinity();
        worst.joint = joint;
        worst.time_s = time;
      }
    }
    for (std::size_t i = 0; i < pose_a.morphs().size(); ++i) {
      const double off = static_cast<double>(pose_a.morphs()[i]) - static_cast<double>(pose_b.morphs()[i]);
      const double error = off < 0 ? -off : off;
      if (!(error <= worst.morph)) worst.morph = error;
    }
  }
  return worst;
}

}  // namespace

ClipError measure_error(const Skeleton& skeleton, const Clip& a, const Clip& b, const ErrorOptions& options) {
  MARROW_ASSERT(options.distance >= 0 && options.distance <= 1e18,
                "the distance of the skin is negative or not finite");
  MARROW_ASSERT(options.checks_per_second > 0 && options.checks_per_second <= 1e6,
                "the number of checks a second is not between 0 and a million");
  return exactly([&] { return compare(skeleton, a, b, options); });
}

}  // namespace marrow

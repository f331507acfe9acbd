#include "marrow/clip/loop_seam.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/affine.h"
#include "marrow/math/vec3.h"
#include "src/clip/imports.h"
#include "src/clip/skin_error.h"

namespace marrow {
namespace {

constexpr double kStep = 1.0 / 30;         // between the poses that speeds are taken from
constexpr std::uint32_t kMaxFrames = 300;  // of the grid
constexpr double kAsGood = 2e-3;           // metres that make no difference

constexpr double kNoSeam = 1e30;  // the cost of a pair that is none

// A pose in model space with what it takes to start or end a loop there.
struct Frame {
  double time;
  std::vector<SkinTarget> pose;            // without the travel of the root
  std::vector<SkinTarget> starting;        // what moves in a step, at the speed that the clip has from here on
  std::vector<Affine> pose_plain, ending;  // the same poses; and at the speed it had up to here
};

class Seams {
 public:
  Seams(const Skeleton& skeleton, const Clip& clip, const SeamOptions& options, Vec3 up)
      : skeleton_(skeleton), clip_(clip), options_(options), up_(up), pose_(skeleton) {}

  [[nodiscard]] Frame frame(double time) {
    const std::uint32_t joints = skeleton_.joint_count();
    std::array<std::vector<Affine>, 7> model;  // from three steps before to three steps after
    for (std::size_t i = 0; i < model.size(); ++i) {
      model[i].resize(joints);
      sample(clip_, time + (static_cast<double>(i) - 3) * kStep, pose_);
      local_to_model(pose_, model[i]);
    }
    Frame frame;
    frame.time = time;
    const Vec3 travel = travel_of(model[3]);
    for (std::uint32_t j = 0; j < joints; ++j) {
      // Speeds from one side alone, to third order: a loop knows nothing of what was before it or comes after.
      Affine ahead, behind, still = model[3][j];
      for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 4; ++k) {
          const auto from_here = [&](std::size_t at) { return model[at][j].m[i][k] - still.m[i][k]; };
          ahead.m[i][k] = (3 * from_here(4) - 1.5f * from_here(5)) + from_here(6) / 3;
          behind.m[i][k] = -((3 * from_here(2) - 1.5f * from_here(1)) + from_here(0) / 3);
        }
      }
      still.m[0][3] -= travel.x;
      still.m[1][3] -= travel.y;
      still.m[2][3] -= travel.z;
      frame.pose.push_back(to_skin_target(still, options_.distance));
      frame.pose_plain.push_back(still);
      SkinTarget start = frame.pose.back();
      start.matrix = ahead;
      frame.starting.push_back(start);
      frame.ending.push_back(behind);
    }
    return frame;
  }

  // Measures the seam from the end `b` to the start `a`.
  [[nodiscard]] static LoopSeam measure(const Frame& a, const Frame& b) {
    float jump = 0, kink = 0;
    for (std::size_t j = 0; j < a.pose.size(); ++j) {
      jump = skin_error(a.pose[j], b.pose_plain[j], jump);
      kink = skin_error(a.starting[j], b.ending[j], kink);
    }
    return {a.time, b.time, static_cast<double>(jump), static_cast<double>(kink)};
  }

 private:
  // Where the root is, but for its height.
  [[nodiscard]] Vec3 travel_of(const std::vector<Affine>& model) const {
    if (!options_.root) return {};
    const Affine& root = model[*options_.root];
    const Vec3 at = translation_of(root);
    return at - dot(at, up_) * up_;
  }

  const Skeleton& skeleton_;
  const Clip& clip_;
  const SeamOptions& options_;
  Vec3 up_;
  Pose pose_;
};

// Returns the kink of what only goes on as the clip does: speeds from before and from after a time differ where the
// motion bends. Three of four frames have less.
double natural_kink(const std::vector<Frame>& frames, double step) {
  const auto margin = static_cast<std::size_t>(3 * kStep / step + 0.999);  // where one of the two lacks the poses
  std::vector<double> kinks;
  for (std::size_t i = margin; i + margin < frames.size(); ++i) {
    kinks.push_back(Seams::measure(frames[i], frames[i]).kink);
  }
  if (kinks.empty()) return 0;
  const auto quarter = kinks.begin() + static_cast<std::ptrdiff_t>(kinks.size() * 3 / 4);
  std::nth_element(kinks.begin(), quarter, kinks.end());
  return *quarter;
}

// The part to look in and the lengths to look for.
struct Range {
  double from, to, shortest, longest;

  // Lengths are compared with some slack, so that a loop of the least length is found on a grid of rounded times.
  [[nodiscard]] double slack() const { return 1e-9 * (1 + (from < 0 ? -from : from) + to - from); }
  [[nodiscard]] bool fits(double a, double b) const {
    return a >= from - slack() && b <= to + slack() && b - a >= shortest - slack() && b - a <= longest + slack();
  }
};

Result<void> check_options(const Skeleton& skeleton, const Clip& clip, const SeamOptions& options, const Range& range) {
  const auto [from, to, shortest, longest] = range;
  const auto limit = static_cast<double>(kMaxKeyTime);
  if (!(from >= -limit && from <= limit)) {
    return invalid_argument(clip, "the start of the part is not a time within 1e9 seconds", "from_s");
  }
  if (!(to >= from && to <= limit)) {
    return invalid_argument(clip, "the end of the part is not a time within 1e9 seconds, or before its start", "to_s");
  }
  if (!(shortest > 0 && shortest <= to - from)) {
    return invalid_argument(clip, "a loop of the least length, which must be above 0, does not fit into the part",
                            "min_length_s");
  }
  if (!(longest >= shortest)) return invalid_argument(clip, "the greatest length is below the least", "max_length_s");
  if (!(options.distance >= 0 && options.distance <= static_cast<double>(kMaxMagnitude))) {
    return invalid_argument(clip, "the distance of the skin is negative or not finite", "distance");
  }
  if (options.root && *options.root >= skeleton.joint_count()) {
    return invalid_argument(clip, "the root is a joint that the skeleton does not have", "root");
  }
  const double size = length(widen(options.up));
  if (!(size > 0) || !is_finite(size)) return invalid_argument(clip, "the direction up is zero or not finite", "up");
  return {};
}

// Moves the ends of a seam by half a step, then a quarter and so on, to where it costs less.
template <typename Cost>
LoopSeam refined(Seams& seams, const Range& range, const Cost& cost, LoopSeam best, double step) {
  double move = step;
  for (int halving = 0; halving < 6; ++halving) {
    move /= 2;
    const LoopSeam center = best;
    for (int i = -1; i <= 1; ++i) {
      for (int k = -1; k <= 1; ++k) {
        const double a = center.from_s + i * move, b = center.to_s + k * move;
        if ((i == 0 && k == 0) || !range.fits(a, b)) continue;
        const LoopSeam seam = Seams::measure(seams.frame(a), seams.frame(b));
        if (cost(seam) < cost(best)) best = seam;
      }
    }
  }
  return best;
}

Result<LoopSeam> find(const Skeleton& skeleton, const Clip& clip, const SeamOptions& options) {
  const double to = options.to_s.value_or(clip.duration());
  const Range range{options.from_s, to, options.min_length_s, options.max_length_s.value_or(to - options.from_s)};
  if (Result<void> checked = check_options(skeleton, clip, options, range); !checked) return checked.error();
  const Vec3 up = narrow(divided(widen(options.up), length(widen(options.up))));
  Seams seams(skeleton, clip, options, up);
  const double wanted = std::max(0.0, (range.to - range.from) / kStep - 1e-4);  // 30 frames a second come out as 30
  const std::uint32_t intervals = wanted < kMaxFrames ? 1 + static_cast<std::uint32_t>(wanted) : kMaxFrames;
  const double step = (range.to - range.from) / intervals;
  std::vector<Frame> frames;
  const auto time_of = [&](std::uint32_t i) { return i == intervals ? range.to : range.from + step * i; };
  for (std::uint32_t i = 0; i <= intervals; ++i) frames.push_back(seams.frame(time_of(i)));

  const double natural = natural_kink(frames, step);
  const auto cost = [&](const LoopSeam& seam) { return seam.jump + std::max(0.0, seam.kink - natural); };

  std::vector<LoopSeam> seams_of(frames.size() * frames.size(), LoopSeam{0, 0, kNoSeam, 0});
  const auto seam_at = [&](std::uint32_t i, std::uint32_t k) -> LoopSeam& { return seams_of[i * frames.size() + k]; };
  double least = kNoSeam;
  for (std::uint32_t i = 0; i <= intervals; ++i) {
    for (std::uint32_t k = i + 1; k <= intervals; ++k) {
      if (!range.fits(time_of(i), time_of(k))) continue;
      LoopSeam& seam = seam_at(i, k);
      seam = Seams::measure(frames[i], frames[k]);
      if (cost(seam) < least) least = cost(seam);
    }
  }
  if (const LoopSeam& whole = seam_at(0, intervals); least < kNoSeam && cost(whole) <= least + kAsGood) return whole;
  // Of those that no pair of frames beside them beats, and that are as good as the best, the longest.
  const auto is_beaten = [&](std::uint32_t i, std::uint32_t k) {
    for (std::uint32_t a = i == 0 ? 0 : i - 1; a <= std::min(i + 1, intervals); ++a) {
      for (std::uint32_t b = k - 1; b <= std::min(k + 1, intervals); ++b) {
        if (cost(seam_at(a, b)) < cost(seam_at(i, k))) return true;
      }
    }
    return false;
  };
  LoopSeam best{range.from, range.from, 0, 0};
  for (std::uint32_t i = 0; i <= intervals; ++i) {
    for (std::uint32_t k = i + 1; k <= intervals; ++k) {
      const LoopSeam& seam = seam_at(i, k);
      if (!(cost(seam) < kNoSeam && cost(seam) <= least + kAsGood) || is_beaten(i, k)) continue;
      if (seam.to_s - seam.from_s > best.to_s - best.from_s + range.slack()) best = seam;
    }
  }
  if (!(best.to_s > best.from_s)) {  // no two frames are as far apart as they should be
    best = Seams::measure(seams.frame(range.from), seams.frame(range.from + range.shortest));
  }
  if (!(cost(best) < kNoSeam)) {
    return Error{ErrorCode::not_finite,
                 "clip \"" + std::string(clip.name()) + "\" has poses that are too large to be compared", "clip"};
  }
  return refined(seams, range, cost, best, step);
}

}  // namespace

Result<LoopSeam> find_loop_seam(const Skeleton& skeleton, const Clip& clip, const SeamOptions& options) {
  return exactly([&] { return find(skeleton, clip, options); });
}

}  // namespace marrow

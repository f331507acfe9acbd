// Greedy: of all keys whose loss leaves the clip within the tolerance, the one that costs least is removed, until none
// is left. What a key costs is measured, not estimated: the whole branch below its joint, in model space, as far as the
// tracks between its neighbours change, with everything removed so far. So the tolerance holds at all checked times by
// construction.
#include "marrow/clip/key_reduction.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <queue>
#include <string>
#include <vector>

#include "marrow/anim/clip_keys.h"
#include "src/clip/imports.h"
#include "src/clip/skin_error.h"

namespace marrow {
namespace {

constexpr std::size_t kMaxPlaces = 4'000'000;  // joints times checks, of 152 bytes each

// How closely to look.
struct Care {
  double checks_per_second;  // beside the times of all keys
  double part;               // of the tolerances that is used
};

// Tried in turn until the clip that comes out keeps within the tolerances where it is looked at more closely still.
// What moves so fast that it leaves them between two checks needs more of them. A ten-thousandth is for the rounding of
// what samples the clip.
constexpr Care kCare[] = {{60, 0.9999}, {240, 0.9999}, {960, 0.9999}, {960, 0.5}};

constexpr float kTooMuch = std::numeric_limits<float>::max();
constexpr std::uint32_t kNone = ~0u;

// A track in the middle of losing keys: those that are left are linked in both directions.
struct Reducing {
  TrackKeys* keys;
  std::vector<std::uint32_t> before, after;  // of each key that is left; kNone at the ends
  std::vector<std::uint32_t> changes;        // how often what is known of a key became old
  std::uint32_t left;
};

// A key to be removed, with what that cost when it was last measured.
struct Candidate {
  float cost;
  std::uint32_t track, key, changes;
  std::uint32_t checks;  // how many it affects

  // Costs that hardly differ count as equal, so that the shorter of two spans goes first: spans then grow everywhere
  // alike, and no long one is measured again and again.
  [[nodiscard]] bool worse_than(const Candidate& other) const {
    if (cost != other.cost) return cost > other.cost;
    if (checks != other.checks) return checks > other.checks;
    return track != other.track ? track > other.track : key > other.key;
  }
};
struct Worse {
  bool operator()(const Candidate& a, const Candidate& b) const { return a.worse_than(b); }
};

class Reduction {
 public:
  Reduction(const Skeleton& skeleton, ClipKeys& clip, const ReductionOptions& options, const Care& care,
            std::vector<double> checks, double& reported)
      : skeleton_(skeleton),
        options_(options),
        tolerance_(static_cast<float>(options.tolerance * care.part)),
        morph_tolerance_(static_cast<float>(options.morph_tolerance * care.part)),
        joints_(skeleton.joint_count()),
        checks_(std::move(checks)),
        reported_(reported) {
    for (TrackKeys& keys : clip.tracks) {
      const auto count = static_cast<std::uint32_t>(keys.times.size());
      Reducing track{&keys, {}, {}, std::vector<std::uint32_t>(count, 0), count};
      for (std::uint32_t k = 0; k < count; ++k) {
        track.before.push_back(k == 0 ? kNone : k - 1);
        track.after.push_back(k + 1 == count ? kNone : k + 1);
      }
      tracks_.push_back(std::move(track));
      total_ += count;
    }
    scratch_.resize(joints_);
    pose_clip();
  }

  void run() {
    std::priority_queue<Candidate, std::vector<Candidate>, Worse> queue;
    const auto consider = [&](std::uint32_t track, std::uint32_t key) {
      const Candidate candidate = measure(track, key);
      if (candidate.cost != kTooMuch) queue.push(candidate);
    };
    std::uint64_t looked_at = 0;
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      for (std::uint32_t k = 0; k < tracks_[t].keys->times.size(); ++k, ++looked_at) {
        consider(t, k);
        report(0.5 * static_cast<double>(looked_at) / static_cast<double>(total_));
      }
    }
    const double most = static_cast<double>(std::max<std::size_t>(queue.size(), 1));
    while (!queue.empty()) {
      const Candidate known = queue.top();
      queue.pop();
      Reducing& track = tracks_[known.track];
      if (known.changes != track.changes[known.key]) continue;
      // Other tracks may have changed since.
      const Candidate now = measure(known.track, known.key);
      if (now.cost == kTooMuch) continue;
      if (!queue.empty() && now.worse_than(queue.top())) {
        queue.push(now);
        continue;
      }
      const std::uint32_t before = track.before[known.key], after = track.after[known.key];
      remove(known.track, known.key);
      for (const std::uint32_t neighbour : {before, after}) {
        if (neighbour == kNone) continue;
        ++track.changes[neighbour];
        consider(known.track, neighbour);
      }
      report(1 - 0.5 * static_cast<double>(queue.size()) / most);
    }
    for (Reducing& track : tracks_) keep_left(track);
  }

 private:
  // One joint at one check.
  struct CheckedJoint {
    SkinTarget target;  // where the clip has it
    Transform local;    // of what is left of the clip
    Affine model;
  };

  CheckedJoint& checked(std::size_t check, std::uint32_t joint) { return checked_[joint * checks_.size() + check]; }

  // Writes a value of a track to a joint's transform.
  static void set(const TrackKeys& track, const float* v, Transform& t) {
    switch (track.property) {
      case Property::translation: t.translation = {v[0], v[1], v[2]}; break;
      case Property::rotation: t.rotation = {v[0], v[1], v[2], v[3]}; break;
      case Property::scale: t.scale = {v[0], v[1], v[2]}; break;
      case Property::morph: break;
    }
  }

  void pose_clip() {
    checked_.resize(checks_.size() * joints_);
    float value[4];
    for (std::size_t c = 0; c < checks_.size(); ++c) {
      for (std::uint32_t j = 0; j < joints_; ++j) checked(c, j).local = skeleton_.rest(j);
      for (const Reducing& track : tracks_) {
        if (track.keys->property == Property::morph) continue;
        value_at(*track.keys, checks_[c], value);
        set(*track.keys, value, checked(c, track.keys->joint).local);
      }
      for (std::uint32_t j = 0; j < joints_; ++j) {
        CheckedJoint& p = checked(c, j);
        const std::int32_t parent = skeleton_.parent(j);
        const Affine local = composed(p.local);
        p.model = parent == kNoParent ? local : product(checked(c, static_cast<std::uint32_t>(parent)).model, local);
        p.target = to_skin_target(p.model, options_.distance);
      }
    }
  }

  // The checks whose poses change when a key goes: those between its neighbours.
  struct Span {
    std::size_t first, last;  // one past the end
    std::uint32_t before, after;
  };
  [[nodiscard]] Span span_of(const Reducing& track, std::uint32_t key) const {
    const std::uint32_t before = track.before[key], after = track.after[key];
    const auto index = [&](auto it) { return static_cast<std::size_t>(it - checks_.begin()); };
    const auto time = [&](std::uint32_t k) { return static_cast<double>(track.keys->times[k]); };
    const std::size_t first =
        before == kNone ? 0 : index(std::upper_bound(checks_.begin(), checks_.end(), time(before)));
    // With a key after it at its own time the check there is taken in, so that there is one.
    const bool alone = after == kNone || time(after) > time(key);
    const std::size_t last = after == kNone ? checks_.size()
                             : alone        ? index(std::lower_bound(checks_.begin(), checks_.end(), time(after)))
                                            : index(std::upper_bound(checks_.begin(), checks_.end(), time(after)));
    // A key at the time of the one before it may be what holds at that very time.
    const bool at_before = before != kNone && time(before) == time(key);
    return {at_before && first > 0 ? first - 1 : first, last, before, after};
  }

  // The value of a track at a check in the span of a key, without the key.
  void value_without(const Reducing& track, const Span& span, std::size_t check, float* value) const {
    const std::uint32_t a = span.before != kNone ? span.before : span.after;
    const std::uint32_t b = span.after != kNone ? span.after : span.before;
    value_between(*track.keys, a, b, checks_[check], value);
  }

  // Computes the joint of the track and the branch below it at a check, without the key, to `scratch_local_` and
  // `scratch_`. Returns the largest error, but at least `worst`; stops as soon as it is too much.
  float pose_without(const Reducing& track, const Span& span, std::size_t check, float worst) {
    const std::uint32_t joint = track.keys->joint;
    float value[4];
    value_without(track, span, check, value);
    scratch_local_ = checked(check, joint).local;
    set(*track.keys, value, scratch_local_);
    const std::int32_t parent = skeleton_.parent(joint);
    const Affine own = composed(scratch_local_);
    scratch_[joint] =
        parent == kNoParent ? own : product(checked(check, static_cast<std::uint32_t>(parent)).model, own);
    worst = skin_error(checked(check, joint).target, scratch_[joint], worst);
    for (const std::uint32_t below : skeleton_.subtree(joint)) {
      if (below == joint) continue;
      if (!(worst <= tolerance_)) return kTooMuch;  // nor is it what is not a number
      const CheckedJoint& p = checked(check, below);
      scratch_[below] = product(scratch_[static_cast<std::uint32_t>(skeleton_.parent(below))], composed(p.local));
      worst = skin_error(p.target, scratch_[below], worst);
    }
    return worst <= tolerance_ ? worst : kTooMuch;
  }

  float morph_error(const Reducing& track, const Span& span, std::size_t check, float worst) {
    const std::size_t size = value_size(*track.keys);
    weights_.resize(2 * size);
    value_without(track, span, check, weights_.data());
    value_at(*track.keys, checks_[check], weights_.data() + size);
    for (std::size_t i = 0; i < size; ++i) {
      const float off = weights_[i] - weights_[size + i];
      worst = std::max(worst, off < 0 ? -off : off);
    }
    return worst <= morph_tolerance_ ? worst : kTooMuch;
  }

  Candidate measure(std::uint32_t index, std::uint32_t key) {
    const Reducing& track = tracks_[index];
    Candidate candidate{0, index, key, track.changes[key], 0};
    const Span span = span_of(track, key);
    candidate.checks = static_cast<std::uint32_t>(span.last - span.first);
    const auto time = static_cast<double>(track.keys->times[key]);
    const auto at_key =
        static_cast<std::size_t>(std::lower_bound(checks_.begin(), checks_.end(), time) - checks_.begin());
    // The last key of a track stays, and so does one whose own time is not looked at.
    if (track.left == 1 || at_key == checks_.size() || checks_[at_key] != time) {
      candidate.cost = kTooMuch;
      return candidate;
    }
    const bool morph = track.keys->property == Property::morph;
    const float tolerance = morph ? morph_tolerance_ : tolerance_;
    // Costs count in steps of a 64th of the tolerance; what is less need not be known.
    float worst = tolerance / 65;
    const auto look_at = [&](std::size_t check) {
      worst = morph ? morph_error(track, span, check, worst) : pose_without(track, span, check, worst);
      return worst != kTooMuch;
    };
    // From the key outwards: what is too much is so near the key.
    const std::size_t middle = std::clamp(at_key, span.first, span.last - 1);
    bool good = true;
    for (std::size_t c = middle; good && c < span.last; ++c) good = look_at(c);
    for (std::size_t c = middle; good && c-- > span.first;) good = look_at(c);
    candidate.cost =
        worst == kTooMuch || tolerance == 0 ? worst : static_cast<float>(static_cast<int>(worst / tolerance * 64));
    return candidate;
  }

  void remove(std::uint32_t index, std::uint32_t key) {
    Reducing& track = tracks_[index];
    const Span span = span_of(track, key);
    for (std::size_t c = span.first; track.keys->property != Property::morph && c < span.last; ++c) {
      pose_without(track, span, c, 0);
      checked(c, track.keys->joint).local = scratch_local_;
      for (const std::uint32_t joint : skeleton_.subtree(track.keys->joint)) checked(c, joint).model = scratch_[joint];
    }
    if (span.before != kNone) track.after[span.before] = span.after;
    if (span.after != kNone) track.before[span.after] = span.before;
    track.before[key] = track.after[key] = key;  // out of the list
    ++track.changes[key];
    --track.left;
  }

  static void keep_left(Reducing& track) {
    TrackKeys left{track.keys->joint, track.keys->property, track.keys->interpolation, {}, {}};
    for (std::uint32_t k = 0; k < track.keys->times.size(); ++k) {
      if (track.before[k] != k) append_key(*track.keys, k, track.keys->times[k], left);
    }
    *track.keys = std::move(left);
  }

  void report(double done) {
    if (options_.progress == nullptr || done < reported_ + 0.01) return;
    reported_ = done;
    options_.progress(std::min(done, 1.0), options_.user);
  }

  const Skeleton& skeleton_;
  const ReductionOptions& options_;
  float tolerance_, morph_tolerance_;
  std::uint32_t joints_;
  std::vector<double> checks_;
  std::vector<Reducing> tracks_;
  std::vector<CheckedJoint> checked_;
  Transform scratch_local_;
  std::vector<Affine> scratch_;
  std::vector<float> weights_;
  std::uint64_t total_ = 0;
  double& reported_;  // the largest part of the work that was told
};

std::uint64_t count_keys(const ClipKeys& keys) {
  std::uint64_t count = 0;
  for (const TrackKeys& track : keys.tracks) count += track.times.size();
  return count;
}

Result<ReducedClip> reduce(const Skeleton& skeleton, const Clip& clip, const ReductionOptions& options) {
  const auto usable = [](double x) { return x >= 0 && x <= 1e18; };
  const std::pair<double, const char*> numbers[] = {
      {options.tolerance, "tolerance"}, {options.distance, "distance"}, {options.morph_tolerance, "morph_tolerance"}};
  for (const auto& [number, name] : numbers) {
    if (usable(number)) continue;
    return Error{ErrorCode::invalid_argument, std::string("the ") + name + " is negative or not finite", name};
  }
  ReducedClip result;
  const ClipKeys all = clip_keys(skeleton, clip);
  for (const TrackInfo& track : clip.tracks()) result.keys_before += track.key_count;
  double reported = 0;
  for (const Care& care : kCare) {
    ClipKeys keys = all;
    const ClipKeys* const one[] = {&all};
    const std::size_t joints = std::max<std::size_t>(skeleton.joint_count(), 1);
    std::vector<double> checks = check_times(one, care.checks_per_second, kMaxPlaces / joints);
    if (checks.size() > 4 * kMaxPlaces / joints) {
      return Error{ErrorCode::limit_exceeded,
                   "clip \"" + all.name + "\" has too many jumps for so many joints to be reduced in memory", "clip"};
    }
    Reduction(skeleton, keys, options, care, std::move(checks), reported).run();
    Result<Clip> made = create_clip(skeleton, keys);
    if (!made) return made.error();
    result.clip = *made;
    result.keys_after = count_keys(keys);
    ErrorOptions measure;
    measure.distance = options.distance;
    measure.checks_per_second = 4 * care.checks_per_second;
    result.error = measure_error(skeleton, clip, result.clip, measure);
    if (result.error.distance <= options.tolerance && result.error.morph <= options.morph_tolerance) break;
    // With none of it removed the clip is as good as can be.
    result = {clip, result.keys_before, result.keys_before, {}};
  }
  if (options.progress != nullptr) options.progress(1, options.user);
  return result;
}

}  // namespace

Result<ReducedClip> reduce_keys(const Skeleton& skeleton, const Clip& clip, const ReductionOptions& options) {
  return exactly([&] { return reduce(skeleton, clip, options); });
}

}  // namespace marrow

#include "loops.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/math/affine.h"

namespace marrow::tool {
namespace {

constexpr double kFrame = 1.0 / 30;  // the longest step that a loop may leave out at its end
constexpr double kLeastJump = 0.05;  // of the model's size
constexpr double kStepsAllowed = 3;  // times the largest step of a frame within the clip
constexpr std::size_t kMostFrames = 3000;

constexpr std::string_view kLoops[] = {"idle",    "walk",   "walking",   "run",      "running",  "jog",
                                       "jogging", "sprint", "trot",      "swim",     "flying",   "fly",
                                       "gallop",  "hover",  "sprinting", "swimming", "breathing"};
constexpr std::string_view kManners[] = {"forward", "forwards", "backward", "backwards", "back",    "left",
                                         "right",   "fast",     "slow",     "normal",    "neutral", "in",
                                         "place",   "inplace",  "basic",    "relaxed",   "sword",   "gun",
                                         "male",    "female",   "a",        "b",         "c",       "d"};
constexpr std::string_view kEnds[] = {"start", "stop", "end", "begin", "enter", "exit", "to", "from"};

template <std::size_t N>
bool is_in(std::string_view word, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// "Armature|RunFast_2" has the words run and fast.
std::vector<std::string> words_of(std::string_view name) {
  name = name.substr(name.rfind('|') + 1);
  std::vector<std::string> words;
  bool fresh = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (!is_lower(c) && !is_upper(c)) {
      fresh = true;
      continue;
    }
    if (fresh || (is_upper(c) && is_lower(name[i - 1]))) words.emplace_back();
    words.back().push_back(is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c);
    fresh = false;
  }
  return words;
}

}  // namespace

bool is_named_like_a_loop(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  const auto is_end = [](const std::string& word) { return is_in(word, kEnds); };
  if (std::any_of(words.begin(), words.end(), is_end)) return false;
  bool loops = false, knows_all = true;
  for (const std::string& word : words) {
    if (word == "loop" || word == "cycle") return true;
    loops = loops || is_in(word, kLoops);
    knows_all = knows_all && (is_in(word, kLoops) || is_in(word, kManners));
  }
  return loops && knows_all;
}

bool is_named_like_a_pose(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.ends_with("pose") || word == "reset" || word == "static" || word == "rest" || word == "bind";
  });
}

std::optional<Seam> measure_seam(const Subject& subject, const Clip& clip, SeamBudget& budget) {
  const Skeleton& skeleton = subject.model.skeleton();
  const std::size_t count = skeleton.joint_count();
  const auto spend = [&](std::uint64_t poses) {
    const std::uint64_t cost = poses * (count + skeleton.morph_size());
    const bool lasts = budget.left >= cost;
    budget.left = lasts ? budget.left - cost : 0;
    return lasts;
  };
  if (!spend(2)) return std::nullopt;
  // The joint that carries the rest along: the first whose place changes.
  std::uint32_t carrier = 0;
  bool carried = false;
  for (const TrackInfo& track : clip.tracks()) {
    if (track.property != Property::translation || track.constant || (carried && track.joint >= carrier)) continue;
    carrier = track.joint;
    carried = true;
  }
  std::vector<bool> goes_along(count, false);
  if (carried) {
    for (const std::uint32_t joint : skeleton.subtree(carrier)) goes_along[joint] = true;
  }
  Pose pose(skeleton);
  Cursor cursor(clip);
  std::vector<Affine> first(count), before(count), now(count);
  // How far a joint is from where it was, over the carrier's way along the ground.
  const auto distance = [&](const std::vector<Affine>& from, const std::vector<Affine>& to, std::size_t joint) {
    const Vec3 a = translation_of(from[joint]), b = translation_of(to[joint]);
    double way[3] = {static_cast<double>(b.x) - static_cast<double>(a.x),
                     static_cast<double>(b.y) - static_cast<double>(a.y),
                     static_cast<double>(b.z) - static_cast<double>(a.z)};
    if (goes_along[joint]) {
      const Vec3 c = translation_of(from[carrier]), d = translation_of(to[carrier]);
      const int up = subject.model.up() == Up::z ? 2 : 1;
      const double travelled[3] = {static_cast<double>(d.x) - static_cast<double>(c.x),
                                   static_cast<double>(d.y) - static_cast<double>(c.y),
                                   static_cast<double>(d.z) - static_cast<double>(c.z)};
      for (int i = 0; i < 3; ++i) way[i] -= i == up ? 0 : travelled[i];
    }
    return std::hypot(way[0], way[1], way[2]);
  };
  const auto pose_at = [&](double time, std::vector<Affine>& out) {
    sample(clip, time, cursor, pose);
    local_to_model(pose, out);
  };
  const auto frames =
      static_cast<std::size_t>(std::clamp(clip.duration() / kFrame, 1.0, static_cast<double>(kMostFrames)));
  pose_at(0, first);
  pose_at(clip.duration(), now);
  Seam seam;
  for (std::uint32_t j = 0; j < count; ++j) {
    const double off = distance(first, now, j);
    if (off > seam.distance) seam.distance = off, seam.joint = j;
  }
  if (!(seam.distance > kLeastJump * subject.size)) return seam;
  // It jumps unless some frame goes as far.
  before = first;
  for (std::size_t f = 1; f <= frames; ++f) {
    if (!spend(1)) return std::nullopt;
    pose_at(clip.duration() * static_cast<double>(f) / static_cast<double>(frames), now);
    for (std::size_t j = 0; j < count; ++j) {
      if (kStepsAllowed * distance(before, now, j) >= seam.distance) return seam;
    }
    before.swap(now);
  }
  seam.jumps = true;
  return seam;
}

}  // namespace marrow::tool

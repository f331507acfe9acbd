#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "marrow/math/affine.h"
#include "src/export/bone_frames.h"
#include "src/export/frame_error.h"
#include "src/export/imports.h"

namespace marrow {
namespace {

constexpr std::size_t kMaxMatrices = std::size_t{1} << 26;
constexpr int kMostHalvings = 6;
constexpr double kMargin = 1.05;  // what looking at eight times between two may miss

// Rounds up to two digits. In decimal, so that it is what is written.
double rounded_up(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", x);
  const double rounded = std::strtod(text, nullptr);
  if (rounded >= x) return rounded;
  const int digits = (text[0] - '0') * 10 + (text[2] - '0') + 1;
  const long exponent = std::strtol(text + 4, nullptr, 10) - 1;
  std::snprintf(text, sizeof text, "%de%ld", digits, exponent);
  return std::strtod(text, nullptr);
}

bool differs(const Affine& a, const Affine& b) { return !std::equal(&a.m[0][0], &a.m[0][0] + 12, &b.m[0][0]); }

class Exporter {
 public:
  Exporter(const Model& model, const BoneList& list, const BonePoints& points, const Clip& clip,
           const AnimationExportOptions& options)
      : list_(list),
        clip_(clip),
        options_(options),
        keys_(bone_keys(model, list, clip)),
        points_(points),
        frames_(model, list, clip) {}

  Result<ExportedAnimation> run() {
    out_.name = clip_.name();
    out_.duration = static_cast<float>(clip_.duration());
    out_.trs = options_.trs;
    out_.bones = list_.bones;
    out_.skeleton_id = skeleton_id(list_.bones);
    out_.interpolation = keys_.interpolation;
    if (options_.fps && !(clip_.duration() * *options_.fps < static_cast<double>(kMaxMatrices))) return too_many();
    out_.times = options_.fps ? even_times(clip_.duration(), *options_.fps) : frame_times(keys_);
    for (int halving = 0;; ++halving) {
      if (out_.times.size() > kMaxMatrices / out_.bones.size()) return too_many();
      if (Result<void> filled = fill(); !filled) return filled.error();
      const FrameErrors errors = frame_errors(out_, points_, frames_, keys_);
      const double worst = errors.between.empty() ? 0 : *std::max_element(errors.between.begin(), errors.between.end());
      out_.error = rounded_up(worst * kMargin + errors.rounding);
      if (options_.fps || halving == kMostHalvings || !halve(errors)) break;
    }
    out_.relative_error = rounded_up(out_.error / points_.size);
    tell_rate();
    list_animated();
    add_notes();
    return std::move(out_);
  }

 private:
  Error too_many() const {
    return {ErrorCode::limit_exceeded,
            "clip \"" + std::string(clip_.name()) +
                "\" would have more than 2^26 matrices: export fewer frames a second (--fps), or a part of the clip",
            "fps"};
  }

  Result<void> fill() {
    const std::size_t bones = out_.bones.size(), size = keyframe_size(out_);
    out_.keyframes.resize(out_.times.size() * bones * size);
    std::vector<Transform> transforms(out_.trs ? bones : 0);
    std::vector<Affine> matrices(out_.trs ? 0 : bones);
    for (std::size_t f = 0; f < out_.times.size(); ++f) {
      const auto time = static_cast<double>(out_.times[f]);
      float* to = out_.keyframes.data() + f * bones * size;
      if (out_.trs) {
        frames_.at(time, transforms);
        for (const Transform& t : transforms) {
          const float numbers[] = {t.translation.x, t.translation.y, t.translation.z, t.rotation.x, t.rotation.y,
                                   t.rotation.z,    t.rotation.w,    t.scale.x,       t.scale.y,    t.scale.z};
          to = std::copy(std::begin(numbers), std::end(numbers), to);
        }
      } else {
        frames_.at(time, matrices);
        for (const Affine& m : matrices) to = std::copy_n(&m.m[0][0], 12, to);
      }
    }
    if (std::all_of(out_.keyframes.begin(), out_.keyframes.end(), [](float x) { return std::isfinite(x); })) return {};
    return Error{ErrorCode::not_finite, "clip \"" + std::string(clip_.name()) + "\" has transforms beyond all numbers",
                 "keyframes"};
  }

  // Puts a frame into the middle of each two that the clip departs from in between. Returns whether there were any.
  bool halve(const FrameErrors& errors) {
    const double limit = std::max(options_.tolerance * points_.size, errors.rounding);  // that frames do not mend
    std::vector<float> more;
    for (std::size_t f = 0; f < errors.between.size(); ++f) {
      more.push_back(out_.times[f]);
      if (!(errors.between[f] > limit)) continue;
      const float middle = 0.5f * (out_.times[f] + out_.times[f + 1]);
      if (middle > out_.times[f] && middle < out_.times[f + 1]) more.push_back(middle);
    }
    more.push_back(out_.times.back());
    if (more.size() == out_.times.size()) return false;
    out_.times = std::move(more);
    return true;
  }

  void tell_rate() {
    const std::size_t frames = out_.times.size();
    if (frames < 2) return;
    const double step = static_cast<double>(out_.times.back()) / static_cast<double>(frames - 1);
    for (std::size_t f = 0; f < frames; ++f) {
      const double even = step * static_cast<double>(f);
      if (std::fabs(static_cast<double>(out_.times[f]) - even) > 1e-3 * step) return;
    }
    // What rounding made of 30 is 30, as long as nobody who counts frames by it ends up at another.
    const double rate = 1 / step, whole = std::round(rate);
    out_.fps = static_cast<float>(std::fabs(rate - whole) * clip_.duration() < 1e-3 ? whole : rate);
  }

  void list_animated() {
    const std::size_t bones = out_.bones.size();
    std::vector<Affine> local(bones);
    std::vector<bool> moves(bones, false);
    for (std::size_t f = 0; f < out_.times.size(); ++f) {
      if (out_.trs) {
        frames_.at(static_cast<double>(out_.times[f]), local);
      } else {
        const float* const frame = out_.keyframes.data() + f * bones * 12;
        for (std::size_t b = 0; b < bones; ++b) std::copy_n(frame + 12 * b, 12, &local[b].m[0][0]);
      }
      for (std::size_t b = 0; b < bones; ++b) moves[b] = moves[b] || differs(local[b], out_.bones[b].rest);
    }
    for (std::uint32_t b = 0; b < bones; ++b) {
      if (moves[b]) out_.animated.push_back(b);
    }
  }

  // Whether a scale changes its sign from one frame to the next.
  bool mirrors() {
    std::vector<Transform> before(out_.bones.size()), now(out_.bones.size());
    const auto changes = [](float a, float b) { return (a < 0 && b > 0) || (a > 0 && b < 0); };
    for (std::size_t f = 0; f < out_.times.size(); ++f) {
      frames_.at(static_cast<double>(out_.times[f]), now);
      for (std::size_t b = 0; f > 0 && b < now.size(); ++b) {
        const Vec3 &from = before[b].scale, &to = now[b].scale;
        if (out_.interpolation[b] == ExportedInterpolation::step) continue;
        if (changes(from.x, to.x) || changes(from.y, to.y) || changes(from.z, to.z)) return true;
      }
      std::swap(before, now);
    }
    return false;
  }

  void add_notes() {
    if (!out_.trs && mirrors())
      out_.notes.emplace_back(
          "A scale goes through zero, which matrices do not tell from a turn: --trs writes it as it is");
    if (keys_.morphs) out_.notes.emplace_back("Morph weights are left out");
    if (keys_.other_joints)
      out_.notes.emplace_back("The clip moves nodes that are no bones: these tracks are left out");
    if (options_.fps && !keys_.steps.empty())
      out_.notes.emplace_back(
          "The clip jumps between frames; the error counts what comes late or is spread over a frame");
  }

  const BoneList& list_;
  const Clip& clip_;
  const AnimationExportOptions& options_;
  BoneKeys keys_;
  const BonePoints& points_;
  BoneFrames frames_;
  ExportedAnimation out_;
};

}  // namespace

struct AnimationExporter::Impl {
  Model model;
  AnimationExportOptions options;
  BoneList list;
  BonePoints points;
};

AnimationExporter::AnimationExporter(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
AnimationExporter::AnimationExporter(AnimationExporter&&) noexcept = default;
AnimationExporter& AnimationExporter::operator=(AnimationExporter&&) noexcept = default;
AnimationExporter::~AnimationExporter() = default;

Result<AnimationExporter> AnimationExporter::create(const Model& model, const AnimationExportOptions& options) {
  if (options.fps && !(*options.fps > 0 && std::isfinite(*options.fps)))
    return Error{ErrorCode::invalid_argument, "the rate of frames is not above zero", "fps"};
  AnimationExportOptions all = options;
  all.bones.rigid = true;
  Result<BoneList> list = list_bones(model, all.bones);
  if (!list) return list.error();
  if (list->bones.empty()) {
    return Error{ErrorCode::invalid_argument,
                 "the model has no bones: it has no skin, and no clip moves a node that shows something", "skins"};
  }
  BonePoints points = exactly([&] { return bone_points(model, *list, all.bones); });
  return AnimationExporter(std::make_unique<const Impl>(Impl{model, all, std::move(*list), std::move(points)}));
}

Result<ExportedAnimation> AnimationExporter::export_clip(std::uint32_t clip) const {
  const Model& model = impl_->model;
  if (clip >= model.clips().size()) {
    return Error{ErrorCode::invalid_argument,
                 "there is no clip " + std::to_string(clip) + "; the model has " + std::to_string(model.clips().size()),
                 "clips"};
  }
  return exactly(
      [&] { return Exporter(model, impl_->list, impl_->points, model.clips()[clip], impl_->options).run(); });
}

Result<ExportedAnimation> export_animation(const Model& model, std::uint32_t clip,
                                           const AnimationExportOptions& options) {
  const Result<AnimationExporter> exporter = AnimationExporter::create(model, options);
  if (!exporter) return exporter.error();
  return exporter->export_clip(clip);
}

}  // namespace marrow

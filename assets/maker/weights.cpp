#include "maker/weights.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "maker/body.h"
#include "maker/rig.h"

namespace marrow::character {
namespace {

using Weights = std::vector<double>;  // for every joint of the rig

// 0 below -width, 1 above width, smooth between.
double ramp(double x, double width) {
  const double t = std::clamp(x / width * 0.5 + 0.5, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

// Joints one after the other along a limb. Each takes over from the one before it, of what that one has, where the
// point has come so far along the direction from the place, over twice the width.
struct ChainStep {
  std::uint32_t joint;
  Point place, direction;
  double offset, width;
};

void add_chain(Weights& weights, double share, std::uint32_t first, const std::vector<ChainStep>& steps, Point p) {
  std::uint32_t joint = first;
  double here = share;
  for (const ChainStep& step : steps) {
    const double further = here * ramp(dot(p - step.place, step.direction) - step.offset, step.width);
    weights[joint] += here - further;
    joint = step.joint;
    here = further;
  }
  weights[joint] += here;
}

class Weighing {
 public:
  Weighing() {
    for (std::size_t s = 0; s < 2; ++s) {
      arms_[s] = arm_steps(s);
      legs_[s] = leg_steps(s);
      for (std::size_t f = 0; f < kFingers; ++f) fingers_[s][f] = finger_steps(s, f);
    }
    spine_ = {{r_.spine_1, r_.place(r_.spine_1), {0, 1, 0}, 0, 0.055},
              {r_.spine_2, r_.place(r_.spine_2), {0, 1, 0}, 0, 0.060},
              {r_.chest, r_.place(r_.chest), {0, 1, 0}, -0.010, 0.060},
              {r_.neck, r_.place(r_.neck), normalized({0, 1, 0.35}), -0.002, 0.032},
              {r_.head, r_.place(r_.head), normalized({0, 1, 0.45}), -0.004, 0.028}};
  }

  // Each part that is near has a say, the nearest the most.
  [[nodiscard]] Weights at(Point p) const {
    Weights weights(r_.joints.size(), 0.0);
    const BodyParts parts = body_parts(p);
    std::array<double, 4> distances{parts.torso, 0, 0, std::min(parts.legs[0], parts.legs[1])};
    for (std::size_t s = 0; s < 2; ++s) {
      distances[1 + s] = std::min(
          {parts.arms[s], parts.palms[s], *std::min_element(parts.fingers[s].begin(), parts.fingers[s].end())});
    }
    const auto shares = shares_of(distances, 0.040);
    add_torso(weights, shares[0], p);
    for (std::size_t s = 0; s < 2; ++s) {
      if (shares[1 + s] > 0) add_arm(weights, shares[1 + s], s, p, parts);
      // Thighs are near each other, but neither has a part in the other.
      const double leg = shares[3] * ramp(s == 0 ? p.x : -p.x, 0.012);
      if (leg > 0) add_chain(weights, leg, r_.hips, legs_[s], p);
    }
    return weights;
  }

 private:
  template <std::size_t N>
  static std::array<double, N> shares_of(const std::array<double, N>& distances, double width) {
    const double least = *std::min_element(distances.begin(), distances.end());
    std::array<double, N> shares{};
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const double t = std::max(0.0, 1 - (distances[i] - least) / width);
      shares[i] = t * t;
      sum += shares[i];
    }
    for (double& share : shares) share /= sum;
    return shares;
  }

  // The clavicles have a part in the chest around the shoulders.
  void add_torso(Weights& weights, double share, Point p) const {
    const double before = weights[r_.chest];
    add_chain(weights, share, r_.hips, spine_, p);
    const double chest = weights[r_.chest] - before;
    const double moved = chest * ramp(std::fabs(p.x) - 0.105, 0.065) * ramp(p.y - 1.375, 0.075);
    weights[r_.chest] -= moved;
    weights[r_.sides[p.x > 0 ? 0 : 1].clavicle] += moved;
  }

  void add_arm(Weights& weights, double share, std::size_t s, Point p, const BodyParts& parts) const {
    std::array<double, 1 + kFingers> distances{};
    distances[0] = std::min(parts.arms[s], parts.palms[s]);
    std::copy(parts.fingers[s].begin(), parts.fingers[s].end(), distances.begin() + 1);
    const auto shares = shares_of(distances, 0.006);
    add_chain(weights, share * shares[0], r_.sides[s].clavicle, arms_[s], p);
    for (std::size_t f = 0; f < kFingers; ++f) {
      if (shares[1 + f] > 0) add_chain(weights, share * shares[1 + f], r_.sides[s].hand, fingers_[s][f], p);
    }
  }

  [[nodiscard]] std::vector<ChainStep> arm_steps(std::size_t s) const {
    const RigSide& side = r_.sides[s];
    const Point shoulder = r_.place(side.upper_arm), elbow = r_.place(side.lower_arm), wrist = r_.place(side.hand);
    const Point upper = normalized(elbow - shoulder), lower = normalized(wrist - elbow);
    const double reach = length(wrist - elbow);
    return {{side.shoulder, shoulder, upper, -0.026, 0.034},
            {side.upper_arm, shoulder, upper, 0.036, 0.034},
            {side.elbow, elbow, upper, -0.024, 0.022},
            {side.lower_arm, elbow, lower, 0.024, 0.022},
            {side.twist, elbow, lower, reach * 0.52, reach * 0.30},
            {side.hand, wrist, lower, -0.006, 0.022}};
  }

  [[nodiscard]] std::vector<ChainStep> finger_steps(std::size_t s, std::size_t finger) const {
    const auto& joints = r_.sides[s].fingers[finger];
    std::vector<ChainStep> steps;
    for (std::size_t i = 0; i < 3; ++i) {
      const Point here = r_.place(joints[i]);
      const Point next = i < 2 ? r_.place(joints[i + 1]) : finger_tip(s, static_cast<Finger>(finger));
      steps.push_back({joints[i], here, normalized(next - here), 0, i == 0 ? 0.010 : 0.0065});
    }
    return steps;
  }

  // The crease of the groin runs up and out.
  [[nodiscard]] std::vector<ChainStep> leg_steps(std::size_t s) const {
    const RigSide& side = r_.sides[s];
    const Point hip = r_.place(side.thigh), knee = r_.place(side.shin), ankle = r_.place(side.foot),
                ball = r_.place(side.toe);
    const Point crease = normalized({s == 0 ? 0.50 : -0.50, -0.87, 0}), down{0, -1, 0};
    return {{side.hip, hip, crease, -0.012, 0.040},
            {side.thigh, hip, crease, 0.056, 0.036},
            {side.knee, knee, down, -0.030, 0.028},
            {side.shin, knee, down, 0.030, 0.028},
            {side.foot, ankle, normalized({0, -1, 0.30}), -0.004, 0.026},
            {side.toe, ball, {0, 0, 1}, 0, 0.020}};
  }

  const Rig& r_ = rig();
  std::array<std::vector<ChainStep>, 2> arms_, legs_;
  std::array<std::array<std::vector<ChainStep>, kFingers>, 2> fingers_;
  std::vector<ChainStep> spine_;
};

// Each point gets half of its own weights and half of its neighbours', a few times over.
void smooth(std::vector<Weights>& weights, const Surface& body, int rounds) {
  std::vector<std::vector<std::uint32_t>> neighbours(body.points.size());
  for (const auto& t : body.triangles) {
    for (std::size_t i = 0; i < 3; ++i) neighbours[t[i]].push_back(t[(i + 1) % 3]);  // each edge is in two triangles
  }
  for (int round = 0; round < rounds; ++round) {
    std::vector<Weights> next = weights;
    for (std::size_t v = 0; v < weights.size(); ++v) {
      const double part = 0.5 / static_cast<double>(neighbours[v].size());
      for (std::size_t j = 0; j < weights[v].size(); ++j) {
        double sum = weights[v][j] * 0.5;
        for (const std::uint32_t n : neighbours[v]) sum += weights[n][j] * part;
        next[v][j] = sum;
      }
    }
    weights = std::move(next);
  }
}

// The four heaviest, as bytes that sum to 255: rounded down, and the largest remainders up.
Influences packed(const Weights& weights) {
  std::vector<std::uint32_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return weights[a] > weights[b]; });
  double sum = 0;
  for (std::size_t i = 0; i < kInfluences; ++i) sum += weights[order[i]];
  std::array<double, kInfluences> rest{};
  Influences out;
  int missing = 255;
  for (std::size_t i = 0; i < kInfluences; ++i) {
    const double exact = weights[order[i]] / sum * 255;
    const int whole = static_cast<int>(exact);
    out.joints[i] = static_cast<std::uint8_t>(order[i]);
    out.weights[i] = static_cast<std::uint8_t>(whole);
    rest[i] = exact - whole;
    missing -= whole;
  }
  for (; missing > 0; --missing) {
    const auto most = std::max_element(rest.begin(), rest.end());
    ++out.weights[static_cast<std::size_t>(most - rest.begin())];
    *most = -1;
  }
  for (std::size_t i = 0; i < kInfluences; ++i) {
    if (out.weights[i] == 0) out.joints[i] = 0;
  }
  return out;
}

}  // namespace

std::vector<Influences> body_influences(const Surface& body) {
  const Weighing weighing;
  std::vector<Weights> weights;
  weights.reserve(body.points.size());
  for (const Point& p : body.points) weights.push_back(weighing.at(p));
  smooth(weights, body, 3);
  std::vector<Influences> influences;
  influences.reserve(weights.size());
  for (const Weights& w : weights) influences.push_back(packed(w));
  return influences;
}

}  // namespace marrow::character

// Making the boxes of a SkinBounds from the weights.
#include <algorithm>
#include <map>

#include "src/skin/bounds_data.h"
#include "src/skin/imports.h"

namespace marrow {
namespace {

// Collects points, and then what morph targets add to them.
struct Collector {
  Box box;
  double radius = 0;            // about the centre of the box
  double loose = 0;             // the largest share of other joints than the main one
  std::vector<double> weights;  // of a set: the largest of each of the others
  std::map<std::uint32_t, Box> reaches;

  [[nodiscard]] Vec3d center() const { return scaled(add(widen(box.low), widen(box.high)), 0.5); }
};

// What one vertex follows: joints each once, by number, with weights that sum to 1.
struct Follower {
  std::vector<std::pair<std::uint32_t, double>> joints;
  std::size_t main = 0;
  std::vector<std::size_t> mains;  // those that the kernel may take for it
  double sum = 0;

  void read(const Vertices& v, std::size_t vertex, std::uint32_t influences) {
    joints.clear();
    std::size_t named = 0;
    for (std::uint32_t i = 0; i < influences; ++i) {
      const std::size_t at = vertex * v.influences + i;
      if (!(v.weights[at] > 0)) continue;
      ++named;
      const auto known =
          std::find_if(joints.begin(), joints.end(), [&](const auto& j) { return j.first == v.joints[at]; });
      if (known == joints.end()) {
        joints.emplace_back(v.joints[at], v.weights[at]);
      } else {
        known->second += static_cast<double>(v.weights[at]);
      }
    }
    sum = influences == 0 ? 1 : 0;
    main = 0;
    for (const auto& [joint, weight] : joints) sum += weight;
    for (auto& [joint, weight] : joints) weight /= sum;
    if (joints.empty()) joints.emplace_back(0u, 1.0);  // without influences; or without weights, and then at the origin
    // As the kernel picks its pivot.
    std::sort(joints.begin(), joints.end());
    for (std::size_t i = 1; i < joints.size(); ++i) {
      if (joints[i].second > joints[main].second) main = i;
    }
    // One that is named twice is added up there in float, or not at all: then it may pick any that is about the
    // largest, or the largest of those that were not added up.
    mains.assign(1, main);
    if (joints.size() >= named) return;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const bool large = joints[i].second > joints[main].second - 1e-5 || largest_single(v, vertex, joints[i].first);
      if (large && i != main) mains.push_back(i);
    }
  }

  // Whether a joint has one of the largest single weights.
  static bool largest_single(const Vertices& v, std::size_t vertex, std::uint32_t joint) {
    float own = 0, largest = 0;
    for (std::uint32_t i = 0; i < v.influences; ++i) {
      const std::size_t at = vertex * v.influences + i;
      largest = std::max(largest, v.weights[at]);
      if (v.joints[at] == joint) own = std::max(own, v.weights[at]);
    }
    return own == largest;
  }
};

class Builder {
 public:
  void add_parts(std::span<const Vertices* const> parts, bool rigid) {
    // The centres must be known before the radii.
    for (const bool second : {false, true}) {
      for (const Vertices* part : parts) {
        Follower follower;
        for (std::size_t i = 0; i < part->positions.size(); ++i) {
          follower.read(*part, i, rigid ? 0 : part->influences);
          for (const std::size_t main : follower.mains) {
            follower.main = main;
            second ? add_radius(*part, i, follower) : add_point(*part, i, follower);
          }
        }
      }
    }
  }

  SkinBoundsData finish() {
    data_.mains = to_list(mains_);
    data_.minors = to_list(minors_);
    std::map<std::uint32_t, std::uint32_t> place_of_main;
    for (const auto& [joint, collector] : mains_) {
      place_of_main.emplace(joint, static_cast<std::uint32_t>(place_of_main.size()));
    }
    for (const auto& [key, collector] : sets_) {
      JointSet set;
      set.main = place_of_main.at(key[0]);
      set.first = static_cast<std::uint32_t>(data_.others.size());
      set.count = static_cast<std::uint32_t>(key.size() - 1);
      set.center = narrow(collector.center());
      set.radius = static_cast<float>(collector.radius * (1 + 1e-6));
      set.loose = static_cast<float>(collector.loose * (1 + 1e-6));
      data_.sets.push_back(set);
      for (std::size_t i = 1; i < key.size(); ++i) {
        data_.others.push_back({key[i], static_cast<float>(collector.weights[i - 1] * (1 + 1e-6))});
      }
    }
    return std::move(data_);
  }

 private:
  template <typename Do>
  void for_each_collector(const Follower& follower, const Do& act) {
    const std::uint32_t main = follower.joints[follower.main].first;
    act(mains_[main]);
    if (follower.joints.size() == 1) return;
    for (const auto& [joint, weight] : follower.joints) {
      if (joint != main) act(minors_[joint]);
    }
    act(set_of(follower));
  }

  // The main joint, then the others in rising order.
  Collector& set_of(const Follower& follower) {
    key_.assign(1, follower.joints[follower.main].first);
    for (const auto& [joint, weight] : follower.joints) {
      if (joint != key_[0]) key_.push_back(joint);
    }
    std::sort(key_.begin() + 1, key_.end());
    return sets_[key_];
  }

  void add_point(const Vertices& v, std::size_t vertex, const Follower& follower) {
    for_each_collector(follower, [&](Collector& c) {
      c.box = enclose(c.box, v.positions[vertex]);
      for (std::uint32_t t = 0; t < v.targets.size(); ++t) {
        if (v.targets[t].positions.empty()) continue;
        const Vec3& delta = v.targets[t].positions[vertex];
        if (delta.x == 0 && delta.y == 0 && delta.z == 0) continue;
        Box& reach = c.reaches.try_emplace(t, Box{{0, 0, 0}, {0, 0, 0}}).first->second;
        reach = enclose(reach, delta);
      }
    });
    Collector& main = mains_[follower.joints[follower.main].first];
    main.loose = std::max(main.loose, 1 - follower.joints[follower.main].second);
    if (follower.joints.size() > 1) {
      Collector& set = set_of(follower);
      set.loose = std::max(set.loose, 1 - follower.joints[follower.main].second);
      set.weights.resize(key_.size() - 1);
      for (const auto& [joint, weight] : follower.joints) {
        const auto at = std::find(key_.begin() + 1, key_.end(), joint);
        if (at == key_.end()) continue;
        double& largest = set.weights[static_cast<std::size_t>(at - key_.begin() - 1)];
        largest = std::max(largest, weight);
      }
    }
    const double off = follower.sum > 1 ? follower.sum - 1 : 1 - follower.sum;
    data_.sum_error = std::max(data_.sum_error, static_cast<float>(off));
    for (const auto& [joint, weight] : follower.joints) data_.joint_end = std::max(data_.joint_end, joint + 1);
    if (data_.target_lengths.size() < v.targets.size()) data_.target_lengths.resize(v.targets.size());
    for (std::size_t t = 0; t < v.targets.size(); ++t) {
      if (v.targets[t].positions.empty()) continue;
      const auto reach = static_cast<float>(length(widen(v.targets[t].positions[vertex])) * (1 + 1e-6));
      data_.target_lengths[t] = std::max(data_.target_lengths[t], reach);
    }
  }

  void add_radius(const Vertices& v, std::size_t vertex, const Follower& follower) {
    for_each_collector(follower, [&](Collector& c) {
      c.radius = std::max(c.radius, length(subtract(widen(v.positions[vertex]), c.center())));
    });
  }

  static BoxList to_list(const std::map<std::uint32_t, Collector>& collectors) {
    BoxList list;
    bool morphs = false;
    for (const auto& [joint, collector] : collectors) {
      const std::uint32_t at = list.count++ % kBoundsBlock;
      if (at == 0) list.blocks.emplace_back();
      BoundsBlock& block = list.blocks.back();
      const Vec3d center = collector.center();
      const double middle[3] = {center.x, center.y, center.z};
      const float low[3] = {collector.box.low.x, collector.box.low.y, collector.box.low.z};
      const float high[3] = {collector.box.high.x, collector.box.high.y, collector.box.high.z};
      for (std::uint32_t place = at; place < kBoundsBlock; ++place) {  // and all past the last, until they are filled
        for (int i = 0; i < 3; ++i) {
          const auto c = static_cast<float>(middle[i]);
          block.center[i][place] = c;
          block.half[i][place] = static_cast<float>(
              std::max(static_cast<double>(high[i]) - c, c - static_cast<double>(low[i])) * (1 + 1e-7));
        }
        block.radius[place] = static_cast<float>(collector.radius * (1 + 1e-6));
        block.loose[place] = static_cast<float>(collector.loose * (1 + 1e-6));
        block.offset[place] = joint * kAffineFloats;
      }
      list.first_reach.push_back(static_cast<std::uint32_t>(list.reaches.size()));
      for (const auto& [target, reach] : collector.reaches) list.reaches.push_back({target, reach.low, reach.high});
      morphs = morphs || !collector.reaches.empty();
    }
    list.first_reach.push_back(static_cast<std::uint32_t>(list.reaches.size()));
    if (!morphs) list.first_reach.clear();
    return list;
  }

  SkinBoundsData data_;
  std::map<std::uint32_t, Collector> mains_, minors_;
  std::map<std::vector<std::uint32_t>, Collector> sets_;
  std::vector<std::uint32_t> key_;
};

}  // namespace

SkinBounds::SkinBounds() : data_(std::make_shared<SkinBoundsData>()) {}

SkinBounds::SkinBounds(const Vertices& vertices) {
  const Vertices* const parts[] = {&vertices};
  *this = SkinBounds(parts);
}

SkinBounds::SkinBounds(std::span<const Vertices* const> parts) : SkinBounds(parts, false) {}

SkinBounds SkinBounds::rigid(std::span<const Vertices* const> parts) { return SkinBounds(parts, true); }

SkinBounds::SkinBounds(std::span<const Vertices* const> parts, bool rigid)
    : data_(exactly([&] {
        Builder builder;
        builder.add_parts(parts, rigid);
        return std::make_shared<const SkinBoundsData>(builder.finish());
      })) {}

}  // namespace marrow

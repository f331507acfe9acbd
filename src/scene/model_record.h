// What all instances of a model in a scene share: the model, and what is found out about it once. Internal.
//
// The inner nodes of an instance are the joints of the model's skeleton, and after them those of its nodes that are no
// joints.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "marrow/mixer/mixer.h"
#include "marrow/model/model.h"
#include "marrow/skin/bounds.h"
#include "marrow/skin/influence_groups.h"

namespace marrow {

inline constexpr std::uint32_t kNoInner = 0xffffffffu;

class ModelRecord {
 public:
  explicit ModelRecord(const Model& model);

  struct Inner {
    std::uint32_t parent = kNoInner;  // none: the root of the instance
    std::uint32_t first_child = kNoInner, next_sibling = kNoInner;
    std::int32_t node = kNone;  // of the model; a joint may have none
  };

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] std::uint32_t joint_count() const { return model_.skeleton().joint_count(); }
  [[nodiscard]] std::uint32_t inner_count() const { return static_cast<std::uint32_t>(inner_.size()); }
  [[nodiscard]] const Inner& inner(std::uint32_t inner) const { return inner_[inner]; }
  [[nodiscard]] std::uint32_t first_root() const {
    return first_root_;
  }  // inner node without a parent; siblings follow
  [[nodiscard]] std::uint32_t inner_of_node(std::uint32_t node) const { return inner_of_node_[node]; }
  [[nodiscard]] std::string_view name(std::uint32_t inner) const;
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;  // the first inner node of that name
  [[nodiscard]] const Transform& rest(std::uint32_t inner) const;

  // Where the palette of a skin begins among all, and how many matrices there are in all.
  [[nodiscard]] std::uint32_t palette_offset(std::uint32_t skin) const { return palette_offsets_[skin]; }
  [[nodiscard]] std::uint32_t palette_size() const { return palette_offsets_.back(); }

  // The nodes that have a mesh.
  [[nodiscard]] std::span<const std::uint32_t> mesh_nodes() const { return mesh_nodes_; }

  // By inner node, those that are not in the file's scene: an instance begins with them hidden. Empty if there are
  // none.
  [[nodiscard]] const std::vector<bool>& hidden() const { return hidden_; }

  // What is found out when it is first asked for, by any thread: the bounds of a mesh node, of the parts that follow
  // its skin and of those that follow the node; those of all parts without morph targets that follow a skin; and the
  // influences of a part's vertices in groups, null if it is faster without.
  struct NodeBounds {
    SkinBounds skinned, rigid;
    bool morphs = false;
  };
  [[nodiscard]] const NodeBounds& bounds(std::size_t mesh_node);
  [[nodiscard]] const SkinBounds& skin_bounds(std::uint32_t skin);
  [[nodiscard]] const InfluenceGroups* groups(const Vertices& vertices);

  // Memory to evaluate animators in, of at least a size. Any number of threads may take and give back.
  void reserve_scratch(const ScratchSize& size);  // for all, while none is taken
  [[nodiscard]] std::unique_ptr<MixScratch> take_scratch(const ScratchSize& size);
  void give_back(std::unique_ptr<MixScratch> scratch);

 private:
  Model model_;
  std::vector<Inner> inner_;
  std::uint32_t first_root_ = kNoInner;
  std::vector<std::uint32_t> inner_of_node_;
  std::vector<std::uint32_t> palette_offsets_;
  std::vector<std::uint32_t> mesh_nodes_;
  std::vector<bool> hidden_;
  std::mutex mutex_;

  // Made when it is first asked for, under the lock; after that read without.
  template <typename T>
  class Once {
   public:
    Once() = default;
    Once(const Once&) = delete;
    Once& operator=(const Once&) = delete;
    ~Once() { delete made_.load(); }

    template <typename Make>
    const T& get(std::mutex& mutex, const Make& make) {
      if (const T* known = made_.load(std::memory_order_acquire)) return *known;
      const std::lock_guard lock(mutex);
      if (const T* known = made_.load(std::memory_order_relaxed)) return *known;
      made_.store(new T(make()), std::memory_order_release);
      return *made_.load(std::memory_order_relaxed);
    }

   private:
    std::atomic<const T*> made_{nullptr};
  };
  std::unique_ptr<Once<NodeBounds>[]> bounds_;       // of each mesh node
  std::unique_ptr<Once<SkinBounds>[]> skin_bounds_;  // of each skin
  std::unordered_map<const Vertices*, std::unique_ptr<InfluenceGroups>> groups_;
  std::vector<std::unique_ptr<MixScratch>> scratches_;
  std::size_t scratch_count_ = 0;  // with those that are in use
};

}  // namespace marrow

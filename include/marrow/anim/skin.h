// Skin: which joints of a skeleton move a mesh, in the order of its vertex indices, with their inverse bind matrices.
//
// Immutable, cheap to copy, safe to share between threads. Several skins (body, armour, hair) may share a skeleton.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "marrow/anim/skeleton.h"
#include "marrow/core/result.h"
#include "marrow/math/types.h"

namespace marrow {

struct SkinData;

class Skin {
 public:
  // A skin of no joints.
  Skin();

  // Copies share the data; a move is a copy.
  Skin(const Skin&) = default;
  Skin& operator=(const Skin&) = default;

  // Makes a skin over joints of `skeleton`, in the skin's own order; a joint may come more than once. `inverse_binds`
  // is as long as `joints`, or empty for identities. Fails on a joint out of range, lengths that differ, and values
  // that are not finite or above 1e18.
  [[nodiscard]] static Result<Skin> create(const Skeleton& skeleton, std::span<const std::uint32_t> joints,
                                           std::span<const Affine> inverse_binds, std::string_view name = {});

  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::uint32_t size() const;  // matrices in its palette
  [[nodiscard]] std::uint32_t skeleton_joint_count() const;
  [[nodiscard]] std::span<const std::uint32_t> joints() const;
  [[nodiscard]] std::span<const Affine> inverse_binds() const;

 private:
  explicit Skin(std::shared_ptr<const SkinData> data) : data_(std::move(data)) {}

  std::shared_ptr<const SkinData> data_;
};

}  // namespace marrow

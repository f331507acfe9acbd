// Checking clips that may come from anywhere. Internal.
#pragma once

#include <cstdint>
#include <vector>

#include "src/anim/clip_data.h"

namespace marrow {

// Checks clips on one skeleton, one after another. A check takes as long as what the clip has, however many joints the
// skeleton has beside those that it moves.
class ClipChecker {
 public:
  explicit ClipChecker(const Skeleton& skeleton);

  // Fails unless the arrays of a clip are such that sampling and reading keys stay inside of them and give numbers that
  // a pose may have. The tracks name joints of the skeleton.
  [[nodiscard]] Result<void> check(const ClipData& data);

 private:
  // What writes a lane of a slot.
  struct Writer {
    std::uint8_t how = 0;  // kNothing, kConstant, kGroup or kOwn
    OctetKind kind = OctetKind::step1;
    std::uint32_t index = 0;  // of the group or the own octet
  };
  enum : std::uint8_t { kNothing, kConstant, kGroup, kOwn };

  Result<void> check_all();
  void forget();
  [[nodiscard]] std::uint32_t slot_size(std::uint32_t target) const;
  [[nodiscard]] bool ends_slot(std::uint64_t at) const;
  [[nodiscard]] bool is_copied(std::uint32_t target) const;
  bool claim(std::uint32_t target, std::uint32_t lanes, const Writer& writer);
  void cover(std::uint32_t target);
  bool take_keys(std::uint64_t times, std::uint64_t values);
  bool check_copies();
  bool check_constants();
  bool check_groups();
  bool check_octet(std::uint32_t index, OctetKind kind, const Octet& octet);
  bool check_owns();
  bool check_own(std::uint32_t index);
  bool check_cover();
  bool check_tracks();
  [[nodiscard]] bool fits_writer(const TrackInfo& track, const Writer& writer, std::uint32_t lane) const;

  Skeleton skeleton_;
  std::uint32_t floats_;  // of a pose

  // Of the clip that is being checked.
  const ClipData* data_ = nullptr;
  std::uint64_t covered_ = 0;                       // floats of the pose that are known to be written
  std::uint64_t times_left_ = 0, values_left_ = 0;  // that nothing has had

  // Of every place of a pose; nothing between two checks.
  std::vector<Writer> writers_;     // the first lane of the slot at `target` is writers_[target]
  std::vector<bool> whole_;         // by target / 8: the slot is covered, not by a copy
  std::vector<std::uint8_t> seen_;  // which properties of a joint have a track
};

}  // namespace marrow

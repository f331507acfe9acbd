#include "marrow/anim/sampling.h"

#include <cstring>

#include "src/anim/clip_data.h"
#include "src/anim/imports.h"
#include "src/anim/kernels.h"
#include "src/anim/skeleton_data.h"

namespace marrow {
namespace {

void sample_with(const Clip& clip, double time_s, std::uint32_t* cursor, Pose& pose) {
  const ClipData& data = clip.data();
  const SkeletonData& skeleton = pose.skeleton().data();
  MARROW_ASSERT(fits(data, skeleton),
                "the clip was made for a skeleton with another number of joints or morph weights");
  MARROW_ASSERT(time_s == time_s, "the time is not a number");
  if (data.joint_count == 0) return;
  const platform::FloatScope scope;
  anim_kernels().sample(data.layout, time_s, cursor, skeleton.rest_floats(), pose.floats().data());
  std::memcpy(pose.present().data(), data.present.data(), data.present.size() * sizeof(PresentBits));
}

}  // namespace

const AnimKernels& anim_kernels() { return MARROW_KERNELS_IN_USE(kAnimKernels); }

void Cursor::reset(const Clip& clip) {
  const ClipData& data = clip.data();
  clip_id_ = data.id;
  memory_.assign(data.cursor_words * sizeof(std::uint32_t), std::byte{0});
  std::byte* at = memory_.data() + data.layout.own_cursors * sizeof(std::uint32_t);
  for (const OwnOctet& octet : data.own_octets) {
    OwnCursor start;
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      start.key[lane] = octet.first_key[lane];  // a cursor never leaves the keys of its track
      start.t0[lane] = kBeyondTime;             // an interval that holds no time: the first sample looks for its keys
      start.t1[lane] = -kBeyondTime;
    }
    std::memcpy(at, &start, sizeof start);
    at += sizeof start;
  }
}

std::uint32_t* Cursor::words(const Clip& clip) {
  const std::size_t needed = clip.data().cursor_words * sizeof(std::uint32_t);
  if (clip_id_ != clip.data().id || memory_.size() != needed) reset(clip);
  return memory_.empty() ? nullptr : reinterpret_cast<std::uint32_t*>(memory_.data());
}

void sample(const Clip& clip, double time_s, Cursor& cursor, Pose& pose) {
  sample_with(clip, time_s, cursor.words(clip), pose);
}

void sample(const Clip& clip, double time_s, Pose& pose) { sample_with(clip, time_s, nullptr, pose); }

}  // namespace marrow

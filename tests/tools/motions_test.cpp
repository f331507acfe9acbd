#include "character/motions.h"

#include <doctest/doctest.h>

#include "marrow/anim/clip.h"
#include "marrow/anim/skeleton.h"

namespace marrow::character {
namespace {

TEST_CASE("CharacterMotions: every motion becomes a clip of its name and length") {
  const Skeleton skeleton = make_skeleton();
  for (const Motion& motion : make_motions()) {
    const Result<Clip> clip = to_clip(motion, skeleton);
    REQUIRE(clip.ok());
    CHECK(clip->name() == motion.name);
    CHECK(clip->duration() == doctest::Approx(motion.duration_s));
    std::size_t keys = 0;
    for (const TrackInfo& track : clip->tracks()) keys += track.key_count;
    MESSAGE(motion.name << ": " << clip->tracks().size() << " tracks, " << keys << " keys, " << clip->memory_bytes()
                        << " bytes");
  }
}

}  // namespace
}  // namespace marrow::character

// Runs on files that are not part of the project: MARROW_SHARED says where they are. See scripts/conformance.sh.
#include "marrow/clip/key_reduction.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "anim/skin_distance.h"
#include "marrow/anim/sampling.h"
#include "marrow/gltf/reader.h"

namespace marrow {
namespace {

TEST_CASE("the clips of a captured character, reduced at 1 mm, keep every point 10 cm from a joint within 1 mm") {
  const char* shared = std::getenv("MARROW_SHARED");
  REQUIRE_MESSAGE(shared != nullptr, "MARROW_SHARED is not set to the folder with the assets");
  const Result<LoadedModel> file = load_gltf(std::string(shared) + "/assets/bench/pab.gltf");
  REQUIRE(file.ok());
  const Skeleton& skeleton = file->model.skeleton();
  REQUIRE(file->model.clips().size() == 4);
  for (const Clip& clip : file->model.clips()) {
    const ReducedClip reduced = *reduce_keys(skeleton, clip);
    // Seen in long double at 240 times a second, with none of the library's code but what samples the clips.
    Pose a(skeleton), b(skeleton);
    double seen = 0;
    const int looks = static_cast<int>(clip.duration() * 240 + 0.5);
    for (int i = 0; i <= looks; ++i) {
      const double time = clip.duration() * i / looks;
      sample(clip, time, a);
      sample(reduced.clip, time, b);
      const auto model_a = test::to_model(a), model_b = test::to_model(b);
      for (std::size_t j = 0; j < model_a.size(); ++j) {
        test::keep_larger(seen, test::skin_distance(model_a[j], model_b[j], 0.1L));
      }
    }
    CHECK(seen <= 1e-3);
    CHECK(reduced.error.distance <= 1e-3);
    CHECK(reduced.keys_after * 5 < reduced.keys_before);
    MESSAGE(std::string(clip.name()) << ", " << clip.duration() << " s: " << reduced.keys_before << " keys, "
                                     << clip.memory_bytes() << " bytes become " << reduced.keys_after << " keys, "
                                     << reduced.clip.memory_bytes() << " bytes; largest error " << seen * 1e3
                                     << " mm seen, " << reduced.error.distance * 1e3 << " mm told");
  }
}

}  // namespace
}  // namespace marrow

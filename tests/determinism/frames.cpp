#include "golden.h"
#include "marrow/anim/hierarchy.h"
#include "marrow/anim/sampling.h"
#include "marrow/core/hash.h"

namespace marrow::golden {

std::uint64_t hash_frames(const Scene& scene) {
  Pose pose(scene.skeleton);
  std::vector<Affine> model(scene.skeleton.joint_count()), matrices(scene.skin.size());
  Hasher hasher;
  hasher.add(scene.skeleton.hash());
  for (const Clip& clip : scene.clips) {
    hasher.add(clip.hash());
    Cursor cursor(clip);
    // Steps of a power of two, so that the times are exact under any flags and any rounding: forward past the end, then
    // backward past the start.
    const double step = clip.duration() > 10 ? 1.0 : 1.0 / 256;
    for (int frame = 0; frame < 600; ++frame) {
      const double time = (frame < 400 ? frame : 3 * (590 - frame)) * step;
      sample(clip, time, cursor, pose);
      local_to_model(pose, model);
      palette(scene.skin, model, matrices);
      hasher.add(pose.floats());
      hasher.add({&model[0].m[0][0], model.size() * 12});
      hasher.add({&matrices[0].m[0][0], matrices.size() * 12});
    }
  }
  return hasher.finish();
}

}  // namespace marrow::golden

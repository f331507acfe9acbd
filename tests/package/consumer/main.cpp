// Headers of every module, a pose from a clip, and a model from a file.
#include <marrow/anim/blend.h>
#include <marrow/anim/clip.h>
#include <marrow/anim/hierarchy.h>
#include <marrow/anim/joint_mask.h>
#include <marrow/anim/pose.h>
#include <marrow/anim/sampling.h>
#include <marrow/anim/skeleton.h>
#include <marrow/anim/skin.h>
#include <marrow/core/assert.h>
#include <marrow/core/handle.h>
#include <marrow/core/hash.h>
#include <marrow/core/log.h>
#include <marrow/core/result.h>
#include <marrow/core/version.h>
#include <marrow/gltf/draco_decoder.h>
#include <marrow/gltf/meshopt_decoder.h>
#include <marrow/gltf/reader.h>
#include <marrow/gpu/gl_device.h>
#include <marrow/gpu/offscreen.h>
#include <marrow/gpu/shaders.h>
#include <marrow/marrow.h>
#include <marrow/math/affine.h>
#include <marrow/math/functions.h>
#include <marrow/math/quat.h>
#include <marrow/math/simd.h>
#include <marrow/mixer/player.h>
#include <marrow/model/model.h>
#include <marrow/skin/skinning.h>

#include <cstdio>
#include <string_view>
#include <vector>

namespace {

// A node that a clip moves, in a file in memory: two times and two places, as floats in a data URI.
bool reads_a_file() {
  constexpr std::string_view kFile = R"({"asset": {"version": "2.0"}, "nodes": [{"name": "box"}],
    "buffers": [{"byteLength": 32, "uri": "data:;base64,AAAAAAAAgD8AAAAAAAAAAAAAAAAAAABAAAAAAAAAAAA="}],
    "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
                  {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}],
    "animations": [{"name": "slide", "samplers": [{"input": 0, "output": 1}],
                    "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]})";
  marrow::LoadOptions options;
#ifdef HAS_meshopt
  options.meshopt = marrow::meshopt_decoder();
#endif
#ifdef HAS_draco
  options.draco = marrow::draco_decoder();
#endif
  const auto loaded = marrow::read_gltf(std::as_bytes(std::span(kFile)), {}, options);
  if (!loaded) {
    std::printf("%s\n", marrow::to_string(loaded.error()).c_str());
    return false;
  }
  const marrow::Model& model = loaded->model;
  marrow::Pose pose(model.skeleton());
  marrow::sample(*model.find_clip("slide"), 0.5, pose);
  return pose.transform(*model.skeleton().joint("box")).translation.x == 1;
}

// A context without a screen, a device in it, and a shader.
bool has_a_gpu() {
  if (marrow::shader_file("glsl/skin_uniform.glsl").empty()) return false;
#ifdef HAS_offscreen
  const auto context = marrow::OffscreenContext::create();
  return context && marrow::GlDevice::create(marrow::OffscreenContext::get_proc);
#else
  return true;
#endif
}

}  // namespace

int main() {
  if (!reads_a_file() || !has_a_gpu() || marrow_check_abi(MARROW_ABI_VERSION) != MARROW_OK) return 1;
  marrow::JointDesc joints[2];
  joints[0].name = "shoulder";
  joints[1].name = "hand";
  joints[1].parent = 0;
  joints[1].rest.translation = {1, 0, 0};
  const auto build = marrow::Skeleton::create(joints);
  if (!build) return 1;
  const marrow::Skeleton skeleton = build->skeleton;

  const float times[] = {0, 1};
  const marrow::Quat turn = marrow::from_axis_angle({0, 0, 1}, 3.14159265f / 2);
  const float values[] = {0, 0, 0, 1, turn.x, turn.y, turn.z, turn.w};
  const marrow::TrackDesc track = {*skeleton.joint("shoulder"), marrow::Property::rotation,
                                   marrow::Interpolation::linear, times, values};
  const auto clip = marrow::Clip::create(skeleton, {"wave", {&track, 1}, {}});
  if (!clip) {
    std::printf("%s\n", marrow::to_string(clip.error()).c_str());
    return 1;
  }

  marrow::Pose pose(skeleton);
  marrow::Cursor cursor(*clip);
  std::vector<marrow::Affine> model(skeleton.joint_count());
  marrow::sample(*clip, 0.5, cursor, pose);
  marrow::local_to_model(pose, model);

  marrow::Player player(skeleton);
  player.mixer().play(*clip, {.speed = 0.5, .loop = marrow::Loop::once});
  player.update(1.0);
  if (player.pose().transform(0).rotation.z != pose.transform(0).rotation.z) return 1;

  const float x = model[1].m[0][3], y = model[1].m[1][3];
  std::printf("marrow %s: the hand is at %.3f %.3f\n", marrow::library_version(), x, y);
  return x > 0.707f && x < 0.7072f && y > 0.707f && y < 0.7072f ? 0 : 1;
}

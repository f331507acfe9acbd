// Run it: scripts/fuzz.sh 60 ffi. A finding again: build/asan/fuzz/marrow_ffi_fuzzer FILE
//
// Bytes as calls of the C ABI, one after another, with handles that were given out and others, buffers of all sizes,
// and numbers that are none. Whatever is called, there is a status; and what fails says why.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <type_traits>

#include "call_source.h"
#include "marrow/marrow_host.h"
#include "require.h"
#include "src/text/text.h"

using namespace marrow::fuzz;

namespace {

enum : unsigned { kModel = 1, kScene, kNode, kInstance, kMixer, kAction, kHost, kState };

using Call = marrow_status (*)(CallSource&);

// A function that copies out.
template <typename T, typename Copy>
marrow_status copied(CallSource& s, const Copy& copy) {
  const Buffer<T> out = s.buffer<T>();
  const marrow_status status = copy(out.data, out.size, s.count());
  if constexpr (std::is_same_v<T, char>) {
    if (status == MARROW_OK && out.data != nullptr) require(marrow::is_utf8(out.data), "a text is UTF-8");
  }
  return status;
}
#define COPIED(type, call)                                                                             \
  [](CallSource& s) {                                                                                  \
    return copied<type>(s, [&](type* out, std::uint64_t size, std::uint64_t* count) { return call; }); \
  }
#define CALLED(call) [](CallSource& s) { return call; }

// Makes a call, and checks what it reports.
marrow_status check_call(Call call, CallSource& s) {
  const marrow_status status = call(s);
  s.collect();
  require(std::string(marrow_status_name(status)) != "unknown", "a status has a name");
  require(status != MARROW_ERROR_INTERNAL, "nothing is thrown that the library does not know");
  if (status == MARROW_OK) return status;
  const marrow_error& error = *marrow_last_error();
  require(error.status == status && *error.message != 0, "what fails says why");
  require(marrow::is_utf8(error.message) && marrow::is_utf8(error.place), "and says it in UTF-8");
  return status;
}

// Makes the call of kCalls that the input has next.
marrow_status call_any(CallSource& s);

template <typename T>
T* options(CallSource& s, const T& init) {
  T* const out = s.one<T>();
  if (out == nullptr) return out;
  *out = init;
  return out;
}

marrow_status load(CallSource& s) {
  marrow_load_options* const own = options<marrow_load_options>(s, MARROW_LOAD_OPTIONS_INIT);
  if (own == nullptr) return MARROW_OK;
  own->up = s.small();
  own->memory_limit = 1 << 21;
  return marrow_model_read(s.rest(), s.rest_size(), own, s.given(kModel));
}

marrow_status make_instance(CallSource& s) {
  if (s.handles(kInstance).size() > 8) return MARROW_OK;
  marrow_instance_options* const own = options<marrow_instance_options>(s, MARROW_INSTANCE_OPTIONS_INIT);
  if (own != nullptr) {
    if (s.byte() >= 250) own->actions = s.small();
    if (s.byte() >= 128) own->actions = s.byte() % 8;
    if (s.byte() >= 128) own->layers = s.byte() % 8;
    if (s.byte() >= 128) own->events = s.byte() % 8;
    if (s.byte() >= 128) own->max_actions = s.byte() % 8;
    own->name = s.text();
    own->local = s.transform_or_null();
    own->parent = s.byte() < 128 ? 0 : s.handle(kNode);
  }
  return marrow_instance_create(s.handle(kScene), s.handle(kModel), own, s.given(kInstance));
}

marrow_play_options* play_options(CallSource& s) {
  marrow_play_options* const own = options<marrow_play_options>(s, MARROW_PLAY_OPTIONS_INIT);
  if (own != nullptr) {
    own->set = s.small();
    own->loop = s.small();
    own->speed = s.number();
    own->fade_in = s.number();
    own->repetitions = s.small();
    own->weight = s.number_f();
  }
  return own;
}

marrow_fade_options* fade(CallSource& s) {
  marrow_fade_options* const own = options<marrow_fade_options>(s, MARROW_FADE_OPTIONS_INIT);
  if (own != nullptr) *own = {sizeof *own, s.small(), s.small(), 0};
  return own;
}

marrow_status add_layer(CallSource& s) {
  marrow_layer_options* const own = options<marrow_layer_options>(s, MARROW_LAYER_OPTIONS_INIT);
  if (own != nullptr) {
    const Buffer<float> mask = s.mask();
    *own = {sizeof *own, s.small(), s.small(), s.number_f(), mask.data, mask.size};
  }
  return marrow_mixer_add_layer(s.handle(kMixer), own, s.one<std::uint32_t>());
}

marrow_status set_marks(CallSource& s) {
  const Buffer<marrow_mark> marks = s.buffer<marrow_mark>();
  for (std::uint64_t i = 0; i < marks.size && marks.data != nullptr; ++i) {
    marks.data[i] = {s.number(), i % 4 == 0 ? s.text() : nullptr};
  }
  return marrow_mixer_set_marks(s.handle(kMixer), s.small(), marks.data, marks.size);
}

marrow_status set_root_motion(CallSource& s) {
  auto* const own = options<marrow_root_motion_options>(s, MARROW_ROOT_MOTION_OPTIONS_INIT);
  if (own != nullptr) {
    own->joint = s.small();
    own->horizontal = s.byte() % 2;
    own->yaw = s.byte() % 2;
    if (s.byte() >= 128) own->up[s.byte() % 3] = s.number_f();
  }
  return marrow_mixer_set_root_motion(s.handle(kMixer), own);
}

// Saves, sometimes changes a byte, and restores, sometimes into another mixer or instance.
template <typename Save, typename Restore>
marrow_status roll_back(CallSource& s, unsigned kind, const Save& save, const Restore& restore) {
  const Buffer<std::uint8_t> block = s.buffer<std::uint8_t>();
  std::uint64_t count = 0;
  const marrow_status saved = save(s.handle(kind), block.data, block.size, &count);
  if (saved != MARROW_OK || block.data == nullptr) return saved;
  if (s.byte() >= 128 && count > 0) block.data[s.word() % count] ^= s.byte();
  return restore(s.handle(kind), block.data, s.byte() >= 250 ? count / 2 : count);
}

// ---- Pose stages -----------------------------------------------------------------------------------------------

// The edit of the stage that runs, or sometimes that of one that has run.
marrow_pose_edit* last_edit = nullptr;
marrow_pose_edit* edit(CallSource& s) { return s.byte() == 255 ? nullptr : last_edit; }

marrow_status use_state(CallSource& s) {
  void* state = nullptr;
  std::uint64_t size = 0;
  const marrow_status status = marrow_pose_edit_state(edit(s), &state, &size);
  for (std::uint64_t i = 0; i < size; ++i) static_cast<std::uint8_t*>(state)[i] += s.byte();
  return status;
}

marrow_status set_morphs(CallSource& s) {
  const Buffer<float> weights = s.mask();
  return marrow_pose_edit_set_morphs(edit(s), s.small(), weights.data, weights.size);
}

const Call kEditCalls[] = {
    CALLED(marrow_pose_edit_dt(edit(s), s.one<double>())),
    use_state,
    CALLED(marrow_pose_edit_local(edit(s), s.small(), s.one<marrow_transform>())),
    CALLED(marrow_pose_edit_set_local(edit(s), s.small(), s.transform_or_null())),
    CALLED(marrow_pose_edit_joint_matrix(edit(s), s.small(), s.one<marrow_affine>())),
    COPIED(marrow_affine, marrow_pose_edit_joint_matrices(edit(s), out, size, count)),
    COPIED(float, marrow_pose_edit_morphs(edit(s), s.small(), out, size, count)),
    set_morphs,
};

marrow_status call_edit(CallSource& s) { return check_call(kEditCalls[s.byte() % std::size(kEditCalls)], s); }

// Makes some calls with its edit, and any others.
std::uint32_t run_stage(void* context, marrow_pose_edit* edit) {
  CallSource& s = *static_cast<CallSource*>(context);
  marrow_pose_edit* const outer = last_edit;
  last_edit = edit;
  for (int n = s.byte() % 4; n > 0; --n) call_edit(s);
  if (s.byte() >= 192) call_any(s);
  if (s.byte() < 240) last_edit = outer;
  return s.byte() % 2;
}

marrow_status add_stage(CallSource& s) {
  marrow_pose_stage* const own = options<marrow_pose_stage>(s, MARROW_POSE_STAGE_INIT);
  if (own != nullptr) {
    own->version = s.small();
    own->state_bytes = s.byte() >= 250 ? s.word() : s.byte() % 32;
    own->name = s.text();
    own->run = s.byte() == 255 ? nullptr : run_stage;
    own->context = &s;
  }
  return marrow_instance_add_stage(s.handle(kInstance), own, s.one<std::uint32_t>());
}

// ---- Poses and matrices ----------------------------------------------------------------------------------------

marrow_status blend(CallSource& s) {
  marrow_blend_layer layers[2] = {};
  std::vector<marrow_blend_input> inputs[2];
  for (int l = 0; l < 2; ++l) {
    for (int n = s.byte() % 4; n > 0; --n) {
      const marrow_pose* const pose = s.pose();
      inputs[l].push_back({pose == nullptr ? marrow_pose{} : *pose, s.number_f(), s.number_f()});
    }
    const Buffer<float> mask = s.mask();
    layers[l] = {inputs[l].data(), inputs[l].size(), mask.data, mask.size, s.small(), s.small(), s.number_f(), 0};
  }
  return marrow_blend(s.handle(kModel), layers, s.byte() % 3, s.pose());
}

marrow_array array(CallSource& s) {
  const Buffer<float> floats = s.buffer<float>();
  return {floats.data, floats.size * 4, s.byte() < 128 ? 0 : s.small()};
}

marrow_status skin_vertices(CallSource& s) {
  marrow_skin_job* const job = s.info<marrow_skin_job>();
  if (job == nullptr) return marrow_skin_vertices(nullptr);
  job->influences = s.small() % 8;
  job->vertex_count = s.byte() >= 250 ? s.word() : s.byte() % 32;
  marrow_array* const arrays[] = {&job->positions, &job->normals,       &job->tangents,    &job->joints,
                                  &job->weights,   &job->out_positions, &job->out_normals, &job->out_tangents};
  for (marrow_array* const each : arrays) *each = array(s);
  const Buffer<marrow_affine> palette = s.buffer<marrow_affine>();
  job->palette = palette.data;
  job->palette_count = palette.size;
  return marrow_skin_vertices(job);
}

marrow_status matrices(CallSource& s) {
  const Buffer<marrow_transform> in = s.buffer<marrow_transform>();
  const Buffer<marrow_affine> model = s.buffer<marrow_affine>(), palette = s.buffer<marrow_affine>();
  const marrow_transform t = s.transform();
  for (std::uint64_t i = 0; i < in.size && in.data != nullptr; ++i) in.data[i] = t;
  const marrow_model of = s.handle(kModel);
  const marrow_status status = marrow_local_to_model(of, in.data, in.size, model.data, model.size);
  if (status != MARROW_OK) return status;
  return marrow_palette(of, s.small(), model.data, model.size, palette.data, palette.size);
}

// Does jobs backward, some of them perhaps not, or twice; and comes back to the library meanwhile.
void run_jobs(void* context, std::uint32_t count, void (*run)(void*, std::uint32_t), void* data) {
  CallSource& s = *static_cast<CallSource*>(context);
  const std::uint8_t how = s.byte();
  const marrow_scene scene = s.handle(kScene);
  if (how >= 200) marrow_scene_destroy(scene);
  for (std::uint32_t job = count; job > 0; --job) {
    if (how < 250) run(data, job - 1);
    if (how >= 240) run(data, job);
  }
}

marrow_status update(CallSource& s) {
  marrow_executor executor = {s.byte() == 255 ? nullptr : run_jobs, &s};
  return marrow_scene_update(s.handle(kScene), s.number(), s.byte() < 128 ? nullptr : &executor);
}

marrow_status update_batch(CallSource& s) {
  marrow_instance list[4];
  const std::uint64_t count = s.byte() % 5;
  for (std::uint64_t i = 0; i < count; ++i) list[i] = s.handle(kInstance);
  marrow_executor executor = {run_jobs, &s};
  return marrow_update_instances(list, count, s.number(), s.byte() < 128 ? nullptr : &executor);
}

marrow_status skin_instance(CallSource& s) {
  const Buffer<float> positions = s.buffer<float>(), normals = s.buffer<float>(), tangents = s.buffer<float>();
  return marrow_instance_skin(s.handle(kInstance), s.small(), s.small(), positions.data, positions.size, normals.data,
                              normals.size, tangents.data, tangents.size);
}

marrow_status set_mask(CallSource& s) {
  const Buffer<float> mask = s.mask();
  return marrow_mixer_set_mask(s.handle(kMixer), s.small(), mask.data, mask.size);
}

marrow_status set_world(CallSource& s) {
  marrow_affine world = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  for (int n = s.byte() % 4; n > 0; --n) world.m[s.byte() % 12] = s.number_f();
  return marrow_node_set_world(s.handle(kNode), s.byte() == 255 ? nullptr : &world, s.one<marrow_place_result>());
}

marrow_status make_host(CallSource& s) {
  marrow_host_options* const own = options<marrow_host_options>(s, MARROW_HOST_OPTIONS_INIT);
  if (own == nullptr) return MARROW_OK;
  own->max_draws = s.small();
  own->max_loaded_bytes = 1 << 16;
  own->log_context = &s;
  if (s.byte() < 128) {
    own->log = [](void* context, std::uint32_t, const char* message) {
      require(marrow::is_utf8(message), "a message is UTF-8");
      marrow_host_begin_frame(static_cast<CallSource*>(context)->handle(kHost));
    };
  }
  return marrow_host_create(own, s.given(kHost));
}

// The memory of a guest: numbers of one kind, of which some are others.
Buffer<float> guest_memory(CallSource& s) {
  const Buffer<float> memory = s.mask();
  if (memory.data == nullptr || memory.size == 0) return memory;
  for (int n = s.byte() % 8; n > 0; --n) memory.data[s.byte() % memory.size] = s.number_f();
  return memory;
}
#define GUEST(function, ...)                                                                 \
  [](CallSource& s) {                                                                        \
    const Buffer<float> memory = guest_memory(s);                                            \
    return function(s.handle(kHost), memory.data, memory.size * sizeof(float), __VA_ARGS__); \
  }

// A seed in make_seeds.cpp has the numbers of the first calls.
const Call kCalls[] = {
    add_stage,
    call_edit,
    CALLED(marrow_instance_remove_stage(s.handle(kInstance), s.small())),
    CALLED(marrow_instance_stage_count(s.handle(kInstance), s.one<std::uint32_t>())),
    CALLED(marrow_instance_touch(s.handle(kInstance))),
    CALLED(marrow_instance_snapshot_size(s.handle(kInstance), s.count())),
    CALLED(roll_back(s, kInstance, marrow_instance_save, marrow_instance_restore)),
    CALLED(marrow_instance_update(s.handle(kInstance), s.number())),
    load,
    CALLED(marrow_model_destroy(s.handle(s.byte() < 200 ? kScene : kModel))),
    CALLED(marrow_model_get_info(s.handle(kModel), s.info<marrow_model_info>())),
    COPIED(char, marrow_model_name(s.handle(kModel), out, size, count)),
    COPIED(char, marrow_model_warning(s.handle(kModel), s.small(), out, size, count)),
    CALLED(marrow_model_find_joint(s.handle(kModel), s.text(), s.one<std::uint32_t>())),
    CALLED(marrow_model_find_clip(s.handle(kModel), s.text(), s.one<std::uint32_t>())),
    COPIED(char, marrow_model_joint_name(s.handle(kModel), s.small(), out, size, count)),
    COPIED(std::int32_t, marrow_model_joint_parents(s.handle(kModel), out, size, count)),
    COPIED(marrow_transform, marrow_model_rest_pose(s.handle(kModel), out, size, count)),
    COPIED(float, marrow_model_rest_morphs(s.handle(kModel), out, size, count)),
    CALLED(marrow_model_joint_morphs(s.handle(kModel), s.small(), s.one<std::uint32_t>(), s.one<std::uint32_t>())),
    COPIED(float, marrow_model_branch_mask(s.handle(kModel), s.small(), s.small(), out, size, count)),
    COPIED(char, marrow_model_clip_name(s.handle(kModel), s.small(), out, size, count)),
    CALLED(marrow_model_clip_duration(s.handle(kModel), s.small(), s.one<double>())),
    COPIED(char, marrow_model_skin_name(s.handle(kModel), s.small(), out, size, count)),
    COPIED(std::uint32_t, marrow_model_skin_joints(s.handle(kModel), s.small(), out, size, count)),
    COPIED(marrow_affine, marrow_model_skin_inverse_binds(s.handle(kModel), s.small(), out, size, count)),
    CALLED(marrow_model_get_node(s.handle(kModel), s.small(), s.info<marrow_node_info>())),
    COPIED(char, marrow_model_node_name(s.handle(kModel), s.small(), out, size, count)),
    COPIED(char, marrow_model_mesh_name(s.handle(kModel), s.small(), out, size, count)),
    CALLED(marrow_model_mesh_parts(s.handle(kModel), s.small(), s.one<std::uint32_t>())),
    CALLED(marrow_model_get_part(s.handle(kModel), s.small(), s.small(), s.info<marrow_part_info>())),
    COPIED(float,
           marrow_model_part_floats(s.handle(kModel), s.small(), s.small(), s.small(), s.small(), out, size, count)),
    COPIED(std::uint16_t, marrow_model_part_joints(s.handle(kModel), s.small(), s.small(), out, size, count)),
    COPIED(std::uint32_t, marrow_model_part_indices(s.handle(kModel), s.small(), s.small(), out, size, count)),
    CALLED(marrow_model_get_material(s.handle(kModel), s.small(), s.info<marrow_material_info>())),
    COPIED(char, marrow_model_material_name(s.handle(kModel), s.small(), out, size, count)),
    CALLED(marrow_sample(s.handle(kModel), s.small(), s.number(), s.pose())),
    blend,
    matrices,
    skin_vertices,
    CALLED(marrow_scene_create(s.given(kScene))),
    CALLED(s.byte() < 128 ? MARROW_OK : marrow_scene_destroy(s.handle(kScene))),
    CALLED(s.byte() < 128 ? MARROW_OK : marrow_scene_clear(s.handle(kScene))),
    CALLED(marrow_scene_root(s.handle(kScene), s.given(kNode))),
    CALLED(marrow_scene_counts(s.handle(kScene), s.count(), s.count())),
    update,
    CALLED(marrow_scene_refresh(s.handle(kScene))),
    CALLED(marrow_node_create(s.handle(kScene), s.text(), s.transform_or_null(), s.handle(kNode), s.given(kNode))),
    CALLED(marrow_node_destroy(s.handle(kNode), s.small())),
    COPIED(char, marrow_node_name(s.handle(kNode), out, size, count)),
    CALLED(marrow_node_set_name(s.handle(kNode), s.text())),
    CALLED(marrow_node_scene(s.handle(kNode), s.given(kScene))),
    CALLED(marrow_node_parent(s.handle(kNode), s.given(kNode))),
    CALLED(marrow_node_instance(s.handle(kNode), s.given(kInstance))),
    COPIED(marrow_node, marrow_node_children(s.handle(kNode), out, size, count)),
    CALLED(marrow_node_find(s.handle(kNode), s.text(), s.given(kNode))),
    CALLED(marrow_node_add(s.handle(kNode), s.handle(kNode), s.small(), s.one<marrow_place_result>())),
    CALLED(marrow_node_remove(s.handle(kNode), s.handle(kNode), s.small(), s.one<marrow_place_result>())),
    CALLED(marrow_node_local(s.handle(kNode), s.one<marrow_transform>())),
    CALLED(marrow_node_set_local(s.handle(kNode), s.transform_or_null())),
    CALLED(marrow_node_world(s.handle(kNode), s.one<marrow_affine>())),
    set_world,
    CALLED(marrow_node_visible(s.handle(kNode), s.one<std::uint32_t>(), s.one<std::uint32_t>())),
    CALLED(marrow_node_set_visible(s.handle(kNode), s.small())),
    make_instance,
    CALLED(s.byte() < 128 ? MARROW_OK : marrow_instance_destroy(s.handle(kInstance))),
    CALLED(marrow_instance_node(s.handle(kInstance), s.given(kNode))),
    CALLED(marrow_instance_find_bone(s.handle(kInstance), s.text(), s.given(kNode))),
    CALLED(marrow_instance_bone(s.handle(kInstance), s.small(), s.given(kNode))),
    CALLED(marrow_instance_model_node(s.handle(kInstance), s.small(), s.given(kNode))),
    CALLED(marrow_instance_mixer(s.handle(kInstance), s.given(kMixer))),
    CALLED(marrow_instance_advance(s.handle(kInstance), s.number())),
    CALLED(marrow_instance_evaluate(s.handle(kInstance))),
    CALLED(marrow_instance_finish(s.handle(kInstance))),
    update_batch,
    CALLED(marrow_instance_pose(s.handle(kInstance), s.pose())),
    CALLED(marrow_instance_set_pose(s.handle(kInstance), s.pose())),
    COPIED(marrow_affine, marrow_instance_joint_matrices(s.handle(kInstance), out, size, count)),
    COPIED(marrow_affine, marrow_instance_node_matrices(s.handle(kInstance), out, size, count)),
    COPIED(marrow_affine, marrow_instance_palette(s.handle(kInstance), s.small(), out, size, count)),
    COPIED(float, marrow_instance_morphs(s.handle(kInstance), s.small(), out, size, count)),
    CALLED(marrow_instance_set_override(s.handle(kInstance), s.handle(kNode), s.transform_or_null(), s.number_f())),
    CALLED(marrow_instance_clear_override(s.handle(kInstance), s.handle(kNode))),
    CALLED(marrow_instance_clear_overrides(s.handle(kInstance))),
    CALLED(marrow_instance_has_override(s.handle(kInstance), s.handle(kNode), s.one<std::uint32_t>())),
    CALLED(marrow_instance_attach(s.handle(kInstance), s.handle(kNode), s.text(), s.transform_or_null())),
    CALLED(marrow_instance_detach(s.handle(kInstance), s.handle(kNode), s.one<marrow_place_result>())),
    CALLED(marrow_instance_set_skinning(s.handle(kInstance), s.small(), s.small())),
    skin_instance,
    CALLED(marrow_instance_bounds(s.handle(kInstance), s.one<marrow_box>())),
    CALLED(marrow_instance_world_bounds(s.handle(kInstance), s.one<marrow_box>())),
    CALLED(marrow_mixer_clip_action(s.handle(kMixer), s.small(), s.small(), s.given(kAction))),
    CALLED(marrow_mixer_new_action(s.handle(kMixer), s.small(), s.small(), s.given(kAction))),
    CALLED(marrow_mixer_play(s.handle(kMixer), s.small(), s.small(), play_options(s), s.given(kAction))),
    CALLED(marrow_mixer_switch_to(s.handle(kMixer), s.small(), s.small(), play_options(s), s.given(kAction))),
    CALLED(marrow_mixer_cross_fade_to(s.handle(kMixer), s.small(), s.small(), s.number(), fade(s), s.given(kAction))),
    CALLED(marrow_instance_play(s.handle(kInstance), s.text(), play_options(s), s.given(kAction))),
    CALLED(marrow_instance_switch_to(s.handle(kInstance), s.text(), play_options(s), s.given(kAction))),
    CALLED(marrow_instance_cross_fade_to(s.handle(kInstance), s.text(), s.number(), fade(s), s.given(kAction))),
    CALLED(marrow_mixer_stop_all(s.handle(kMixer))),
    CALLED(marrow_mixer_stop_layer(s.handle(kMixer), s.small())),
    CALLED(marrow_mixer_fade_out_layer(s.handle(kMixer), s.small(), s.number(), s.small())),
    COPIED(marrow_action, marrow_mixer_actions(s.handle(kMixer), out, size, count)),
    CALLED(marrow_mixer_current(s.handle(kMixer), s.small(), s.given(kAction))),
    add_layer,
    CALLED(marrow_mixer_layer_count(s.handle(kMixer), s.one<std::uint32_t>())),
    CALLED(marrow_mixer_layer_weight(s.handle(kMixer), s.small(), s.one<float>())),
    CALLED(marrow_mixer_fade_layer(s.handle(kMixer), s.small(), s.number_f(), s.number(), s.small())),
    set_mask,
    CALLED(marrow_mixer_set_fill(s.handle(kMixer), s.small(), s.small())),
    CALLED(marrow_mixer_time_scale(s.handle(kMixer), s.one<double>())),
    CALLED(marrow_mixer_set_time_scale(s.handle(kMixer), s.number())),
    COPIED(marrow_event, marrow_mixer_events(s.handle(kMixer), out, size, count)),
    CALLED(marrow_mixer_dropped_events(s.handle(kMixer), s.count())),
    COPIED(char, marrow_mixer_event_name(s.handle(kMixer), s.small(), out, size, count)),
    set_marks,
    set_root_motion,
    CALLED(marrow_mixer_clear_root_motion(s.handle(kMixer))),
    CALLED(marrow_mixer_root_motion(s.handle(kMixer), s.one<marrow_transform>())),
    CALLED(roll_back(s, kMixer, marrow_mixer_save, marrow_mixer_restore)),
    CALLED(marrow_action_play(s.handle(kAction))),
    CALLED(marrow_action_stop(s.handle(kAction))),
    CALLED(marrow_action_pause(s.handle(kAction))),
    CALLED(marrow_action_resume(s.handle(kAction))),
    CALLED(marrow_action_reset(s.handle(kAction))),
    CALLED(marrow_action_seek(s.handle(kAction), s.number())),
    CALLED(marrow_action_fade_in(s.handle(kAction), s.number(), s.small())),
    CALLED(marrow_action_fade_out(s.handle(kAction), s.number(), s.small())),
    CALLED(marrow_action_set_speed(s.handle(kAction), s.number())),
    CALLED(marrow_action_set_weight(s.handle(kAction), s.number_f())),
    CALLED(marrow_action_set_loop(s.handle(kAction), s.small(), s.small())),
    CALLED(marrow_action_sync(s.handle(kAction), s.handle(kAction))),
    CALLED(marrow_action_cross_fade(s.handle(kAction), s.handle(kAction), s.number(), fade(s))),
    CALLED(marrow_action_cross_fade_to(s.handle(kAction), s.number(), fade(s))),
    CALLED(marrow_action_release(s.handle(kAction))),
    CALLED(marrow_action_get_info(s.handle(kAction), s.info<marrow_action_info>())),
    make_host,
    CALLED(s.byte() < 200 ? MARROW_OK : marrow_host_destroy(s.handle(kHost))),
    GUEST(marrow_host_load_skeleton, s.small(), s.small(), s.one<std::uint32_t>()),
    CALLED(marrow_host_skeleton_bind(s.handle(kHost), s.small())),
    GUEST(marrow_host_set_bones, s.small(), s.small()),
    GUEST(marrow_host_load_mesh, s.small(), 3 * (s.small() % 9), s.small(), s.one<std::uint32_t>()),
    GUEST(marrow_host_load_mesh_indexed, s.small(), s.small(), s.small(), 3 * (s.small() % 9), s.small(),
          s.one<std::uint32_t>()),
    GUEST(marrow_host_load_mesh_packed, s.small(), 3 * (s.small() % 9), s.small(), s.one<std::uint32_t>()),
    GUEST(marrow_host_load_mesh_packed_indexed, s.small(), s.small(), s.small(), 3 * (s.small() % 9), s.small(),
          s.one<std::uint32_t>()),
    CALLED(marrow_host_transform_identity(s.handle(kHost))),
    GUEST(marrow_host_transform_set, s.small()),
    CALLED(marrow_host_transform_set_position(s.handle(kHost), s.number_f(), s.number_f(), s.number_f())),
    CALLED(marrow_host_draw_mesh(s.handle(kHost), s.small())),
    CALLED(marrow_host_begin_frame(s.handle(kHost))),
    COPIED(marrow_host_draw, marrow_host_draws(s.handle(kHost), out, size, count)),
    CALLED(marrow_host_draw_part(s.handle(kHost), s.small(), s.info<marrow_part_info>())),
    COPIED(float, marrow_host_draw_floats(s.handle(kHost), s.small(), s.small(), out, size, count)),
    COPIED(std::uint16_t, marrow_host_draw_joints(s.handle(kHost), s.small(), out, size, count)),
    COPIED(std::uint32_t, marrow_host_draw_indices(s.handle(kHost), s.small(), out, size, count)),
    COPIED(marrow_affine, marrow_host_draw_bones(s.handle(kHost), s.small(), out, size, count)),
    COPIED(marrow_affine, marrow_host_draw_inverse_binds(s.handle(kHost), s.small(), out, size, count)),
    COPIED(marrow_affine, marrow_host_draw_palette(s.handle(kHost), s.small(), out, size, count)),
    CALLED(marrow_host_state_create(s.given(kState))),
    CALLED(s.byte() < 200 ? MARROW_OK : marrow_host_state_destroy(s.handle(kState))),
    CALLED(marrow_host_save(s.handle(kHost), s.handle(kState))),
    CALLED(marrow_host_restore(s.handle(kHost), s.handle(kState))),
    CALLED(marrow_host_hash(s.handle(kHost), s.count(), s.count())),
};
static_assert(std::size(kCalls) <= 256);

marrow_status call_any(CallSource& s) { return check_call(kCalls[s.byte() % std::size(kCalls)], s); }

// Loaded anew if an input has destroyed it.
marrow_model load_asset(const char* path, marrow_model model) {
  marrow_model_info info = {};
  info.struct_size = sizeof info;
  if (marrow_model_get_info(model, &info) != MARROW_OK) {
    require(marrow_model_load(path, nullptr, &model) == MARROW_OK, "the character can be loaded");
  }
  return model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static marrow_model character = 0, sword = 0;
  character = load_asset(MARROW_ASSETS "/character.glb", character);
  sword = load_asset(MARROW_ASSETS "/sword.glb", sword);

  // A scene with the character, a sword and two actions, and a host, so that everything is within reach.
  CallSource s(data, size);
  last_edit = nullptr;
  std::uint64_t host = 0, state = 0;
  require(marrow_host_create(nullptr, &host) == MARROW_OK && marrow_host_state_create(&state) == MARROW_OK,
          "a host can be made");
  s.add(kHost, host);
  s.add(kState, state);
  std::uint64_t scene = 0, hero = 0, thing = 0, node = 0, mixer = 0, walk = 0, run = 0;
  require(marrow_scene_create(&scene) == MARROW_OK && marrow_instance_create(scene, character, nullptr, &hero) == 0 &&
              marrow_instance_create(scene, sword, nullptr, &thing) == 0 && marrow_instance_node(thing, &node) == 0 &&
              marrow_instance_mixer(hero, &mixer) == 0 && marrow_mixer_play(mixer, 0, 1, nullptr, &walk) == 0 &&
              marrow_mixer_clip_action(mixer, 0, 2, &run) == 0,
          "a scene can be made");
  for (const std::uint64_t model : {character, sword}) s.add(kModel, model);
  s.add(kScene, scene);
  s.add(kNode, node);
  for (const std::uint64_t instance : {hero, thing}) s.add(kInstance, instance);
  s.add(kMixer, mixer);
  for (const std::uint64_t action : {walk, run}) s.add(kAction, action);

  for (int calls = 0; calls < 300 && !s.empty(); ++calls) call_any(s);
  for (const std::uint64_t each : s.handles(kScene)) marrow_scene_destroy(each);
  for (const std::uint64_t each : s.handles(kHost)) marrow_host_destroy(each);
  for (const std::uint64_t each : s.handles(kState)) marrow_host_state_destroy(each);
  for (const std::uint64_t each : s.handles(kModel)) {
    if (each != character && each != sword) marrow_model_destroy(each);
  }
  return 0;
}

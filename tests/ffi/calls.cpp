// The table of calls: every function, with what each of its arguments is.
#include "ffi/world.h"

namespace marrow::test {
namespace {

#define CALL(function, ...) make_call(#function, function, {__VA_ARGS__})

// A buffer for all that a function copies out, with its capacity and count.
#define OUT(type, size) out(w.make<type>(size)), capacity(size), optional_pointer(w.make<std::uint64_t>())

template <typename... Arguments>
std::uint64_t needed(marrow_status (*function)(Arguments...) noexcept, auto... arguments) {
  std::uint64_t count = 0;
  MARROW_REQUIRE_OK(function(arguments..., nullptr, 0, &count));
  return count;
}

marrow_pose* make_pose(World& w) {
  const std::uint64_t joints = needed(marrow_model_joint_parents, character());
  const std::uint64_t morphs = needed(marrow_model_rest_morphs, character());
  auto* const pose = w.make<marrow_pose>();
  *pose = {w.make<marrow_transform>(joints), joints, w.make<float>(morphs), morphs,
           w.make<std::uint8_t>(joints),     joints};
  MARROW_REQUIRE_OK(marrow_sample(character(), 0, 0.5, pose));
  return pose;
}

std::vector<Call> model_calls(World& w) {
  const marrow_model m = character();
  static const std::string path = asset("sword.glb");
  static const std::string small = R"({"asset": {"version": "2.0"}})";
  static const marrow_load_options load_options = MARROW_LOAD_OPTIONS_INIT;
  const std::uint64_t joints = needed(marrow_model_joint_parents, m);
  const std::uint64_t morphs = needed(marrow_model_rest_morphs, m);
  const std::uint64_t skin = needed(marrow_model_skin_joints, m, 0u);
  const std::uint64_t floats = needed(marrow_model_part_floats, m, 0u, 0u, 0u, 0u);
  const std::uint64_t influences = needed(marrow_model_part_joints, m, 0u, 0u);
  const std::uint64_t indices = needed(marrow_model_part_indices, m, 0u, 0u);
  marrow_pose* const pose = make_pose(w);
  auto* const matrices = w.make<marrow_affine>(joints);
  MARROW_REQUIRE_OK(marrow_local_to_model(m, pose->transforms, joints, matrices, joints));
  auto* const input = w.make<marrow_blend_input>();
  *input = {*pose, 1, 1};
  auto* const layer = w.make<marrow_blend_layer>();
  *layer = {input, 1, nullptr, 0, MARROW_REPLACE, MARROW_FILL_FADE, 1, 0};
  auto* const job = w.sized<marrow_skin_job>();
  job->vertex_count = 2;
  job->positions = {w.make<float>(6), 24, 0};
  job->out_positions = {w.make<float>(6), 24, 0};
  const auto texts = [&](auto function, std::uint64_t number) {
    return needed(function, m, static_cast<std::uint32_t>(number));
  };
  return {
      CALL(marrow_model_load, pointer(path.c_str()), options(&load_options), pointer(w.make<marrow_model>())),
      CALL(marrow_model_read, pointer(small.data()), plain(small.size()), options(&load_options),
           pointer(w.make<marrow_model>())),
      CALL(marrow_model_destroy, handle(w.spare_model)),
      CALL(marrow_model_get_info, handle(m), info(w.sized<marrow_model_info>())),
      CALL(marrow_model_name, handle(m), OUT(char, needed(marrow_model_name, m))),
      CALL(marrow_model_warning, handle(w.spare_model), index(0),
           OUT(char, needed(marrow_model_warning, w.spare_model, 0u))),
      CALL(marrow_model_find_joint, handle(m), pointer("hand_R"), pointer(w.make<std::uint32_t>())),
      CALL(marrow_model_find_clip, handle(m), pointer("walk"), pointer(w.make<std::uint32_t>())),
      CALL(marrow_model_joint_name, handle(m), index(0), OUT(char, texts(marrow_model_joint_name, 0))),
      CALL(marrow_model_joint_parents, handle(m), OUT(std::int32_t, joints)),
      CALL(marrow_model_rest_pose, handle(m), OUT(marrow_transform, joints)),
      CALL(marrow_model_rest_morphs, handle(m), OUT(float, morphs)),
      CALL(marrow_model_joint_morphs, handle(m), index(0), optional_pointer(w.make<std::uint32_t>()),
           optional_pointer(w.make<std::uint32_t>())),
      CALL(marrow_model_branch_mask, handle(m), index(1), plain(2), OUT(float, joints)),
      CALL(marrow_model_clip_name, handle(m), index(0), OUT(char, texts(marrow_model_clip_name, 0))),
      CALL(marrow_model_clip_duration, handle(m), index(0), pointer(w.make<double>())),
      CALL(marrow_model_skin_name, handle(m), index(0), OUT(char, texts(marrow_model_skin_name, 0))),
      CALL(marrow_model_skin_joints, handle(m), index(0), OUT(std::uint32_t, skin)),
      CALL(marrow_model_skin_inverse_binds, handle(m), index(0), OUT(marrow_affine, skin)),
      CALL(marrow_model_get_node, handle(m), index(0), info(w.sized<marrow_node_info>())),
      CALL(marrow_model_node_name, handle(m), index(0), OUT(char, texts(marrow_model_node_name, 0))),
      CALL(marrow_model_mesh_name, handle(m), index(0), OUT(char, texts(marrow_model_mesh_name, 0))),
      CALL(marrow_model_mesh_parts, handle(m), index(0), pointer(w.make<std::uint32_t>())),
      CALL(marrow_model_get_part, handle(m), index(0), index(0), info(w.sized<marrow_part_info>())),
      CALL(marrow_model_part_floats, handle(m), index(0), index(0), choice(MARROW_POSITION), index(0),
           OUT(float, floats)),
      CALL(marrow_model_part_joints, handle(m), index(0), index(0), OUT(std::uint16_t, influences)),
      CALL(marrow_model_part_indices, handle(m), index(0), index(0), OUT(std::uint32_t, indices)),
      CALL(marrow_model_get_material, handle(m), index(0), info(w.sized<marrow_material_info>())),
      CALL(marrow_model_material_name, handle(m), index(0), OUT(char, texts(marrow_model_material_name, 0))),
      CALL(marrow_sample, handle(m), index(0), number(0.5), pointer(pose)),
      CALL(marrow_blend, handle(m), pointer(layer), plain(1), pointer(pose)),
      CALL(marrow_local_to_model, handle(m), pointer(pose->transforms), length(joints), pointer(matrices),
           length(joints)),
      CALL(marrow_palette, handle(m), index(0), pointer(matrices), length(joints), pointer(w.make<marrow_affine>(skin)),
           length(skin)),
      CALL(marrow_skin_vertices, info(job)),
  };
}

void run_in_order(void*, std::uint32_t job_count, void (*run_job)(void*, std::uint32_t), void* data) {
  for (std::uint32_t job = 0; job < job_count; ++job) run_job(data, job);
}

std::vector<Call> scene_calls(World& w) {
  static const marrow_transform place = MARROW_TRANSFORM_IDENTITY;
  static const marrow_affine matrix = {{1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3}};
  static const marrow_executor executor = {run_in_order, nullptr};
  const std::uint64_t children = needed(marrow_node_children, w.sword_node);
  const auto beside = [&](marrow_node node) { return handle(node, {w.alien_node}); };
  return {
      CALL(marrow_scene_create, pointer(w.make<marrow_scene>())),
      CALL(marrow_scene_destroy, handle(w.spare_scene)),
      CALL(marrow_scene_clear, handle(w.life.scene)),
      CALL(marrow_scene_root, handle(w.life.scene), pointer(w.make<marrow_node>())),
      CALL(marrow_scene_counts, handle(w.life.scene), optional_pointer(w.make<std::uint64_t>()),
           optional_pointer(w.make<std::uint64_t>())),
      CALL(marrow_scene_update, handle(w.life.scene), number(0.1), optional_pointer(&executor)),
      CALL(marrow_scene_refresh, handle(w.life.scene)),
      CALL(marrow_node_create, handle(w.life.scene), optional_pointer("name"), optional_pointer(&place),
           optional_handle(w.bone, {w.alien_node, w.alien_bone}), pointer(w.make<marrow_node>())),
      CALL(marrow_node_destroy, handle(w.node), choice(0)),
      CALL(marrow_node_name, handle(w.node), OUT(char, 6)),
      CALL(marrow_node_set_name, handle(w.node), pointer("other")),
      CALL(marrow_node_scene, handle(w.node), pointer(w.make<marrow_scene>())),
      CALL(marrow_node_parent, handle(w.node), pointer(w.make<marrow_node>())),
      CALL(marrow_node_instance, handle(w.bone), pointer(w.make<marrow_instance>())),
      CALL(marrow_node_children, handle(w.sword_node), OUT(marrow_node, children)),
      CALL(marrow_node_find, handle(w.sword_node), pointer("child"), pointer(w.make<marrow_node>())),
      CALL(marrow_node_add, handle(w.bone), beside(w.node), choice(1), optional_pointer(w.make<marrow_place_result>())),
      CALL(marrow_node_remove, handle(w.sword_node), beside(w.node), choice(0),
           optional_pointer(w.make<marrow_place_result>())),
      CALL(marrow_node_local, handle(w.node), pointer(w.make<marrow_transform>())),
      CALL(marrow_node_set_local, handle(w.node), pointer(&place)),
      CALL(marrow_node_world, handle(w.node), pointer(w.make<marrow_affine>())),
      CALL(marrow_node_set_world, handle(w.node), pointer(&matrix), optional_pointer(w.make<marrow_place_result>())),
      CALL(marrow_node_visible, handle(w.node), optional_pointer(w.make<std::uint32_t>()),
           optional_pointer(w.make<std::uint32_t>())),
      CALL(marrow_node_set_visible, handle(w.node), choice(0)),
  };
}

// A node of the character that shows a mesh, and how many vertices its first part has.
struct Shown {
  std::uint32_t node = 0;
  std::uint32_t vertices = 0;
  std::uint64_t morphs = 0;
};
Shown find_shown(marrow_instance hero) {
  for (std::uint32_t n = 0;; ++n) {
    marrow_node_info node = {};
    node.struct_size = sizeof node;
    MARROW_REQUIRE_OK(marrow_model_get_node(character(), n, &node));
    if (node.mesh == MARROW_NONE) continue;
    const std::uint64_t morphs = needed(marrow_instance_morphs, hero, n);
    if (morphs == 0) continue;
    marrow_part_info part = {};
    part.struct_size = sizeof part;
    MARROW_REQUIRE_OK(marrow_model_get_part(character(), static_cast<std::uint32_t>(node.mesh), 0, &part));
    return {n, part.vertex_count, morphs};
  }
}

std::vector<Call> instance_calls(World& w) {
  static const marrow_transform turn = {{0, 0, 0}, {0, 0, 1, 0}, {1, 1, 1}};
  static const marrow_instance_options instance_options = MARROW_INSTANCE_OPTIONS_INIT;
  static const marrow_executor executor = {run_in_order, nullptr};
  const marrow_instance hero = w.life.hero;
  const Shown shown = find_shown(hero);
  const std::uint64_t matrices = needed(marrow_instance_palette, hero, 0u);
  const std::uint64_t joints = needed(marrow_instance_joint_matrices, hero);
  const std::uint64_t nodes = needed(marrow_instance_node_matrices, hero);
  auto* const list = w.make<marrow_instance>(2);
  list[0] = hero;
  list[1] = w.sword_instance;
  const auto part = [&] { return handle(w.bone, {w.alien_bone, w.sibling_bone, w.node, w.alien_node}); };
  return {
      CALL(marrow_instance_create, handle(w.life.scene), handle(character()), options(&instance_options),
           pointer(w.make<marrow_instance>())),
      CALL(marrow_instance_destroy, handle(w.sword_instance)),
      CALL(marrow_instance_node, handle(hero), pointer(w.make<marrow_node>())),
      CALL(marrow_instance_find_bone, handle(hero), pointer("hand_R"), pointer(w.make<marrow_node>())),
      CALL(marrow_instance_bone, handle(hero), index(3), pointer(w.make<marrow_node>())),
      CALL(marrow_instance_model_node, handle(hero), index(3), pointer(w.make<marrow_node>())),
      CALL(marrow_instance_mixer, handle(hero), pointer(w.make<marrow_mixer>())),
      CALL(marrow_instance_update, handle(hero), number(0.1)),
      CALL(marrow_instance_advance, handle(hero), number(0.1)),
      CALL(marrow_instance_evaluate, handle(hero)),
      CALL(marrow_instance_finish, handle(hero)),
      CALL(marrow_update_instances, pointer(list), plain(2), number(0.1), optional_pointer(&executor)),
      CALL(marrow_instance_pose, handle(hero), pointer(make_pose(w))),
      CALL(marrow_instance_set_pose, handle(hero), pointer(make_pose(w))),
      CALL(marrow_instance_joint_matrices, handle(hero), OUT(marrow_affine, joints)),
      CALL(marrow_instance_node_matrices, handle(hero), OUT(marrow_affine, nodes)),
      CALL(marrow_instance_palette, handle(hero), index(0), OUT(marrow_affine, matrices)),
      CALL(marrow_instance_morphs, handle(hero), index(shown.node), OUT(float, shown.morphs)),
      CALL(marrow_instance_set_override, handle(hero), part(), pointer(&turn), number(1)),
      CALL(marrow_instance_clear_override, handle(hero), part()),
      CALL(marrow_instance_clear_overrides, handle(hero)),
      CALL(marrow_instance_has_override, handle(hero), part(), pointer(w.make<std::uint32_t>())),
      CALL(marrow_instance_attach, handle(hero), handle(w.node, {w.alien_node}), pointer("hand_L"),
           optional_pointer(&turn)),
      CALL(marrow_instance_detach, handle(hero), handle(w.sword_node, {w.alien_node}),
           optional_pointer(w.make<marrow_place_result>())),
      CALL(marrow_instance_set_skinning, handle(hero), index(0), choice(1)),
      CALL(marrow_instance_skin, handle(hero), index(shown.node), index(0),
           pointer(w.make<float>(shown.vertices * std::size_t{3})), length(shown.vertices * std::uint64_t{3}),
           pointer(w.make<float>(shown.vertices * std::size_t{3})), length(shown.vertices * std::uint64_t{3}),
           optional_pointer(nullptr), plain(0)),
      CALL(marrow_instance_bounds, handle(hero), pointer(w.make<marrow_box>())),
      CALL(marrow_instance_world_bounds, handle(hero), pointer(w.make<marrow_box>())),
  };
}

#define EDIT_CALL(function, ...) make_edit_call(in_stage, #function, function, {edit(), __VA_ARGS__})

std::vector<Call> stage_calls(World& w) {
  static const marrow_transform turn = {{0, 0, 0}, {0, 0, 1, 0}, {1, 1, 1}};
  static marrow_pose_stage stage = {
      sizeof stage, 1, 8, "nothing", [](void*, marrow_pose_edit*) { return std::uint32_t{MARROW_STAGE_UNCHANGED}; },
      nullptr};
  const marrow_instance hero = w.life.hero;
  const auto in_stage = [&w](const auto& body) { return w.in_stage(body); };
  std::uint32_t morphs = 0;
  const std::uint32_t face = face_joint(&morphs);
  const std::uint64_t size = w.instance_block.size();
  return {
      CALL(marrow_instance_snapshot_size, handle(hero), pointer(w.make<std::uint64_t>())),
      CALL(marrow_instance_save, handle(hero), pointer(w.make<std::byte>(16 * size)), plain(16 * size),  // mixers grow
           optional_pointer(w.make<std::uint64_t>())),
      CALL(marrow_instance_restore, handle(hero), pointer(w.instance_block.data()), plain(size)),
      CALL(marrow_instance_add_stage, handle(hero), info(&stage), pointer(w.make<std::uint32_t>())),
      CALL(marrow_instance_remove_stage, handle(hero), plain(w.stage)),
      CALL(marrow_instance_stage_count, handle(hero), pointer(w.make<std::uint32_t>())),
      CALL(marrow_instance_touch, handle(hero)),
      EDIT_CALL(marrow_pose_edit_dt, pointer(w.make<double>())),
      EDIT_CALL(marrow_pose_edit_state, pointer(w.make<void*>()), optional_pointer(w.make<std::uint64_t>())),
      EDIT_CALL(marrow_pose_edit_local, index(3), pointer(w.make<marrow_transform>())),
      EDIT_CALL(marrow_pose_edit_set_local, index(3), pointer(&turn)),
      EDIT_CALL(marrow_pose_edit_joint_matrix, index(3), pointer(w.make<marrow_affine>())),
      EDIT_CALL(marrow_pose_edit_joint_matrices, OUT(marrow_affine, kJoints)),
      EDIT_CALL(marrow_pose_edit_morphs, index(face), OUT(float, morphs)),
      EDIT_CALL(marrow_pose_edit_set_morphs, index(face), pointer(w.make<float>(morphs)), length(morphs)),
  };
}

std::vector<Call> mixer_calls(World& w) {
  static const marrow_play_options play = MARROW_PLAY_OPTIONS_INIT;
  static const marrow_fade_options fade = MARROW_FADE_OPTIONS_INIT;
  static const marrow_layer_options layer = MARROW_LAYER_OPTIONS_INIT;
  static const marrow_root_motion_options root = MARROW_ROOT_MOTION_OPTIONS_INIT;
  static const marrow_mark mark = {0.5, "step"};
  const marrow_mixer mixer = w.life.mixer;
  const std::uint64_t joints = needed(marrow_model_joint_parents, character());
  const std::uint64_t actions = needed(marrow_mixer_actions, mixer), events = needed(marrow_mixer_events, mixer);
  return {
      CALL(marrow_mixer_clip_action, handle(mixer), index(0), index(1), pointer(w.make<marrow_action>())),
      CALL(marrow_mixer_new_action, handle(mixer), index(0), index(1), pointer(w.make<marrow_action>())),
      CALL(marrow_mixer_play, handle(mixer), index(0), index(1), options(&play),
           optional_pointer(w.make<marrow_action>())),
      CALL(marrow_mixer_switch_to, handle(mixer), index(0), index(1), options(&play),
           optional_pointer(w.make<marrow_action>())),
      CALL(marrow_mixer_cross_fade_to, handle(mixer), index(0), index(1), number(0.3), options(&fade),
           optional_pointer(w.make<marrow_action>())),
      CALL(marrow_instance_play, handle(w.life.hero), pointer("walk"), options(&play),
           optional_pointer(w.make<marrow_action>())),
      CALL(marrow_instance_switch_to, handle(w.life.hero), pointer("walk"), options(&play),
           optional_pointer(w.make<marrow_action>())),
      CALL(marrow_instance_cross_fade_to, handle(w.life.hero), pointer("walk"), number(0.3), options(&fade),
           optional_pointer(w.make<marrow_action>())),
      CALL(marrow_mixer_stop_all, handle(mixer)),
      CALL(marrow_mixer_stop_layer, handle(mixer), index(0)),
      CALL(marrow_mixer_fade_out_layer, handle(mixer), index(0), number(0.3), choice(1)),
      CALL(marrow_mixer_actions, handle(mixer), OUT(marrow_action, actions)),
      CALL(marrow_mixer_current, handle(mixer), index(0), pointer(w.make<marrow_action>())),
      CALL(marrow_mixer_add_layer, handle(mixer), options(&layer), optional_pointer(w.make<std::uint32_t>())),
      CALL(marrow_mixer_layer_count, handle(mixer), pointer(w.make<std::uint32_t>())),
      CALL(marrow_mixer_layer_weight, handle(mixer), index(0), pointer(w.make<float>())),
      CALL(marrow_mixer_fade_layer, handle(mixer), index(0), number(0.5), number(0.1), choice(3)),
      CALL(marrow_mixer_set_mask, handle(mixer), index(0), pointer(w.make<float>(joints)), length(joints)),
      CALL(marrow_mixer_set_fill, handle(mixer), index(0), choice(1)),
      CALL(marrow_mixer_time_scale, handle(mixer), pointer(w.make<double>())),
      CALL(marrow_mixer_set_time_scale, handle(mixer), number(2)),
      CALL(marrow_mixer_events, handle(mixer), OUT(marrow_event, events)),
      CALL(marrow_mixer_dropped_events, handle(mixer), pointer(w.make<std::uint64_t>())),
      CALL(marrow_mixer_event_name, handle(mixer), index(0), OUT(char, needed(marrow_mixer_event_name, mixer, 0u))),
      CALL(marrow_mixer_set_marks, handle(mixer), index(0), pointer(&mark), plain(1)),
      CALL(marrow_mixer_set_root_motion, handle(mixer), options(&root)),
      CALL(marrow_mixer_clear_root_motion, handle(mixer)),
      CALL(marrow_mixer_root_motion, handle(mixer), pointer(w.make<marrow_transform>())),
      CALL(marrow_mixer_save, handle(mixer), pointer(w.make<std::byte>(16 * w.block.size())),
           plain(16 * w.block.size()), optional_pointer(w.make<std::uint64_t>())),
      CALL(marrow_mixer_restore, handle(mixer), pointer(w.block.data()), plain(w.block.size())),
      CALL(marrow_action_play, handle(w.action)),
      CALL(marrow_action_stop, handle(w.action)),
      CALL(marrow_action_pause, handle(w.action)),
      CALL(marrow_action_resume, handle(w.action)),
      CALL(marrow_action_reset, handle(w.action)),
      CALL(marrow_action_seek, handle(w.action), number(0.2)),
      CALL(marrow_action_fade_in, handle(w.action), number(0.2), choice(1)),
      CALL(marrow_action_fade_out, handle(w.action), number(0.2), choice(1)),
      CALL(marrow_action_set_speed, handle(w.action), number(0.2)),
      CALL(marrow_action_set_weight, handle(w.action), number(0.2)),
      CALL(marrow_action_set_loop, handle(w.action), choice(2), plain(3)),
      CALL(marrow_action_sync, handle(w.action), optional_handle(w.second, {w.alien})),
      CALL(marrow_action_cross_fade, handle(w.action), handle(w.second, {w.alien}), number(0.3), options(&fade)),
      CALL(marrow_action_cross_fade_to, handle(w.action), number(0.3), options(&fade)),
      CALL(marrow_action_release, handle(w.action)),
      CALL(marrow_action_get_info, handle(w.action), info(w.sized<marrow_action_info>())),
  };
}

std::vector<Call> host_calls(World& w) {
  static const marrow_host_options host_options = MARROW_HOST_OPTIONS_INIT;
  const Argument host = handle(w.host);
  const Argument memory = pointer(w.guest.bytes.data()), size = plain(w.guest.end());
  const auto result = [&] { return pointer(w.make<std::uint32_t>()); };
  return {
      CALL(marrow_host_create, options(&host_options), pointer(w.make<marrow_host>())),
      CALL(marrow_host_destroy, handle(w.spare_host)),
      CALL(marrow_host_load_skeleton, host, memory, size, plain(w.guest.matrices), plain(3), result()),
      CALL(marrow_host_skeleton_bind, host, plain(0)),
      CALL(marrow_host_set_bones, host, memory, size, plain(w.guest.matrices), plain(3)),
      CALL(marrow_host_load_mesh, host, memory, size, plain(w.guest.corners), plain(3), plain(8), result()),
      CALL(marrow_host_load_mesh_indexed, host, memory, size, plain(w.guest.corners), plain(3), plain(w.guest.indices),
           plain(3), plain(8), result()),
      CALL(marrow_host_load_mesh_packed, host, memory, size, plain(w.guest.packed), plain(3), plain(0), result()),
      CALL(marrow_host_load_mesh_packed_indexed, host, memory, size, plain(w.guest.packed), plain(3),
           plain(w.guest.indices), plain(3), plain(0), result()),
      CALL(marrow_host_transform_identity, host),
      CALL(marrow_host_transform_set, host, memory, size, plain(w.guest.matrices)),
      CALL(marrow_host_transform_set_position, host, plain(1), plain(2), plain(3)),
      CALL(marrow_host_draw_mesh, host, plain(1)),
      CALL(marrow_host_begin_frame, host),
      CALL(marrow_host_draws, host, OUT(marrow_host_draw, 1)),
      CALL(marrow_host_draw_part, host, index(0), info(w.sized<marrow_part_info>())),
      CALL(marrow_host_draw_floats, host, index(0), choice(MARROW_WEIGHTS), OUT(float, 12)),
      CALL(marrow_host_draw_joints, host, index(0), OUT(std::uint16_t, 12)),
      CALL(marrow_host_draw_indices, host, index(0), OUT(std::uint32_t, 3)),
      CALL(marrow_host_draw_bones, host, index(0), OUT(marrow_affine, 3)),
      CALL(marrow_host_draw_inverse_binds, host, index(0), OUT(marrow_affine, 3)),
      CALL(marrow_host_draw_palette, host, index(0), OUT(marrow_affine, MARROW_HOST_BONES)),
      CALL(marrow_host_state_create, pointer(w.make<marrow_host_state>())),
      CALL(marrow_host_state_destroy, handle(w.spare_state)),
      CALL(marrow_host_save, host, handle(w.state)),
      CALL(marrow_host_restore, host, handle(w.state)),
      CALL(marrow_host_hash, host, optional_pointer(w.make<std::uint64_t>()),
           optional_pointer(w.make<std::uint64_t>())),
  };
}

}  // namespace

std::vector<Call> all_calls(World& w) {
  std::vector<Call> calls;
  for (const auto& some :
       {model_calls(w), scene_calls(w), instance_calls(w), stage_calls(w), mixer_calls(w), host_calls(w)}) {
    calls.insert(calls.end(), some.begin(), some.end());
  }
  return calls;
}

}  // namespace marrow::test

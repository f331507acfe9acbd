//! The character in Rust: it stands, walks and runs through the world, waves and nods meanwhile, and has a sword in its
//! hand. The last second is played twice, from a snapshot.
//!
//!     rustc character.rs -L native=LIB_FOLDER && ./character assets
//!
//! Needs no crates. examples/c and examples/python do the same, and print the same.

use std::ffi::{c_void, CStr, CString};
use std::ops::RangeInclusive;
use std::os::raw::c_char;
use std::ptr::{null, null_mut};

type Status = i32;
type Handle = u64;

#[repr(C)]
struct Error {
    status: Status,
    message: *const c_char,
    place: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Transform {
    translation: [f32; 3],
    rotation: [f32; 4],
    scale: [f32; 3],
}

const IDENTITY: Transform = Transform { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };

#[repr(C)]
#[derive(Clone, Copy)]
struct Affine {
    m: [f32; 12],
}

#[repr(C)]
struct PlayOptions {
    struct_size: u32,
    set: u32,
    speed: f64,
    fade_in: f64,
    loop_mode: u32,
    repetitions: u32,
    weight: f32,
    reserved: u32,
}

#[repr(C)]
struct LayerOptions {
    struct_size: u32,
    mode: u32,
    fill: u32,
    weight: f32,
    mask: *const f32,
    mask_count: u64,
}

/// The pose that a stage changes.
#[repr(C)]
struct PoseEdit {
    _private: [u8; 0],
}

#[repr(C)]
struct PoseStage {
    struct_size: u32,
    version: u32,
    state_bytes: u64,
    name: *const c_char,
    run: extern "C" fn(context: *mut c_void, edit: *mut PoseEdit) -> u32,
    context: *mut c_void,
}

const ABI_VERSION: u32 = 5;
const REPEAT: u32 = 1;
const EASE_SMOOTH: u32 = 1;
const STAGE_CHANGED: u32 = 1;

#[link(name = "marrow")]
extern "C" {
    fn marrow_check_abi(version: u32) -> Status;
    fn marrow_last_error() -> *const Error;
    fn marrow_model_load(path: *const c_char, options: *const c_void, model: *mut Handle) -> Status;
    fn marrow_model_destroy(model: Handle) -> Status;
    fn marrow_model_find_clip(model: Handle, name: *const c_char, clip: *mut u32) -> Status;
    fn marrow_model_find_joint(model: Handle, name: *const c_char, joint: *mut u32) -> Status;
    fn marrow_model_branch_mask(
        model: Handle, joint: u32, feather: u32, out: *mut f32, capacity: u64, count: *mut u64,
    ) -> Status;
    fn marrow_scene_create(scene: *mut Handle) -> Status;
    fn marrow_scene_destroy(scene: Handle) -> Status;
    fn marrow_scene_update(scene: Handle, seconds: f64, executor: *const c_void) -> Status;
    fn marrow_instance_create(
        scene: Handle, model: Handle, options: *const c_void, instance: *mut Handle,
    ) -> Status;
    fn marrow_instance_node(instance: Handle, node: *mut Handle) -> Status;
    fn marrow_instance_mixer(instance: Handle, mixer: *mut Handle) -> Status;
    fn marrow_instance_attach(
        instance: Handle, thing: Handle, bone: *const c_char, offset: *const Transform,
    ) -> Status;
    fn marrow_instance_palette(
        instance: Handle, skin: u32, out: *mut Affine, capacity: u64, count: *mut u64,
    ) -> Status;
    fn marrow_instance_snapshot_size(instance: Handle, size: *mut u64) -> Status;
    fn marrow_instance_save(instance: Handle, out: *mut c_void, capacity: u64, count: *mut u64) -> Status;
    fn marrow_instance_restore(instance: Handle, block: *const c_void, size: u64) -> Status;
    fn marrow_instance_add_stage(instance: Handle, stage: *const PoseStage, number: *mut u32) -> Status;
    fn marrow_pose_edit_dt(edit: *mut PoseEdit, seconds: *mut f64) -> Status;
    fn marrow_pose_edit_state(edit: *mut PoseEdit, state: *mut *mut c_void, size: *mut u64) -> Status;
    fn marrow_pose_edit_local(edit: *mut PoseEdit, joint: u32, local: *mut Transform) -> Status;
    fn marrow_pose_edit_set_local(edit: *mut PoseEdit, joint: u32, local: *const Transform) -> Status;
    fn marrow_node_world(node: Handle, world: *mut Affine) -> Status;
    fn marrow_node_set_local(node: Handle, local: *const Transform) -> Status;
    fn marrow_mixer_play(
        mixer: Handle, layer: u32, clip: u32, options: *const PlayOptions, action: *mut Handle,
    ) -> Status;
    fn marrow_mixer_cross_fade_to(
        mixer: Handle, layer: u32, clip: u32, seconds: f64, options: *const c_void, action: *mut Handle,
    ) -> Status;
    fn marrow_mixer_add_layer(mixer: Handle, options: *const LayerOptions, layer: *mut u32) -> Status;
    fn marrow_mixer_fade_out_layer(mixer: Handle, layer: u32, seconds: f64, easing: u32) -> Status;
    fn marrow_mixer_set_root_motion(mixer: Handle, options: *const c_void) -> Status;
    fn marrow_mixer_root_motion(mixer: Handle, delta: *mut Transform) -> Status;
}

/// Ends the program with what the library has to say, unless a call succeeds.
fn check(status: Status) {
    if status != 0 {
        // Good until the next call on this thread that fails.
        let (message, place) = unsafe {
            let error = &*marrow_last_error();
            debug_assert!(error.status == status);
            (CStr::from_ptr(error.message), CStr::from_ptr(error.place))
        };
        eprintln!("{} {}", message.to_string_lossy(), place.to_string_lossy());
        std::process::exit(1);
    }
}

/// Returns what a call writes to its last argument.
fn get<T: Default>(call: impl FnOnce(*mut T) -> Status) -> T {
    let mut result = T::default();
    check(call(&mut result));
    result
}

fn load(folder: &str, name: &str) -> Handle {
    let path = CString::new(format!("{folder}/{name}")).unwrap();
    get(|model| unsafe { marrow_model_load(path.as_ptr(), null(), model) })
}

fn find_clip(model: Handle, name: &str) -> u32 {
    let name = CString::new(name).unwrap();
    get(|clip| unsafe { marrow_model_find_clip(model, name.as_ptr(), clip) })
}

/// FNV-1a, of the bytes of the palette: the same number on every machine.
fn hash_of(palette: &[Affine]) -> u64 {
    let bytes = palette.iter().flat_map(|affine| affine.m).flat_map(f32::to_le_bytes);
    bytes.fold(14695981039346656037, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(1099511628211))
}

/// A pose stage: nods every two seconds. Its state bytes, which snapshots contain, are a double: the phase of the
/// nod, from 0 to 1.
extern "C" fn nod(context: *mut c_void, edit: *mut PoseEdit) -> u32 {
    let head = unsafe { *(context as *const u32) };
    let dt: f64 = get(|seconds| unsafe { marrow_pose_edit_dt(edit, seconds) });
    let (mut state, mut local) = (null_mut(), IDENTITY);
    check(unsafe { marrow_pose_edit_state(edit, &mut state, null_mut()) });
    check(unsafe { marrow_pose_edit_local(edit, head, &mut local) });
    let phase = unsafe { &mut *(state as *mut f64) };
    *phase += dt / 2.0;
    if *phase >= 1.0 {
        *phase -= 1.0;
    }

    // The rotation times (tilt, 0, 0, 1), which set_local normalises. Products of floats are exact in double, so all
    // languages and machines get the same bits.
    let tilt = f64::from((0.3 * if *phase < 0.5 { *phase } else { 1.0 - *phase }) as f32);
    let [x, y, z, w] = local.rotation.map(f64::from);
    local.rotation = [x + w * tilt, y + z * tilt, z - y * tilt, w - x * tilt].map(|value| value as f32);
    check(unsafe { marrow_pose_edit_set_local(edit, head, &local) });
    STAGE_CHANGED
}

fn main() {
    let folder = std::env::args().nth(1).unwrap_or("assets".to_string());
    check(unsafe { marrow_check_abi(ABI_VERSION) });
    let (model, sword_model) = (load(&folder, "character.glb"), load(&folder, "sword.glb"));
    let [idle, walk, run, wave] = ["idle", "walk", "run", "wave"].map(|name| find_clip(model, name));

    let scene: Handle = get(|scene| unsafe { marrow_scene_create(scene) });
    let hero: Handle = get(|hero| unsafe { marrow_instance_create(scene, model, null(), hero) });
    let sword: Handle = get(|sword| unsafe { marrow_instance_create(scene, sword_model, null(), sword) });
    let body: Handle = get(|node| unsafe { marrow_instance_node(hero, node) });
    let blade: Handle = get(|node| unsafe { marrow_instance_node(sword, node) });
    let grip = CString::new("grip_R").unwrap();
    check(unsafe { marrow_instance_attach(hero, blade, grip.as_ptr(), null()) });

    // The base layer moves everything; the one above it the chest and what is on it, alone.
    let mixer: Handle = get(|mixer| unsafe { marrow_instance_mixer(hero, mixer) });
    check(unsafe { marrow_mixer_set_root_motion(mixer, null()) });
    check(unsafe { marrow_mixer_play(mixer, 0, idle, null(), null_mut()) });
    let name = CString::new("chest").unwrap();
    let chest: u32 = get(|joint| unsafe { marrow_model_find_joint(model, name.as_ptr(), joint) });
    let count: u64 = get(|count| unsafe { marrow_model_branch_mask(model, chest, 1, null_mut(), 0, count) });
    let mut mask = vec![0f32; count as usize];
    check(unsafe { marrow_model_branch_mask(model, chest, 1, mask.as_mut_ptr(), count, null_mut()) });
    let arms = LayerOptions {
        struct_size: std::mem::size_of::<LayerOptions>() as u32,
        mode: 0,
        fill: 0,
        weight: 1.0,
        mask: mask.as_ptr(),
        mask_count: count,
    };
    let layer: u32 = get(|layer| unsafe { marrow_mixer_add_layer(mixer, &arms, layer) });
    let waving = PlayOptions {
        struct_size: std::mem::size_of::<PlayOptions>() as u32,
        set: 0,
        speed: 1.0,
        fade_in: 0.2,
        loop_mode: REPEAT,
        repetitions: 0,
        weight: 1.0,
        reserved: 0,
    };

    let (name, head_name) = (CString::new("nod").unwrap(), CString::new("head").unwrap());
    let mut head: u32 = get(|joint| unsafe { marrow_model_find_joint(model, head_name.as_ptr(), joint) });
    let nodding = PoseStage {
        struct_size: std::mem::size_of::<PoseStage>() as u32,
        version: 1,
        state_bytes: std::mem::size_of::<f64>() as u64,
        name: name.as_ptr(),
        run: nod,
        context: &mut head as *mut u32 as *mut c_void,
    };
    get::<u32>(|number| unsafe { marrow_instance_add_stage(hero, &nodding, number) });

    let matrices: u64 = get(|count| unsafe { marrow_instance_palette(hero, 0, null_mut(), 0, count) });
    let mut palette = vec![Affine { m: [0.0; 12] }; matrices as usize];
    let mut play = |place: &mut Transform, frames: RangeInclusive<i32>| {
        for frame in frames {
            let fade = |clip, seconds| unsafe {
                check(marrow_mixer_cross_fade_to(mixer, 0, clip, seconds, null(), null_mut()))
            };
            match frame {
                61 => fade(walk, 0.3),
                121 => check(unsafe { marrow_mixer_play(mixer, layer, wave, &waving, null_mut()) }),
                181 => fade(run, 0.4),
                241 => check(unsafe { marrow_mixer_fade_out_layer(mixer, layer, 0.5, EASE_SMOOTH) }),
                301 => fade(idle, 0.3),
                _ => {}
            }
            check(unsafe { marrow_scene_update(scene, 1.0 / 60.0, null()) });

            // The root motion of the clips moves the place in the world. None of them turns.
            let mut step = IDENTITY;
            check(unsafe { marrow_mixer_root_motion(mixer, &mut step) });
            for i in 0..3 {
                place.translation[i] += step.translation[i];
            }
            check(unsafe { marrow_node_set_local(body, place) });

            if frame % 60 == 0 {
                let mut world = Affine { m: [0.0; 12] };
                check(unsafe { marrow_instance_palette(hero, 0, palette.as_mut_ptr(), matrices, null_mut()) });
                check(unsafe { marrow_node_world(blade, &mut world) });
                let (x, y, z) = (world.m[3], world.m[7], world.m[11]);
                println!("{} s: palette {:016x}, sword at {x:.6} {y:.6} {z:.6}", frame / 60, hash_of(&palette));
            }
        }
    };

    let mut place = IDENTITY;
    play(&mut place, 1..=300);
    let size: u64 = get(|size| unsafe { marrow_instance_snapshot_size(hero, size) });
    let mut block = vec![0u8; size as usize];
    let size: u64 = get(|count| unsafe { marrow_instance_save(hero, block.as_mut_ptr().cast(), size, count) });
    let mut again = place;
    play(&mut place, 301..=360);

    // The same second again.
    check(unsafe { marrow_instance_restore(hero, block.as_ptr().cast(), size) });
    play(&mut again, 301..=360);

    check(unsafe { marrow_scene_destroy(scene) });
    check(unsafe { marrow_model_destroy(sword_model) });
    check(unsafe { marrow_model_destroy(model) });
}

//! What a game needs inside a fantasy console, where it is a WASM module with animation of its own: the functions of
//! the console, and arithmetic that a game may use or not. The same as marrow_guest.h, which says more, to the bit.
//!
//!     #[path = "marrow_guest.rs"]
//!     mod guest; // by this name, at the root of the crate
//!     mod walk; // what `marrow export animation --clip walk` writes
//!     static WALK: guest::Clip = guest::clip!(walk);
//!     ...
//!     guest::sample(&WALK, guest::loop_time(time, WALK.duration), &mut pose);     // relative to parents
//!     guest::to_model(&pose, &character::BONE_PARENTS, &mut bones);               // in the model
//!     guest::skeleton_bind(skeleton);
//!     guest::set_bones(&bones);
//!     guest::draw_mesh(mesh);
//!
//! No allocation, no state, no crate but core. The console copies what it is given before a call returns.
#![allow(dead_code, unused_macros)]

mod console {
    #[cfg_attr(target_arch = "wasm32", link(wasm_import_module = "env"))]
    extern "C" {
        pub fn load_skeleton(inverse_binds: *const f32, bone_count: u32) -> u32;
        pub fn skeleton_bind(skeleton: u32);
        pub fn set_bones(matrices: *const f32, count: u32);
        pub fn load_mesh(vertices: *const f32, vertex_count: u32, format: u32) -> u32;
        pub fn load_mesh_indexed(
            vertices: *const f32, vertex_count: u32, indices: *const u16, index_count: u32, format: u32,
        ) -> u32;
        pub fn load_mesh_packed(vertices: *const u8, vertex_count: u32, format: u32) -> u32;
        pub fn load_mesh_packed_indexed(
            vertices: *const u8, vertex_count: u32, indices: *const u16, index_count: u32, format: u32,
        ) -> u32;
        pub fn transform_identity();
        pub fn transform_set(matrix: *const f32);
        pub fn transform_set_position(x: f32, y: f32, z: f32);
        pub fn draw_mesh(mesh: u32);
        pub fn buttons(player: u32) -> u32;
    }
}

#[cfg(not(test))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    #[cfg(target_arch = "wasm32")]
    core::arch::wasm32::unreachable();
    #[cfg(not(target_arch = "wasm32"))]
    loop {}
}

// ---- What the console has ---------------------------------------------------------------------------------------

/// What vertices have beside their position, in this order; a format is the sum.
pub const UV: u32 = 1;
pub const COLOR: u32 = 2;
pub const NORMAL: u32 = 4;
pub const BONES: u32 = 8;

/// The buttons. Up is away from the camera, +y.
pub const LEFT: u32 = 1;
pub const RIGHT: u32 = 2;
pub const UP: u32 = 4;
pub const DOWN: u32 = 8;
pub const A: u32 = 16;
pub const B: u32 = 32;

/// Loads the inverse binds of a skeleton. Returns 0 where that fails, as all that loads does.
pub fn load_skeleton(inverse_binds: &[Matrix]) -> u32 {
    unsafe { console::load_skeleton(inverse_binds.as_ptr() as *const f32, inverse_binds.len() as u32) }
}

/// Returns an exported array of numbers as matrices: load_skeleton(matrices(&INVERSE_BIND_MATRICES)).
pub fn matrices(numbers: &[f32]) -> &[Matrix] {
    unsafe { core::slice::from_raw_parts(numbers.as_ptr() as *const Matrix, numbers.len() / 12) }
}

/// Says what set_bones gets from now on: with a skeleton, bones in model space; with 0, what to_final makes of them.
pub fn skeleton_bind(skeleton: u32) {
    unsafe { console::skeleton_bind(skeleton) }
}

pub fn set_bones(bones: &[Matrix]) {
    unsafe { console::set_bones(bones.as_ptr() as *const f32, bones.len() as u32) }
}

/// Loads the triangles of a vertex type of the game's own, `#[repr(C)]`: floats, then bytes for bones and weights.
pub fn load_mesh<Vertex>(vertices: &[Vertex], format: u32) -> u32 {
    unsafe { console::load_mesh(vertices.as_ptr() as *const f32, vertices.len() as u32, format) }
}

pub fn load_mesh_indexed<Vertex>(vertices: &[Vertex], indices: &[u16], format: u32) -> u32 {
    let (count, index_count) = (vertices.len() as u32, indices.len() as u32);
    let first = vertices.as_ptr() as *const f32;
    unsafe { console::load_mesh_indexed(first, count, indices.as_ptr(), index_count, format) }
}

/// Load the bytes of `marrow export mesh`.
pub fn load_mesh_packed(vertices: &[u8], vertex_count: u32, format: u32) -> u32 {
    unsafe { console::load_mesh_packed(vertices.as_ptr(), vertex_count, format) }
}
pub fn load_mesh_packed_indexed(vertices: &[u8], vertex_count: u32, indices: &[u16], format: u32) -> u32 {
    let index_count = indices.len() as u32;
    unsafe { console::load_mesh_packed_indexed(vertices.as_ptr(), vertex_count, indices.as_ptr(), index_count, format) }
}

pub fn transform_identity() {
    unsafe { console::transform_identity() }
}
pub fn transform_set(matrix: &Matrix) {
    unsafe { console::transform_set(matrix.as_ptr()) }
}
/// Replaces the translation of the transform alone.
pub fn transform_set_position(x: f32, y: f32, z: f32) {
    unsafe { console::transform_set_position(x, y, z) }
}
pub fn draw_mesh(mesh: u32) {
    unsafe { console::draw_mesh(mesh) }
}

/// Returns the buttons that a player (0 or 1) holds.
pub fn buttons(player: u32) -> u32 {
    unsafe { console::buttons(player) }
}

// ---- Numbers ----------------------------------------------------------------------------------------------------

fn narrow(x: f64) -> f32 {
    let largest = 3.4028234663852886e38;
    (if x > largest { largest } else if x < -largest { -largest } else { x }) as f32
}

/// Returns the square root; 0 for what has none. For a float it is exact when rounded to f32.
pub fn sqrt(x: f64) -> f64 {
    if !(x > 0.0) {
        return 0.0;
    }
    if x > 1.7976931348623157e308 {
        return x;
    }
    let mut y = f64::from_bits((x.to_bits() >> 1) + 0x1ff76c0000000000);
    for _ in 0..4 {
        y = 0.5 * (y + x / y);
    }
    y
}

fn sin_from(x: f32, quarters: i64) -> f32 {
    let all = x as f64;
    let to_quarters = all * 0.63661977236758138;
    if !(to_quarters > -1e9 && to_quarters < 1e9) {
        return sin_from(0.0, quarters);
    }
    let n = (if to_quarters < 0.0 { to_quarters - 0.5 } else { to_quarters + 0.5 }) as i64;
    let r = (all - n as f64 * 1.57079632673412561417) - n as f64 * 6.07710050650619224932e-11;
    let s = r * r;
    let q = (n + quarters) & 3;
    let sine = r
        * (1.0
            - s / 6.0
                * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0 * (1.0 - s / 110.0 * (1.0 - s / 156.0))))));
    let cosine = 1.0
        - s / 2.0
            * (1.0 - s / 12.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0 * (1.0 - s / 90.0 * (1.0 - s / 132.0)))));
    let value = if q == 0 || q == 2 { sine } else { cosine };
    (if q < 2 { value } else { -value }) as f32
}

pub fn sin(radians: f32) -> f32 {
    sin_from(radians, 0)
}
pub fn cos(radians: f32) -> f32 {
    sin_from(radians, 1)
}

/// Returns a value that is a step nearer to the target, or the target.
pub fn approach(value: f32, target: f32, step: f32) -> f32 {
    let rises = value < target;
    let next = narrow(if rises { value as f64 + step as f64 } else { value as f64 - step as f64 });
    if if rises { next < target } else { next > target } { next } else { target }
}

/// Returns the time of a clip that goes round and round: at least 0 and less than the duration; 0 where there is none.
pub fn loop_time(time_s: f64, duration_s: f32) -> f32 {
    let length = duration_s as f64;
    let cycles = time_s / length;
    if !(length > 0.0 && cycles > -4e15 && cycles < 4e15) {
        return 0.0;
    }
    let mut whole = cycles as i64 as f64;
    if whole > cycles {
        whole -= 1.0;
    }
    let time = narrow(time_s - whole * length);
    if time >= 0.0 && time < duration_s { time } else { 0.0 }
}

/// Returns the time of a clip that plays once: at least 0 and at most the duration.
pub fn clamp_time(time_s: f64, duration_s: f32) -> f32 {
    if !(time_s > 0.0 && duration_s > 0.0) {
        return 0.0;
    }
    if time_s < duration_s as f64 { narrow(time_s) } else { duration_s }
}

// ---- Matrices and rotations -------------------------------------------------------------------------------------

/// 3x4, row by row: the axes x, y, z in columns 0, 1, 2; the translation in column 3.
pub type Matrix = [f32; 12];

/// A rotation of unit length: the axis times the sine of half the angle, and the cosine.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Quat {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub w: f32,
}

/// Scale, then rotation, then translation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Transform {
    pub translation: [f32; 3],
    pub rotation: Quat,
    pub scale: [f32; 3],
}

pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
pub const REST: Transform =
    Transform { translation: [0.0; 3], rotation: Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }, scale: [1.0; 3] };

pub fn translation(x: f32, y: f32, z: f32) -> Matrix {
    [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, y, 0.0, 0.0, 1.0, z]
}

/// Returns the matrix that first does b, then a.
pub fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut out = [0.0; 12];
    for row in 0..3 {
        let (x, y, z) = (a[4 * row] as f64, a[4 * row + 1] as f64, a[4 * row + 2] as f64);
        for column in 0..4 {
            let sum = x * b[column] as f64 + y * b[4 + column] as f64 + z * b[8 + column] as f64;
            out[4 * row + column] = narrow(if column == 3 { sum + a[4 * row + 3] as f64 } else { sum });
        }
    }
    out
}

/// Returns the rotation around an axis of unit length.
pub fn axis_angle(x: f32, y: f32, z: f32, radians: f32) -> Quat {
    let s = sin(0.5 * radians);
    Quat { x: x * s, y: y * s, z: z * s, w: cos(0.5 * radians) }
}

/// Returns the rotation that first does b, then a.
pub fn turn(a: Quat, b: Quat) -> Quat {
    let (ax, ay, az, aw) = (a.x as f64, a.y as f64, a.z as f64, a.w as f64);
    let (bx, by, bz, bw) = (b.x as f64, b.y as f64, b.z as f64, b.w as f64);
    Quat {
        x: narrow(aw * bx + ax * bw + ay * bz - az * by),
        y: narrow(aw * by - ax * bz + ay * bw + az * bx),
        z: narrow(aw * bz + ax * by - ay * bx + az * bw),
        w: narrow(aw * bw - ax * bx - ay * by - az * bz),
    }
}

fn slerp_weight(u: f64, y: f64) -> f64 {
    let (mut term, mut sum) = (u, u);
    for k in 1..40 {
        let n = k as f64;
        term = term * ((n * n - u * u) * y / (n * (n + 0.5)));
        sum = sum + term;
        if term < 1e-10 {
            break;
        }
    }
    sum
}

/// Returns the rotation at u (0 to 1) of the shorter way from a to b, at an even pace.
pub fn slerp(a: Quat, b: Quat, u: f64) -> Quat {
    if !(u > 0.0) {
        return a;
    }
    if !(u < 1.0) {
        return b;
    }
    let (ax, ay, az, aw) = (a.x as f64, a.y as f64, a.z as f64, a.w as f64);
    let dot = ax * b.x as f64 + ay * b.y as f64 + az * b.z as f64 + aw * b.w as f64;
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let (bx, by, bz, bw) = (sign * b.x as f64, sign * b.y as f64, sign * b.z as f64, sign * b.w as f64);
    let (dx, dy, dz, dw) = (bx - ax, by - ay, bz - az, bw - aw);
    let chord = 0.25 * (dx * dx + dy * dy + dz * dz + dw * dw);
    let y = if chord > 0.5 { 0.5 } else { chord };
    let (from, to) = (slerp_weight(1.0 - u, y), slerp_weight(u, y));
    Quat {
        x: narrow(ax * from + bx * to),
        y: narrow(ay * from + by * to),
        z: narrow(az * from + bz * to),
        w: narrow(aw * from + bw * to),
    }
}

/// Returns the matrix of a transform.
pub fn compose(t: &Transform) -> Matrix {
    let (x, y, z) = (t.rotation.x as f64, t.rotation.y as f64, t.rotation.z as f64);
    let w = t.rotation.w as f64;
    let (sx, sy, sz) = (t.scale[0] as f64, t.scale[1] as f64, t.scale[2] as f64);
    [
        narrow((1.0 - 2.0 * (y * y + z * z)) * sx),
        narrow(2.0 * (x * y - z * w) * sy),
        narrow(2.0 * (x * z + y * w) * sz),
        t.translation[0],
        narrow(2.0 * (x * y + z * w) * sx),
        narrow((1.0 - 2.0 * (x * x + z * z)) * sy),
        narrow(2.0 * (y * z - x * w) * sz),
        t.translation[1],
        narrow(2.0 * (x * z - y * w) * sx),
        narrow(2.0 * (y * z + x * w) * sy),
        narrow((1.0 - 2.0 * (x * x + y * y)) * sz),
        t.translation[2],
    ]
}

#[derive(Clone, Copy)]
struct Axis {
    x: f64,
    y: f64,
    z: f64,
}

fn dot(a: Axis, b: Axis) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z
}
fn cross(a: Axis, b: Axis) -> Axis {
    Axis { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x }
}
fn divide(a: Axis, d: f64) -> Axis {
    Axis { x: a.x / d, y: a.y / d, z: a.z / d }
}

fn across(a: Axis) -> Axis {
    let (x, y, z) = (a.x * a.x, a.y * a.y, a.z * a.z);
    let farthest = if x <= y && x <= z {
        Axis { x: 1.0, y: 0.0, z: 0.0 }
    } else if y <= z {
        Axis { x: 0.0, y: 1.0, z: 0.0 }
    } else {
        Axis { x: 0.0, y: 0.0, z: 1.0 }
    };
    let out = cross(a, farthest);
    divide(out, sqrt(dot(out, out)))
}

fn unit(x: f64, y: f64, z: f64, w: f64) -> Quat {
    let length = sqrt(x * x + y * y + z * z + w * w);
    let d = if w < 0.0 { -length } else { length };
    Quat { x: narrow(x / d), y: narrow(y / d), z: narrow(z / d), w: narrow(w / d) }
}

fn from_axes(x: Axis, y: Axis, z: Axis) -> Quat {
    let trace = x.x + y.y + z.z;
    if trace >= x.x && trace >= y.y && trace >= z.z {
        return unit(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace);
    }
    if x.x >= y.y && x.x >= z.z {
        return unit(1.0 + 2.0 * x.x - trace, y.x + x.y, z.x + x.z, y.z - z.y);
    }
    if y.y >= z.z {
        return unit(y.x + x.y, 1.0 + 2.0 * y.y - trace, z.y + y.z, z.x - x.z);
    }
    unit(z.x + x.z, z.y + y.z, 1.0 + 2.0 * z.z - trace, x.y - y.x)
}

/// Returns the transform of a matrix, or the nearest for one with shear. A matrix that mirrors gets a negative scale on
/// x. A column without length, or along those before it, gets the scale 0, and an axis that fits the others.
pub fn decompose(a: &Matrix) -> Transform {
    let mut axes = [Axis { x: 1.0, y: 0.0, z: 0.0 }, Axis { x: 0.0, y: 1.0, z: 0.0 }, Axis { x: 0.0, y: 0.0, z: 1.0 }];
    let mut scale = [0.0; 3];
    let mut known = [false; 3];
    for i in 0..3 {
        let mut rest = Axis { x: a[i] as f64, y: a[4 + i] as f64, z: a[8 + i] as f64 };
        let whole = sqrt(dot(rest, rest));
        for j in 0..i {
            if known[j] {
                let along = dot(axes[j], rest);
                rest.x -= axes[j].x * along;
                rest.y -= axes[j].y * along;
                rest.z -= axes[j].z * along;
            }
        }
        let length = sqrt(dot(rest, rest));
        known[i] = length > 1e-7 * whole;
        if known[i] {
            scale[i] = length;
            axes[i] = divide(rest, length);
        }
    }
    if known[0] || known[1] || known[2] {
        for i in 0..3 {
            let (next, last) = ((i + 1) % 3, (i + 2) % 3);
            if !known[i] {
                axes[i] = if known[next] && known[last] {
                    cross(axes[next], axes[last])
                } else {
                    across(axes[if known[next] { next } else { last }])
                };
                known[i] = true;
            }
        }
    }
    if dot(axes[0], cross(axes[1], axes[2])) < 0.0 {
        axes[0] = divide(axes[0], -1.0);
        scale[0] = -scale[0];
    }
    Transform {
        translation: [a[3], a[7], a[11]],
        rotation: from_axes(axes[0], axes[1], axes[2]),
        scale: [narrow(scale[0]), narrow(scale[1]), narrow(scale[2])],
    }
}

// ---- Clips and poses --------------------------------------------------------------------------------------------

/// A clip in the arrays of `marrow export animation`.
pub struct Clip {
    /// Of the frames, ascending.
    pub times: &'static [f32],
    /// Frame by frame, bone by bone, relative to parents: matrices, or with --trs 10 numbers.
    pub keyframes: &'static [f32],
    /// For each bone: 0 holds the frame before, 1 goes to the next.
    pub interpolations: &'static [u8],
    pub keyframe_size: usize,
    /// Seconds.
    pub duration: f32,
}

/// The clip whose arrays are in a module: `static WALK: guest::Clip = guest::clip!(walk);`
macro_rules! clip {
    ($module:ident) => {
        $crate::guest::Clip {
            times: &$module::KEYFRAME_TIMES,
            keyframes: &$module::KEYFRAMES,
            interpolations: &$module::INTERPOLATIONS,
            keyframe_size: $module::KEYFRAME_SIZE as usize,
            duration: $module::ANIMATION_DURATION,
        }
    };
}
#[allow(unused_imports)]
pub(crate) use clip;

fn key(clip: &Clip, frame: usize, bone: usize) -> Transform {
    let v = &clip.keyframes[(frame * clip.interpolations.len() + bone) * clip.keyframe_size..];
    if clip.keyframe_size == 10 {
        return Transform {
            translation: [v[0], v[1], v[2]],
            rotation: Quat { x: v[3], y: v[4], z: v[5], w: v[6] },
            scale: [v[7], v[8], v[9]],
        };
    }
    let mut matrix = [0.0; 12];
    matrix.copy_from_slice(&v[..12]);
    decompose(&matrix)
}

/// Returns what lies between two transforms: a up to 0, b from 1 on. Rotations go the shorter way, all else straight.
pub fn mix(a: &Transform, b: &Transform, u: f64) -> Transform {
    if !(u > 0.0) {
        return *a;
    }
    if !(u < 1.0) {
        return *b;
    }
    let mut out = *a;
    for i in 0..3 {
        let (t, s) = (a.translation[i] as f64, a.scale[i] as f64);
        out.translation[i] = narrow(t + (b.translation[i] as f64 - t) * u);
        out.scale[i] = narrow(s + (b.scale[i] as f64 - s) * u);
    }
    out.rotation = slerp(a.rotation, b.rotation, u);
    out
}

/// Writes the bones of a clip at a time; before the first frame and after the last one, those of that.
pub fn sample(clip: &Clip, time_s: f32, pose: &mut [Transform]) {
    let (mut frame, mut end) = (0, clip.times.len());
    while end - frame > 1 {
        let middle = frame + (end - frame) / 2;
        if clip.times[middle] <= time_s {
            frame = middle;
        } else {
            end = middle;
        }
    }
    let next = if frame + 1 < clip.times.len() { frame + 1 } else { frame };
    let from = clip.times[frame] as f64;
    let length = clip.times[next] as f64 - from;
    let u = if length > 0.0 && time_s > clip.times[frame] { (time_s as f64 - from) / length } else { 0.0 };
    for bone in 0..clip.interpolations.len() {
        pose[bone] = key(clip, frame, bone);
        if u != 0.0 && clip.interpolations[bone] != 0 {
            pose[bone] = mix(&pose[bone], &key(clip, next, bone), u);
        }
    }
}

/// Blends a pose towards another: unchanged for a weight of 0, the other for 1.
pub fn blend(pose: &mut [Transform], other: &[Transform], weight: f32) {
    for bone in 0..pose.len() {
        pose[bone] = mix(&pose[bone], &other[bone], weight as f64);
    }
}

/// The same for the bones of a list, such as ANIMATED_BONES.
pub fn layer(pose: &mut [Transform], other: &[Transform], bones: &[u32], weight: f32) {
    for &bone in bones {
        pose[bone as usize] = mix(&pose[bone as usize], &other[bone as usize], weight as f64);
    }
}

/// Writes the matrices of the bones in the model. Parents come before their children; -1 is none.
pub fn to_model(pose: &[Transform], parents: &[i32], model: &mut [Matrix]) {
    for bone in 0..pose.len() {
        let local = compose(&pose[bone]);
        model[bone] = if parents[bone] < 0 { local } else { multiply(&model[parents[bone] as usize], &local) };
    }
}

/// Makes model * inverse bind of the model's bones, which set_bones gets while no skeleton is bound.
pub fn to_final(bones: &mut [Matrix], inverse_binds: &[Matrix]) {
    for bone in 0..bones.len() {
        bones[bone] = multiply(&bones[bone], &inverse_binds[bone]);
    }
}

/// Returns the bone of a name; 0, the first, where there is none.
pub fn find_bone(names: &[&str], name: &str) -> usize {
    names.iter().position(|&other| other == name).unwrap_or(0)
}

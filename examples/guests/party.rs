//! A garden party: characters, flowers and a pillar in one frame, with two skeletons and none.
//!
//! Three characters share a skeleton and a mesh: one walks around the pillar, one jumps, one waves. Flowers have a
//! skeleton of their own, made by init, and sway by arithmetic. The pillar has none.
//!
//! Right makes it go twice as fast, and left stands still: the one who walks, of player 0, and the one who waves, of
//! player 1. The same game as party.c, to the bit.
#![no_std]

#[path = "../../guest/marrow_guest.rs"]
mod guest;
mod tube;

macro_rules! exported {
    ($($name:ident)*) => {
        $(mod $name { include!(concat!(env!("MARROW_GUEST_ARRAYS"), "/", stringify!($name), ".rs")); })*
    };
}
exported!(character idle walk jump wave);

use guest::Matrix;

const BONE_COUNT: usize = character::BONE_COUNT as usize;
const STEM_BONES: usize = 10;
const RING_COUNT: usize = 11;
const BOX_VERTICES: usize = 36;

const SPACING: f32 = 0.13; // of the stem's bones, metres
const PILLAR_Y: f32 = 0.9;
const WAY_RADIUS: f32 = 1.5;
const WALK_SPEED: f32 = 1.35;

// Idle, walk and wave are in translations, rotations and scales; jump is in matrices, which are taken apart as they are
// sampled.
static IDLE: guest::Clip = guest::clip!(idle);
static WALK: guest::Clip = guest::clip!(walk);
static JUMP: guest::Clip = guest::clip!(jump);
static WAVE: guest::Clip = guest::clip!(wave);

const WALKER: usize = 0;
const JUMPER: usize = 1;
const WAVER: usize = 2;
const GUEST_COUNT: usize = 3;

struct Game {
    character: u32,
    character_skeleton: u32,
    flower: u32,
    flower_skeleton: u32,
    pillar: u32,
    ticks: u32, // these are in frames
    walked: u32,
    waved: u32,
    places: [Matrix; GUEST_COUNT],
    bones: [[Matrix; BONE_COUNT]; GUEST_COUNT],
    stem: [Matrix; STEM_BONES],
}

static mut GAME: Game = Game {
    character: 0,
    character_skeleton: 0,
    flower: 0,
    flower_skeleton: 0,
    pillar: 0,
    ticks: 0,
    walked: 0,
    waved: 0,
    places: [[0.0; 12]; GUEST_COUNT],
    bones: [[[0.0; 12]; BONE_COUNT]; GUEST_COUNT],
    stem: [[0.0; 12]; STEM_BONES],
};

/// The console calls one function at a time, so there is one reference at a time.
fn game() -> &'static mut Game {
    unsafe { &mut *core::ptr::addr_of_mut!(GAME) }
}

// ---- What is made by init ---------------------------------------------------------------------------------------

#[rustfmt::skip]
const FLOWER: [[f32; 3]; RING_COUNT] = [
    [0.0, 0.06, 0.0], [-0.3, 0.045, 0.0], [-0.6, 0.04, 0.0], [-0.9, 0.035, 0.0], [-1.15, 0.035, 0.0],
    [-1.18, 0.09, 1.0], [-1.24, 0.22, 1.0], [-1.28, 0.27, 1.0], [-1.30, 0.20, 1.0], [-1.33, 0.12, 2.0],
    [-1.37, 0.0, 2.0],
];
const COLORS: [[f32; 3]; 3] = [[0.10, 0.36, 0.08], [0.75, 0.16, 0.35], [0.90, 0.62, 0.08]];

fn load_flower() -> u32 {
    let mut rings = [tube::Ring { x: 0.0, width: 0.0, height: 0.0, color: [0.0; 3], below: [0.0; 3] }; RING_COUNT];
    for i in 0..RING_COUNT {
        rings[i].x = FLOWER[i][0];
        rings[i].width = FLOWER[i][1];
        rings[i].height = FLOWER[i][1];
        rings[i].color = COLORS[FLOWER[i][2] as usize];
        rings[i].below = rings[i].color;
    }
    let mut vertices = [tube::NO_VERTEX; RING_COUNT * tube::SIDES];
    let mut indices = [0; (RING_COUNT - 1) * tube::SIDES * 6];
    tube::build(&rings, SPACING, STEM_BONES, &mut vertices, &mut indices);
    guest::load_mesh_indexed(&vertices, &indices, tube::FORMAT)
}

/// A vertex of what does not move by itself.
#[repr(C)]
#[derive(Clone, Copy)]
struct PropVertex {
    position: [f32; 3],
    color: [f32; 4],
    normal: [f32; 3],
}

const STONE: PropVertex = PropVertex { position: [0.0; 3], color: [0.55, 0.53, 0.50, 1.0], normal: [0.0; 3] };

/// Writes the triangles of an upright box, from a height to another.
fn build_box(half: f32, from: f32, to: f32, out: &mut [PropVertex]) {
    let corners: [[f32; 2]; 6] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let (middle, half_height) = (0.5 * (from + to), 0.5 * (to - from));
    let size = [half, half, half_height];
    for i in 0..BOX_VERTICES {
        // Two faces for each axis; the two axes after it span them, the other way round on the far side.
        let (axis, second, third) = (i / 12, (i / 12 + 1) % 3, (i / 12 + 2) % 3);
        let side = if i % 12 < 6 { 1.0 } else { -1.0 };
        let corner = corners[i % 6];
        let mut vertex = STONE;
        vertex.position[axis] = side * size[axis];
        vertex.position[second] = side * corner[0] * size[second];
        vertex.position[third] = corner[1] * size[third];
        vertex.position[2] += middle;
        vertex.normal[axis] = side;
        out[i] = vertex;
    }
}

fn load_pillar() -> u32 {
    let mut vertices = [STONE; 3 * BOX_VERTICES];
    build_box(0.34, 0.0, 0.18, &mut vertices);
    build_box(0.22, 0.18, 1.30, &mut vertices[BOX_VERTICES..]);
    build_box(0.30, 1.30, 1.45, &mut vertices[2 * BOX_VERTICES..]);
    guest::load_mesh(&vertices, guest::COLOR | guest::NORMAL)
}

// ---- What moves -------------------------------------------------------------------------------------------------

impl Game {
    fn animate(&mut self) {
        let mut pose = [guest::REST; BONE_COUNT];
        let mut other = [guest::REST; BONE_COUNT];
        let time = self.ticks as f64 / 60.0;
        let (walk_time, wave_time) = (self.walked as f64 / 60.0, self.waved as f64 / 60.0);

        // Around the pillar, looking along the way: on a circle that is a right angle to where it stands.
        let angle = guest::loop_time(walk_time * (WALK_SPEED / WAY_RADIUS) as f64, 6.2831853);
        let (x, y) = (guest::cos(angle), guest::sin(angle));
        self.places[WALKER] = [-x, y, 0.0, WAY_RADIUS * x, -y, -x, 0.0, PILLAR_Y + WAY_RADIUS * y, 0.0, 0.0, 1.0, 0.0];
        guest::sample(&WALK, guest::loop_time(walk_time, WALK.duration), &mut pose);
        pose[0].translation[0] = 0.0; // The root goes ahead in the clip; here the place does.
        pose[0].translation[1] = 0.0;
        guest::to_model(&pose, &character::BONE_PARENTS, &mut self.bones[WALKER]);

        guest::sample(&JUMP, guest::loop_time(time, JUMP.duration), &mut pose);
        guest::to_model(&pose, &character::BONE_PARENTS, &mut self.bones[JUMPER]);

        guest::sample(&IDLE, guest::loop_time(wave_time + 2.0, IDLE.duration), &mut pose);
        guest::sample(&WAVE, guest::loop_time(wave_time, WAVE.duration), &mut other);
        guest::layer(&mut pose, &other, &wave::ANIMATED_BONES, 1.0);
        guest::to_model(&pose, &character::BONE_PARENTS, &mut self.bones[WAVER]);

        // Each bone of the stem leans a little against the one below; the lean runs up the stem as a wave.
        let wind = guest::loop_time(time * 1.6, 6.2831853);
        let mut stem = [guest::REST; STEM_BONES];
        let mut stem_parents = [0; STEM_BONES];
        for i in 0..STEM_BONES {
            let lean = 0.07 * guest::sin(wind - 0.5 * i as f32);
            let across = 0.05 * guest::cos(wind - 0.4 * i as f32);
            stem_parents[i] = i as i32 - 1;
            stem[i].translation[0] = if i == 0 { 0.0 } else { -SPACING };
            let (about_y, about_z) =
                (guest::axis_angle(0.0, 1.0, 0.0, lean), guest::axis_angle(0.0, 0.0, 1.0, across));
            stem[i].rotation = guest::turn(about_y, about_z);
        }
        guest::to_model(&stem, &stem_parents, &mut self.stem);
    }
}

#[no_mangle]
pub extern "C" fn init() {
    let game = game();
    let mut inverse_binds = [guest::IDENTITY; STEM_BONES];
    tube::inverse_binds(SPACING, &mut inverse_binds);
    game.character = guest::load_mesh_packed_indexed(
        &character::VERTICES,
        character::VERTEX_COUNT,
        &character::INDICES,
        character::VERTEX_FORMAT,
    );
    game.character_skeleton = guest::load_skeleton(guest::matrices(&character::INVERSE_BIND_MATRICES));
    game.flower = load_flower();
    game.flower_skeleton = guest::load_skeleton(&inverse_binds);
    game.pillar = load_pillar();
    game.places[JUMPER] = guest::translation(-1.7, -0.9, 0.0);
    game.places[WAVER] = guest::translation(1.6, -1.0, 0.0);
    game.animate();
}

/// How many frames of its own time somebody lives in this one.
fn pace(player: u32) -> u32 {
    let held = guest::buttons(player);
    1 + (held & guest::RIGHT != 0) as u32 - (held & guest::LEFT != 0) as u32
}

#[no_mangle]
pub extern "C" fn update() {
    let game = game();
    game.ticks += 1;
    game.walked += pace(0);
    game.waved += pace(1);
    game.animate();
}

/// Draws a flower at a place: the tube, which goes along -x, is stood upright, so that -x is up.
fn draw_flower(flower: u32, x: f32, y: f32, size: f32) {
    guest::transform_set(&[0.0, 0.0, size, x, 0.0, size, 0.0, y, -size, 0.0, 0.0, 0.0]);
    guest::draw_mesh(flower);
}

#[no_mangle]
pub extern "C" fn render() {
    let game = game();
    guest::skeleton_bind(game.character_skeleton);
    for i in 0..GUEST_COUNT {
        guest::set_bones(&game.bones[i]);
        guest::transform_set(&game.places[i]);
        guest::draw_mesh(game.character);
    }

    guest::skeleton_bind(game.flower_skeleton); // from here on, bones are those of a flower
    guest::set_bones(&game.stem);
    draw_flower(game.flower, -2.6, 0.6, 1.0);
    draw_flower(game.flower, -2.2, 1.0, 0.7);
    draw_flower(game.flower, 2.5, 0.8, 1.1);

    guest::skeleton_bind(0); // and from here on there are none
    guest::transform_identity();
    guest::transform_set_position(0.0, PILLAR_Y, 0.0);
    guest::draw_mesh(game.pillar);
}

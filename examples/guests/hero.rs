//! A hero from exported arrays, who idles, walks, runs and waves with a sword in hand, and a friend who copies each
//! move.
//!
//! Arrows walk, B runs, A waves. All that changes is in `Game`. The bones are posed once in a frame: sampled from
//! clips, blended by weights that go up and down over a quarter of a second, multiplied down the hierarchy. The same
//! game as hero.c, to the bit.
#![no_std]

#[path = "../../guest/marrow_guest.rs"]
mod guest;

macro_rules! exported {
    ($($name:ident)*) => {
        $(mod $name { include!(concat!(env!("MARROW_GUEST_ARRAYS"), "/", stringify!($name), ".rs")); })*
    };
}
exported!(character sword idle walk run wave grip);

use guest::{Matrix, Transform};

const BONE_COUNT: usize = character::BONE_COUNT as usize;

const DT: f32 = 1.0 / 60.0; // seconds
const FADE: f32 = 0.25;
const WALK_SPEED: f32 = 1.35; // metres a second, so that feet stay where they step
const RUN_SPEED: f32 = 3.6;
const TURN_STEP: f32 = 0.15; // radians in a frame
const REACH: f32 = 3.0; // metres from the middle

static IDLE: guest::Clip = guest::clip!(idle);
static WALK: guest::Clip = guest::clip!(walk);
static RUN: guest::Clip = guest::clip!(run);
static WAVE: guest::Clip = guest::clip!(wave);
static GRIP: guest::Clip = guest::clip!(grip);

struct Game {
    mesh: u32,
    sword: u32,
    skeleton: u32,
    hand: usize,
    ticks: u32,
    /// Where the hero stands.
    x: f32,
    y: f32,
    /// Where it looks: of unit length.
    facing_x: f32,
    facing_y: f32,
    /// How much of each shows, 0 to 1.
    moving: f32,
    running: f32,
    waving: f32,
    /// How far the gait is through its two steps, 0 to 1.
    step: f32,
    pose: [Transform; BONE_COUNT],
    other: [Transform; BONE_COUNT],
    gait: [Transform; BONE_COUNT],
    bones: [Matrix; BONE_COUNT],
}

static mut GAME: Game = Game {
    mesh: 0,
    sword: 0,
    skeleton: 0,
    hand: 0,
    ticks: 0,
    x: 0.0,
    y: 0.0,
    facing_x: 0.0,
    facing_y: 0.0,
    moving: 0.0,
    running: 0.0,
    waving: 0.0,
    step: 0.0,
    pose: [guest::REST; BONE_COUNT],
    other: [guest::REST; BONE_COUNT],
    gait: [guest::REST; BONE_COUNT],
    bones: [guest::IDENTITY; BONE_COUNT],
};

/// The console calls one function at a time, so there is one reference at a time.
fn game() -> &'static mut Game {
    unsafe { &mut *core::ptr::addr_of_mut!(GAME) }
}

fn held(pressed: u32, button: u32) -> f32 {
    if pressed & button != 0 { 1.0 } else { 0.0 }
}

impl Game {
    /// Turns the hero towards a direction of unit length, by a step at most.
    fn turn_to(&mut self, x: f32, y: f32) {
        let cosine = guest::cos(TURN_STEP);
        let ahead = self.facing_x * x + self.facing_y * y;
        let left = self.facing_x * y - self.facing_y * x;
        let sine = if left < 0.0 { -guest::sin(TURN_STEP) } else { guest::sin(TURN_STEP) };
        let turned_x = self.facing_x * cosine - self.facing_y * sine;
        let turned_y = self.facing_x * sine + self.facing_y * cosine;
        self.facing_x = if ahead < cosine { turned_x } else { x };
        self.facing_y = if ahead < cosine { turned_y } else { y };
    }

    fn walk(&mut self, pressed: u32) {
        let x = held(pressed, guest::RIGHT) - held(pressed, guest::LEFT);
        let y = held(pressed, guest::UP) - held(pressed, guest::DOWN);
        let length = guest::sqrt((x * x + y * y) as f64) as f32;
        let moves = if length > 0.0 { 1.0 } else { 0.0 };
        if length > 0.0 {
            self.turn_to(x / length, y / length);
        }

        self.moving = guest::approach(self.moving, moves, DT / FADE);
        self.running = guest::approach(self.running, moves * held(pressed, guest::B), DT / FADE);
        self.waving = guest::approach(self.waving, held(pressed, guest::A), DT / FADE);

        let speed = self.moving * (WALK_SPEED + (RUN_SPEED - WALK_SPEED) * self.running);
        self.x += self.facing_x * speed * DT;
        self.y += self.facing_y * speed * DT;
        let distance = guest::sqrt((self.x * self.x + self.y * self.y) as f64) as f32;
        if distance > REACH {
            self.x = self.x / distance * REACH;
            self.y = self.y / distance * REACH;
        }

        // Walk and run both begin as the left heel strikes, so one number keeps them in step while they are blended.
        self.step += DT / (WALK.duration + (RUN.duration - WALK.duration) * self.running);
        if self.step >= 1.0 {
            self.step -= 1.0;
        }
        if self.moving == 0.0 {
            self.step = 0.0;
        }
    }

    fn animate(&mut self) {
        let time = self.ticks as f64 / 60.0;
        guest::sample(&IDLE, guest::loop_time(time, IDLE.duration), &mut self.pose);
        if self.moving > 0.0 {
            guest::sample(&WALK, self.step * WALK.duration, &mut self.gait);
            guest::sample(&RUN, self.step * RUN.duration, &mut self.other);
            guest::blend(&mut self.gait, &self.other, self.running);
            self.gait[0].translation[0] = 0.0; // The root goes ahead in the clips; here the hero's place does.
            self.gait[0].translation[1] = 0.0;
            guest::blend(&mut self.pose, &self.gait, self.moving);
        }
        if self.waving > 0.0 {
            guest::sample(&WAVE, guest::loop_time(time, WAVE.duration), &mut self.other);
            guest::layer(&mut self.pose, &self.other, &wave::ANIMATED_BONES, self.waving);
        }
        guest::sample(&GRIP, 0.0, &mut self.other); // The fingers of the right hand close around the sword.
        guest::layer(&mut self.pose, &self.other, &grip::ANIMATED_BONES, 1.0);
        guest::to_model(&self.pose, &character::BONE_PARENTS, &mut self.bones);
    }
}

#[no_mangle]
pub extern "C" fn init() {
    let game = game();
    game.mesh = guest::load_mesh_packed_indexed(
        &character::VERTICES,
        character::VERTEX_COUNT,
        &character::INDICES,
        character::VERTEX_FORMAT,
    );
    game.sword =
        guest::load_mesh_packed_indexed(&sword::VERTICES, sword::VERTEX_COUNT, &sword::INDICES, sword::VERTEX_FORMAT);
    game.skeleton = guest::load_skeleton(guest::matrices(&character::INVERSE_BIND_MATRICES));
    game.hand = guest::find_bone(&character::BONE_NAMES, "grip_R");
    game.facing_y = -1.0;
    game.animate();
}

#[no_mangle]
pub extern "C" fn update() {
    let game = game();
    game.ticks += 1;
    game.walk(guest::buttons(0));
    game.animate();
}

#[no_mangle]
pub extern "C" fn render() {
    let game = game();
    guest::skeleton_bind(game.skeleton);
    guest::set_bones(&game.bones);

    // The character is modelled looking along -y; this turns it to where it goes.
    let (x, y) = (game.facing_x, game.facing_y);
    let place = [-y, -x, 0.0, game.x, x, -y, 0.0, game.y, 0.0, 0.0, 1.0, 0.0];
    guest::transform_set(&place);
    guest::draw_mesh(game.mesh);

    // The bones are in the model's space, so the same ones serve a second character at another place.
    guest::transform_set_position(1.9, 1.6, 0.0);
    guest::draw_mesh(game.mesh);

    // What is held goes where the bone is; the rig has a bone that fits the handle, so there is no offset.
    let in_hand = guest::multiply(&place, &game.bones[game.hand]);
    guest::transform_set(&in_hand);
    guest::draw_mesh(game.sword);
}

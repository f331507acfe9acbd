//! Two fighters, frame by frame: player 0 has the sword, player 1 the axe. Left and right walk, A strikes, B guards.
//!
//! Every picture of every move is baked by init, thirty a second, as what vertices are multiplied by; from there on the
//! game counts integers, as games do that must agree over a network. No skeleton is ever bound. The same game as
//! fighter.c, to the bit.
#![no_std]

#[path = "../../guest/marrow_guest.rs"]
mod guest;

macro_rules! exported {
    ($($name:ident)*) => {
        $(mod $name { include!(concat!(env!("MARROW_GUEST_ARRAYS"), "/", stringify!($name), ".rs")); })*
    };
}
exported!(character sword axe idle walk grip);

use guest::{Matrix, Transform};

const BONE_COUNT: usize = character::BONE_COUNT as usize;

/// The moves and their pictures, each shown for two updates.
#[derive(Clone, Copy, PartialEq)]
enum Move {
    Stand,
    Stride,
    Strike,
    Hurt,
    Guard,
    Fall,
}
const FIRST_FRAME: [i32; 6] = [0, 126, 157, 176, 189, 195];
const FRAME_COUNT: [i32; 6] = [126, 31, 19, 13, 6, 16];
const ALL_FRAMES: usize = 211;

impl Move {
    fn first_frame(self) -> i32 {
        FIRST_FRAME[self as usize]
    }
    fn frame_count(self) -> i32 {
        FRAME_COUNT[self as usize]
    }
}

// Lengths are in millimetres, times in updates.
const WALK_STEP: i32 = 22;
const NEAREST: i32 = 900; // that two can be
const REACH: i32 = 1450; // of a strike
const EDGE: i32 = 3000; // of the ring
const HIT_FIRST: i32 = 14; // when a strike hits
const HIT_LAST: i32 = 22;
const FULL_HEALTH: i32 = 100;
const ROUND_PAUSE: i32 = 150; // before the next round

#[derive(Clone, Copy)]
struct Fighter {
    /// Along the ring; the speed is that of being knocked back.
    x: i32,
    speed: i32,
    moves: Move,
    time: i32,
    health: i32,
    /// Whether the present strike has hit.
    struck: bool,
}

const NOBODY: Fighter = Fighter { x: 0, speed: 0, moves: Move::Stand, time: 0, health: 0, struck: false };

type Pose = [Transform; BONE_COUNT];

struct Game {
    mesh: u32,
    weapons: [u32; 2],
    bar: u32,
    /// Until the next round; 0 while one is on.
    pause: i32,
    fighters: [Fighter; 2],
    /// Model * inverse bind.
    frames: [[Matrix; BONE_COUNT]; ALL_FRAMES],
    /// Where a weapon is, in the model.
    hands: [Matrix; ALL_FRAMES],
}

static mut GAME: Game = Game {
    mesh: 0,
    weapons: [0; 2],
    bar: 0,
    pause: 0,
    fighters: [NOBODY; 2],
    frames: [[[0.0; 12]; BONE_COUNT]; ALL_FRAMES],
    hands: [[0.0; 12]; ALL_FRAMES],
};

/// The console calls one function at a time, so there is one reference at a time.
fn game() -> &'static mut Game {
    unsafe { &mut *core::ptr::addr_of_mut!(GAME) }
}

static IDLE: guest::Clip = guest::clip!(idle);
static WALK: guest::Clip = guest::clip!(walk);
static GRIP: guest::Clip = guest::clip!(grip);

// ---- Baking -----------------------------------------------------------------------------------------------------

fn sampled(clip: &guest::Clip, time_s: f32) -> Pose {
    let mut pose = [guest::REST; BONE_COUNT];
    guest::sample(clip, time_s, &mut pose);
    pose
}

/// Turns a bone of a pose about an axis of its parent.
fn turn(pose: &mut Pose, name: &str, x: f32, y: f32, z: f32, radians: f32) {
    let bone = &mut pose[guest::find_bone(&character::BONE_NAMES, name)];
    bone.rotation = guest::turn(guest::axis_angle(x, y, z, radians), bone.rotation);
}

/// Turns the right arm at the shoulder and the elbow, forwards and up, and the joints that make half of each turn.
fn lift(pose: &mut Pose, shoulder: f32, elbow: f32) {
    turn(pose, "upper_arm_R", 1.0, 0.0, 0.0, -shoulder);
    turn(pose, "shoulder_R", 1.0, 0.0, 0.0, -0.5 * shoulder);
    turn(pose, "lower_arm_R", 1.0, 0.0, 0.0, -elbow);
    turn(pose, "elbow_R", 1.0, 0.0, 0.0, -0.5 * elbow);
}

/// Turns the trunk to the left, and bends it forwards.
fn bend(pose: &mut Pose, left: f32, forwards: f32) {
    turn(pose, "spine_1", 0.0, 0.0, 1.0, 0.5 * left);
    turn(pose, "spine_2", 0.0, 0.0, 1.0, 0.5 * left);
    turn(pose, "spine_1", 1.0, 0.0, 0.0, 0.5 * forwards);
    turn(pose, "chest", 1.0, 0.0, 0.0, 0.5 * forwards);
}

impl Game {
    fn bake(&mut self, frame: i32, pose: &Pose) {
        let mut held = *pose;
        guest::layer(&mut held, &sampled(&GRIP, 0.0), &grip::ANIMATED_BONES, 1.0);
        held[0].translation[0] = 0.0; // The root stays; the game moves the fighter.
        held[0].translation[1] = 0.0;
        let bones = &mut self.frames[frame as usize];
        guest::to_model(&held, &character::BONE_PARENTS, bones);
        self.hands[frame as usize] = bones[guest::find_bone(&character::BONE_NAMES, "grip_R")];
        guest::to_final(bones, guest::matrices(&character::INVERSE_BIND_MATRICES));
    }

    /// Bakes what lies between two poses: frames from `first`, at the end of which there is the second. Returns the
    /// next.
    fn bake_between(&mut self, from: &Pose, to: &Pose, first: i32, count: i32) -> i32 {
        for i in 1..count + 1 {
            let mut pose = *from;
            guest::blend(&mut pose, to, i as f32 / count as f32);
            self.bake(first + i - 1, &pose);
        }
        first + count
    }

    fn bake_moves(&mut self) {
        for i in 0..Move::Stand.frame_count() {
            self.bake(Move::Stand.first_frame() + i, &sampled(&IDLE, i as f32 / 30.0));
        }
        for i in 0..Move::Stride.frame_count() {
            self.bake(Move::Stride.first_frame() + i, &sampled(&WALK, i as f32 / 30.0));
        }

        // The other moves are key poses, made by turning a few bones of the first picture of standing, and what is
        // between.
        let ready = sampled(&IDLE, 0.0);
        let mut raised = ready;
        lift(&mut raised, 2.3, 0.9);
        bend(&mut raised, -0.5, -0.15);
        let mut struck = ready;
        lift(&mut struck, 0.9, 0.1);
        bend(&mut struck, 0.6, 0.5);
        let mut next = self.bake_between(&ready, &raised, Move::Strike.first_frame(), 6);
        next = self.bake_between(&raised, &struck, next, 3);
        next = self.bake_between(&struck, &struck, next, 3);
        self.bake_between(&struck, &ready, next, 7);

        let mut other = ready;
        bend(&mut other, 0.3, -0.7);
        next = self.bake_between(&ready, &other, Move::Hurt.first_frame(), 3);
        self.bake_between(&other, &ready, next, 10);

        other = ready;
        lift(&mut other, 1.2, 1.1);
        bend(&mut other, 0.3, 0.1);
        self.bake_between(&ready, &other, Move::Guard.first_frame(), Move::Guard.frame_count());

        other = ready;
        turn(&mut other, "root", 1.0, 0.0, 0.0, -1.5);
        other[0].translation[2] = 0.12;
        self.bake_between(&ready, &other, Move::Fall.first_frame(), Move::Fall.frame_count());
    }

    // ---- Playing ------------------------------------------------------------------------------------------------

    fn start_round(&mut self) {
        for i in 0..2 {
            self.fighters[i] = NOBODY;
            self.fighters[i].x = if i == 0 { -900 } else { 900 };
            self.fighters[i].health = FULL_HEALTH;
        }
        self.pause = 0;
    }

    /// Keeps the fighters in the ring and apart: the first always left of the second.
    fn separate(&mut self) {
        let [left, right] = &mut self.fighters;
        let missing = NEAREST - (right.x - left.x);
        if missing > 0 {
            left.x -= missing / 2;
            right.x += missing - missing / 2;
        }
        left.x = left.x.max(-EDGE);
        right.x = right.x.max(left.x + NEAREST);
        right.x = right.x.min(EDGE);
        left.x = left.x.min(right.x - NEAREST);
    }
}

impl Fighter {
    fn start(&mut self, moves: Move) {
        self.moves = moves;
        self.time = 0;
        self.struck = false;
    }

    fn picture(&self) -> usize {
        (self.moves.first_frame() + self.time / 2) as usize
    }

    /// Steps by what the player presses. `ahead` is 1 where the other is to the right, else -1.
    fn step(&mut self, pressed: u32, ahead: i32) {
        let last = 2 * self.moves.frame_count() - 1;
        let way = (pressed & guest::RIGHT != 0) as i32 - (pressed & guest::LEFT != 0) as i32;
        self.x += self.speed;
        self.speed = self.speed * 7 / 8;
        if self.moves == Move::Fall {
            if self.time < last {
                self.time += 1;
            }
        } else if self.moves == Move::Strike || self.moves == Move::Hurt {
            self.time += 1;
            if self.time > last {
                self.start(Move::Stand);
            }
        } else if pressed & guest::A != 0 {
            self.start(Move::Strike);
        } else if pressed & guest::B != 0 {
            if self.moves != Move::Guard {
                self.start(Move::Guard);
            }
            if self.time < 2 * Move::Guard.frame_count() - 1 {
                self.time += 1;
            }
        } else if way != 0 {
            if self.moves != Move::Stride {
                self.start(Move::Stride);
            }
            self.x += way * WALK_STEP;
            // Backwards, the pictures go backwards.
            self.time += if way == ahead { 1 } else { 2 * Move::Stride.frame_count() - 1 };
            self.time %= 2 * Move::Stride.frame_count();
        } else {
            if self.moves != Move::Stand {
                self.start(Move::Stand);
            }
            self.time = (self.time + 1) % (2 * Move::Stand.frame_count());
        }
    }

    /// Returns whether a strike hits now: in its time, within its reach, and once.
    fn hits(&self, to: &Fighter) -> bool {
        let now = self.moves == Move::Strike && self.time >= HIT_FIRST && self.time <= HIT_LAST;
        now && !self.struck && (to.x - self.x).abs() <= REACH && to.moves != Move::Fall
    }

    /// Returns whether that was the end of it.
    fn take_hit(&mut self, away: i32) -> bool {
        let guarded = self.moves == Move::Guard;
        self.speed = away * if guarded { 30 } else { 70 };
        self.health -= if guarded { 2 } else { 12 };
        if self.health <= 0 {
            self.health = 0;
            self.start(Move::Fall);
            return true;
        }
        if !guarded {
            self.start(Move::Hurt);
        }
        false
    }
}

/// A bar a metre long, in a colour.
fn load_bar() -> u32 {
    let corners: [[f32; 3]; 8] = [
        [0.0, -0.02, 0.0],
        [1.0, -0.02, 0.0],
        [1.0, 0.02, 0.0],
        [0.0, 0.02, 0.0],
        [0.0, -0.02, 0.07],
        [1.0, -0.02, 0.07],
        [1.0, 0.02, 0.07],
        [0.0, 0.02, 0.07],
    ];
    let faces: [u16; 36] = [
        0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7,
    ];
    let color = [0.75, 0.12, 0.1, 1.0];
    let mut vertices = [[0.0; 7]; 8];
    for i in 0..8 {
        for k in 0..7 {
            vertices[i][k] = if k < 3 { corners[i][k] } else { color[k - 3] };
        }
    }
    guest::load_mesh_indexed(&vertices, &faces, guest::COLOR)
}

#[no_mangle]
pub extern "C" fn init() {
    let game = game();
    game.bar = load_bar();
    game.mesh = guest::load_mesh_packed_indexed(
        &character::VERTICES,
        character::VERTEX_COUNT,
        &character::INDICES,
        character::VERTEX_FORMAT,
    );
    game.weapons[0] =
        guest::load_mesh_packed_indexed(&sword::VERTICES, sword::VERTEX_COUNT, &sword::INDICES, sword::VERTEX_FORMAT);
    game.weapons[1] =
        guest::load_mesh_packed_indexed(&axe::VERTICES, axe::VERTEX_COUNT, &axe::INDICES, axe::VERTEX_FORMAT);
    game.bake_moves();
    game.start_round();
}

#[no_mangle]
pub extern "C" fn update() {
    let game = game();
    let over = game.pause > 0;
    if over {
        game.pause -= 1;
        if game.pause == 0 {
            game.start_round();
        }
    }
    let [left, right] = &mut game.fighters;
    left.step(if over { 0 } else { guest::buttons(0) }, 1);
    right.step(if over { 0 } else { guest::buttons(1) }, -1);
    let (left_hits, right_hits) = (left.hits(right), right.hits(left)); // perhaps both
    left.struck |= left_hits;
    right.struck |= right_hits;
    if left_hits && right.take_hit(1) {
        game.pause = ROUND_PAUSE;
    }
    if right_hits && left.take_hit(-1) {
        game.pause = ROUND_PAUSE;
    }
    game.separate();
}

#[no_mangle]
pub extern "C" fn render() {
    let game = game();
    guest::skeleton_bind(0);
    for i in 0..2 {
        let fighter = &game.fighters[i];
        let picture = fighter.picture();
        let x = fighter.x as f32 / 1000.0;
        let ahead = if i == 0 { 1.0 } else { -1.0 };

        // The character is modelled looking along -y; the two look along x and -x.
        let place = [0.0, -ahead, 0.0, x, ahead, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let weapon = guest::multiply(&place, &game.hands[picture]);
        guest::set_bones(&game.frames[picture]);
        guest::transform_set(&place);
        guest::draw_mesh(game.mesh);
        guest::transform_set(&weapon);
        guest::draw_mesh(game.weapons[i]);

        // How healthy it is: a bar, which empties towards the edge.
        let length = 1.4 * fighter.health as f32 / FULL_HEALTH as f32;
        let from = if i == 0 { -1.6 } else { 1.6 - length };
        let bar = [length, 0.0, 0.0, from, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.3];
        if fighter.health > 0 {
            guest::transform_set(&bar);
            guest::draw_mesh(game.bar);
        }
    }
}

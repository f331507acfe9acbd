//! A fish whose tail follows by springs: bones that no clip moves.
//!
//! Arrows steer, B hurries; left alone it swims along a path of its own. The head goes where it wants. Every other
//! joint is pulled behind the one ahead of it by a damped spring, which lags in turns and swings out after them. The
//! mesh is made by init, and the bones are written in model space straight from the joints: there is no hierarchy to
//! walk. The same game as tail.c, to the bit.
#![no_std]

#[path = "../../guest/marrow_guest.rs"]
mod guest;
mod tube;

use guest::Matrix;

const JOINT_COUNT: usize = 10;
const RING_COUNT: usize = 11;
const FIN_COUNT: usize = 12;
const VERTEX_COUNT: usize = RING_COUNT * tube::SIDES + FIN_COUNT * 3;
const INDEX_COUNT: usize = (RING_COUNT - 1) * tube::SIDES * 6 + FIN_COUNT * 3;

const DT: f32 = 1.0 / 60.0;
const SPACING: f32 = 0.15; // between joints, metres
const STIFFNESS: f32 = 140.0; // of the springs, for each unit of mass
const DAMPING: f32 = 11.0;
const TURN_STEP: f32 = 0.05; // radians in a frame
const EDGE: f32 = 3.2; // metres from the middle; beyond, it turns back

struct Game {
    mesh: u32,
    skeleton: u32,
    ticks: u32,
    facing_x: f32,
    facing_y: f32,
    speed: f32,
    /// Of the tail, in radians.
    stroke: f32,
    joints: [[f32; 3]; JOINT_COUNT],
    velocities: [[f32; 3]; JOINT_COUNT],
    bones: [Matrix; JOINT_COUNT],
}

static mut GAME: Game = Game {
    mesh: 0,
    skeleton: 0,
    ticks: 0,
    facing_x: 0.0,
    facing_y: 0.0,
    speed: 0.0,
    stroke: 0.0,
    joints: [[0.0; 3]; JOINT_COUNT],
    velocities: [[0.0; 3]; JOINT_COUNT],
    bones: [[0.0; 12]; JOINT_COUNT],
};

/// The console calls one function at a time, so there is one reference at a time.
fn game() -> &'static mut Game {
    unsafe { &mut *core::ptr::addr_of_mut!(GAME) }
}

// ---- The mesh ---------------------------------------------------------------------------------------------------

type Triangle = [[f32; 3]; 3];

/// Adds a triangle with one normal: fins are flat. Eyes are, too.
fn add_fin(vertices: &mut [tube::Vertex], indices: &mut [u16], fin: usize, corners: &Triangle, color: [f32; 3]) {
    let (mut a, mut b) = ([0.0; 3], [0.0; 3]);
    for k in 0..3 {
        a[k] = corners[1][k] - corners[0][k];
        b[k] = corners[2][k] - corners[0][k];
    }
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let square = cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2];
    let length = guest::sqrt(square as f64) as f32;
    let normal = [cross[0] / length, cross[1] / length, cross[2] / length];
    for i in 0..3 {
        let vertex = RING_COUNT * tube::SIDES + fin * 3 + i;
        vertices[vertex] = tube::point(corners[i], normal, color, SPACING, JOINT_COUNT);
        indices[(RING_COUNT - 1) * tube::SIDES * 6 + fin * 3 + i] = vertex as u16;
    }
}

#[rustfmt::skip]
const SHAPE: [[f32; 3]; RING_COUNT] = [
    [0.30, 0.0, 0.0], [0.26, 0.05, 0.06], [0.15, 0.10, 0.14], [0.0, 0.14, 0.20],
    [-0.20, 0.16, 0.24], [-0.45, 0.15, 0.22], [-0.70, 0.11, 0.16], [-0.95, 0.07, 0.10],
    [-1.15, 0.04, 0.065], [-1.30, 0.025, 0.05], [-1.36, 0.0, 0.0],
];

#[rustfmt::skip]
const FINS: [Triangle; 8] = [
    [[0.0, 0.0, 0.18], [-0.25, 0.0, 0.42], [-0.45, 0.0, 0.21]],  // on the back
    [[-0.25, 0.0, 0.42], [-0.70, 0.0, 0.33], [-0.45, 0.0, 0.21]],
    [[-0.45, 0.0, 0.21], [-0.70, 0.0, 0.33], [-0.75, 0.0, 0.14]],
    [[-0.60, 0.0, -0.17], [-0.90, 0.0, -0.30], [-0.85, 0.0, -0.11]],  // below
    [[-1.25, 0.0, 0.0], [-1.72, 0.0, 0.34], [-1.52, 0.0, 0.0]],  // of the tail
    [[-1.25, 0.0, 0.0], [-1.52, 0.0, 0.0], [-1.72, 0.0, -0.34]],
    [[-0.02, 0.13, -0.05], [-0.18, 0.15, -0.05], [-0.32, 0.34, -0.16]],  // at the sides
    [[-0.02, -0.13, -0.05], [-0.32, -0.34, -0.16], [-0.18, -0.15, -0.05]],
];

#[rustfmt::skip]
const EYES: [Triangle; 4] = [
    [[0.17, 0.105, 0.03], [0.14, 0.112, 0.06], [0.11, 0.122, 0.03]],
    [[0.17, 0.105, 0.03], [0.11, 0.122, 0.03], [0.14, 0.117, 0.0]],
    [[0.17, -0.105, 0.03], [0.11, -0.122, 0.03], [0.14, -0.112, 0.06]],
    [[0.17, -0.105, 0.03], [0.14, -0.117, 0.0], [0.11, -0.122, 0.03]],
];

fn load_fish() -> u32 {
    let (orange, white, dark) = ([0.85, 0.28, 0.05], [0.90, 0.86, 0.78], [0.04, 0.04, 0.05]);
    let red = [0.70, 0.12, 0.06];
    let mut rings = [tube::Ring { x: 0.0, width: 0.0, height: 0.0, color: orange, below: white }; RING_COUNT];
    for i in 0..RING_COUNT {
        rings[i].x = SHAPE[i][0];
        rings[i].width = SHAPE[i][1];
        rings[i].height = SHAPE[i][2];
        rings[i].color = if i == 3 || i == 7 { white } else { orange }; // two bands
    }
    let mut vertices = [tube::NO_VERTEX; VERTEX_COUNT];
    let mut indices = [0; INDEX_COUNT];
    tube::build(&rings, SPACING, JOINT_COUNT, &mut vertices, &mut indices);
    for i in 0..8 {
        add_fin(&mut vertices, &mut indices, i, &FINS[i], red);
    }
    for i in 0..4 {
        add_fin(&mut vertices, &mut indices, 8 + i, &EYES[i], dark);
    }
    guest::load_mesh_indexed(&vertices, &indices, tube::FORMAT)
}

// ---- The motion -------------------------------------------------------------------------------------------------

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = guest::sqrt((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) as f64) as f32;
    if length > 0.0 { [v[0] / length, v[1] / length, v[2] / length] } else { [0.0; 3] }
}

fn held(pressed: u32, button: u32) -> f32 {
    if pressed & button != 0 { 1.0 } else { 0.0 }
}

impl Game {
    /// Turns the fish towards a place on the ground plan, by a step at most.
    fn steer(&mut self, x: f32, y: f32) {
        let to = unit([x - self.joints[0][0], y - self.joints[0][1], 0.0]);
        let ahead = self.facing_x * to[0] + self.facing_y * to[1];
        let left = self.facing_x * to[1] - self.facing_y * to[0];
        let cosine = guest::cos(TURN_STEP);
        let sine = if left < 0.0 { -guest::sin(TURN_STEP) } else { guest::sin(TURN_STEP) };
        let turned = unit([
            self.facing_x * cosine - self.facing_y * sine,
            self.facing_x * sine + self.facing_y * cosine,
            0.0,
        ]);
        if ahead < cosine && (to[0] != 0.0 || to[1] != 0.0) {
            self.facing_x = turned[0];
            self.facing_y = turned[1];
        }
    }

    fn move_head(&mut self, pressed: u32) {
        let head = self.joints[0];
        let time = self.ticks as f32 * DT;
        let x = held(pressed, guest::RIGHT) - held(pressed, guest::LEFT);
        let y = held(pressed, guest::UP) - held(pressed, guest::DOWN);
        if head[0] * head[0] + head[1] * head[1] > EDGE * EDGE {
            self.steer(0.0, 0.0);
        } else if x != 0.0 || y != 0.0 {
            self.steer(head[0] + x, head[1] + y);
        } else {
            self.steer(2.4 * guest::cos(0.5 * time), 1.3 * guest::sin(time)); // a lying eight
        }
        self.speed = guest::approach(self.speed, if pressed & guest::B != 0 { 2.6 } else { 1.4 }, 2.0 * DT);
        self.stroke += (3.0 + 3.0 * self.speed) * DT;
        if self.stroke > 6.2831853 {
            self.stroke -= 6.2831853;
        }
        self.joints[0][0] += self.facing_x * self.speed * DT;
        self.joints[0][1] += self.facing_y * self.speed * DT;
        self.joints[0][2] = 1.1 + 0.12 * guest::sin(0.9 * time);
    }

    /// The direction of the body ahead of a joint; of the head, where it looks, swaying with each stroke.
    fn direction(&self, joint: usize) -> [f32; 3] {
        if joint == 0 {
            let sway = 0.25 * guest::sin(self.stroke);
            let (c, s) = (guest::cos(sway), guest::sin(sway));
            return [self.facing_x * c - self.facing_y * s, self.facing_x * s + self.facing_y * c, 0.0];
        }
        let (ahead, here) = (self.joints[joint - 1], self.joints[joint]);
        unit([ahead[0] - here[0], ahead[1] - here[1], ahead[2] - here[2]])
    }

    /// Steps the springs: first the speed from the force, then the place from the speed (semi-implicit Euler), then the
    /// length of the body, which does not stretch.
    fn follow(&mut self) {
        for i in 1..JOINT_COUNT {
            let mut ahead = self.direction(i - 1);
            for k in 0..3 {
                let rest = self.joints[i - 1][k] - ahead[k] * SPACING;
                let velocity = &mut self.velocities[i][k];
                *velocity += (STIFFNESS * (rest - self.joints[i][k]) - DAMPING * *velocity) * DT;
                self.joints[i][k] += *velocity * DT;
            }
            ahead = self.direction(i);
            for k in 0..3 {
                self.joints[i][k] = self.joints[i - 1][k] - ahead[k] * SPACING;
            }
        }
    }

    /// Writes the bones: each at its joint, relative to the head, along the body there, upright.
    fn pose(&mut self) {
        for i in 0..JOINT_COUNT {
            let (here, behind) = (self.direction(i), self.direction(if i + 1 < JOINT_COUNT { i + 1 } else { i }));
            let x = unit([here[0] + behind[0], here[1] + behind[1], here[2] + behind[2]]);
            let y = unit([-x[1], x[0], 0.0]);
            let z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
            for k in 0..3 {
                self.bones[i][4 * k] = x[k];
                self.bones[i][4 * k + 1] = y[k];
                self.bones[i][4 * k + 2] = z[k];
                self.bones[i][4 * k + 3] = self.joints[i][k] - self.joints[0][k];
            }
        }
    }
}

#[no_mangle]
pub extern "C" fn init() {
    let game = game();
    let mut inverse_binds = [guest::IDENTITY; JOINT_COUNT];
    tube::inverse_binds(SPACING, &mut inverse_binds);
    game.mesh = load_fish();
    game.skeleton = guest::load_skeleton(&inverse_binds);
    game.facing_x = 1.0;
    game.speed = 1.4;
    for i in 0..JOINT_COUNT {
        game.joints[i][0] = -(i as f32) * SPACING;
        game.joints[i][2] = 1.1;
    }
    game.pose();
}

#[no_mangle]
pub extern "C" fn update() {
    let game = game();
    game.ticks += 1;
    game.move_head(guest::buttons(0));
    game.follow();
    game.pose();
}

#[no_mangle]
pub extern "C" fn render() {
    let game = game();
    let head = game.joints[0];
    guest::skeleton_bind(game.skeleton);
    guest::set_bones(&game.bones);
    guest::transform_identity();
    guest::transform_set_position(head[0], head[1], head[2]);
    guest::draw_mesh(game.mesh);

    // A small one on the other side of the middle, half a turn around: the same bones, at another place.
    let small = [-0.4, 0.0, 0.0, -head[0], 0.0, -0.4, 0.0, -head[1], 0.0, 0.0, 0.4, 0.5];
    guest::transform_set(&small);
    guest::draw_mesh(game.mesh);
}

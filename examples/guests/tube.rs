//! A tube with bones in it, for creatures that are made in code: it begins at the origin and goes along -x, and bone i
//! is at (-i * spacing, 0, 0), not turned. The same as tube.h, to the bit.
use crate::guest;

pub const SIDES: usize = 12;
pub const FORMAT: u32 = guest::COLOR | guest::NORMAL | guest::BONES;

/// A vertex as load_mesh_indexed takes it for that format.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Vertex {
    pub position: [f32; 3],
    pub color: [f32; 4],
    pub normal: [f32; 3],
    pub bones: [u8; 4],
    pub weights: [u8; 4],
}

pub const NO_VERTEX: Vertex =
    Vertex { position: [0.0; 3], color: [0.0; 4], normal: [0.0; 3], bones: [0; 4], weights: [0; 4] };

/// An ellipse across the tube.
#[derive(Clone, Copy)]
pub struct Ring {
    /// Where it is, and how far it reaches along y and z.
    pub x: f32,
    pub width: f32,
    pub height: f32,
    /// On top, and at the bottom.
    pub color: [f32; 3],
    pub below: [f32; 3],
}

/// Returns the vertex at a place, which follows the two bones around it by how near they are.
pub fn point(position: [f32; 3], normal: [f32; 3], color: [f32; 3], spacing: f32, bone_count: usize) -> Vertex {
    let end = (bone_count - 1) as f32;
    let along = -position[0] / spacing;
    let held = if along < 0.0 { 0.0 } else if along < end { along } else { end };
    let bone = held as usize;
    let next = if bone + 1 < bone_count { bone + 1 } else { bone };
    let weight = ((held - bone as f32) * 255.0 + 0.5) as u8;
    Vertex {
        position,
        color: [color[0], color[1], color[2], 1.0],
        normal,
        bones: [bone as u8, next as u8, 0, 0],
        weights: [255 - weight, weight, 0, 0],
    }
}

/// Writes the vertices of the rings, SIDES for each, and the indices of what is between them, six for each side. The
/// rings are at least two, and go backwards. One without width or height is a tip.
pub fn build(rings: &[Ring], spacing: f32, bone_count: usize, vertices: &mut [Vertex], indices: &mut [u16]) {
    for (i, ring) in rings.iter().enumerate() {
        let before = &rings[if i > 0 { i - 1 } else { 0 }];
        let after = &rings[if i + 1 < rings.len() { i + 1 } else { i }];
        let width_slope = (after.width - before.width) / (after.x - before.x);
        let height_slope = (after.height - before.height) / (after.x - before.x);
        for side in 0..SIDES {
            let angle = side as f32 * (6.2831853 / SIDES as f32);
            let (c, s) = (guest::cos(angle), guest::sin(angle));
            let up = 0.5 + 0.5 * s;
            let mut color = [0.0; 3];
            for k in 0..3 {
                color[k] = ring.below[k] + (ring.color[k] - ring.below[k]) * up;
            }

            // The gradient of the ellipses' equation. It is 0 at a tip, which looks ahead or back.
            let mut normal = [
                -(c * c * width_slope * ring.height + s * s * height_slope * ring.width),
                c * ring.height,
                s * ring.width,
            ];
            let square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
            let length = guest::sqrt(square as f64) as f32;
            for k in 0..3 {
                normal[k] = if length > 0.0 { normal[k] / length } else { 0.0 };
            }
            if !(length > 0.0) {
                normal[0] = if i == 0 { 1.0 } else { -1.0 };
            }

            let position = [ring.x, c * ring.width, s * ring.height];
            vertices[i * SIDES + side] = point(position, normal, color, spacing, bone_count);
        }
    }
    for i in 0..rings.len() - 1 {
        for side in 0..SIDES {
            let (a, b) = (i * SIDES + side, i * SIDES + (side + 1) % SIDES);
            let corners = [a, a + SIDES, b, b, a + SIDES, b + SIDES];
            for k in 0..6 {
                indices[(i * SIDES + side) * 6 + k] = corners[k] as u16;
            }
        }
    }
}

/// Writes the inverse binds of its bones.
pub fn inverse_binds(spacing: f32, out: &mut [guest::Matrix]) {
    for i in 0..out.len() {
        out[i] = guest::translation(i as f32 * spacing, 0.0, 0.0);
    }
}

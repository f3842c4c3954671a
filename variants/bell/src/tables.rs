//! The tables: the end of each ray, and the knight's jumps that stay on the board.

use std::marker::PhantomData;

use raywalk_core::square_board::{Geometry, Grid8x8};
use raywalk_core::{Kind, Square};

/// The encoding of the end of a ray in one byte.
pub trait RayEnd: Send + Sync + 'static {
    /// Encodes a ray of `length` squares.
    fn entry(from: Square, last: Square, length: u8) -> u8;
    /// Whether the ray has no squares.
    fn is_empty(entry: usize, from: u8) -> bool;
    /// Whether the square just entered, `at`, is the last. The loop calls this once per empty square,
    /// with `entry` initially the byte from the table, extended to a register.
    fn ends(entry: &mut usize, at: usize) -> bool;
}

/// The published form: the byte is the last square, or the origin if the ray is empty.
pub struct LastSquare;

impl RayEnd for LastSquare {
    fn entry(_from: Square, last: Square, _length: u8) -> u8 {
        last.number()
    }
    #[inline(always)]
    fn is_empty(entry: usize, from: u8) -> bool {
        entry == usize::from(from)
    }
    #[inline(always)]
    fn ends(entry: &mut usize, at: usize) -> bool {
        *entry == at
    }
}

/// The derived form: the byte is the number of squares, which the loop counts down.
pub struct Steps;

impl RayEnd for Steps {
    fn entry(_from: Square, _last: Square, length: u8) -> u8 {
        length
    }
    #[inline(always)]
    fn is_empty(entry: usize, _from: u8) -> bool {
        entry == 0
    }
    #[inline(always)]
    fn ends(entry: &mut usize, _at: usize) -> bool {
        // Never below zero: the caller skips empty rays.
        *entry -= 1;
        *entry == 0
    }
}

/// The increment of each direction, and the end of each ray. The rook's four directions come first.
#[repr(C)]
pub(crate) struct Rays<E> {
    step: [u8; 8],
    end: [[u8; 64]; 8],
    meaning: PhantomData<E>,
}

impl<E: RayEnd> Rays<E> {
    pub(crate) fn new() -> Self {
        let mut end = [[0; 64]; 8];
        for (end, &(files, ranks)) in end.iter_mut().zip(Kind::Queen.steps()) {
            for from in Square::all() {
                let ray = std::iter::successors(Some(from), |at| at.offset(files, ranks));
                let last = ray.clone().last().unwrap_or(from);
                // The iterator begins with the origin, which is no square of the ray.
                end[from.index()] = E::entry(from, last, ray.count() as u8 - 1);
            }
        }
        Rays { step: *Grid8x8::QUEEN_STEPS, end, meaning: PhantomData }
    }

    /// The increment of a direction, and the encoded end of its ray from a square.
    #[inline(always)]
    pub(crate) fn ray(&self, direction: usize, from: u8) -> (u8, usize) {
        let direction = direction & 7; // replaces two bounds checks
        (self.step[direction], usize::from(self.end[direction][usize::from(from & 63)]))
    }
}

/// The eight jumps of the knight and, for each square, a bit for each jump that stays on the board.
#[repr(C)]
pub(crate) struct Jumps {
    step: [u8; 8],
    valid: [u8; 64],
}

impl Jumps {
    pub(crate) fn new() -> Self {
        let mut valid = [0; 64];
        for from in Square::all() {
            for (jump, &(files, ranks)) in Kind::Knight.steps().iter().enumerate() {
                let on_board = from.offset(files, ranks).is_some();
                valid[from.index()] |= u8::from(on_board) << jump;
            }
        }
        Jumps { step: *Grid8x8::KNIGHT_STEPS, valid }
    }

    /// The increments, and a bit for each that is valid from this square.
    #[inline(always)]
    pub(crate) fn of(&self, from: u8) -> (&[u8; 8], u8) {
        (&self.step, self.valid[usize::from(from & 63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_the_size_of_the_published_form() {
        assert_eq!(size_of::<Rays<LastSquare>>(), 8 + 512);
        assert_eq!(size_of::<Rays<Steps>>(), 8 + 512);
        assert_eq!(size_of::<Jumps>(), 8 + 64);
    }

    #[test]
    fn ninety_two_of_the_512_rays_are_empty() {
        let (ends, lengths) = (Rays::<LastSquare>::new(), Rays::<Steps>::new());
        let mut empty = 0;
        for direction in 0..8 {
            for from in 0..64 {
                let (_, end) = ends.ray(direction, from);
                let (_, length) = lengths.ray(direction, from);
                assert_eq!(LastSquare::is_empty(end, from), Steps::is_empty(length, from));
                empty += u32::from(Steps::is_empty(length, from));
            }
        }
        assert_eq!(empty, 92);
    }

    #[test]
    fn both_encodings_visit_the_1456_squares_of_the_queen() {
        fn squares<E: RayEnd>() -> (usize, usize) {
            let rays = Rays::<E>::new();
            let (mut rook, mut bishop) = (0, 0);
            for direction in 0..8 {
                for from in 0..64u8 {
                    let (step, mut end) = rays.ray(direction, from);
                    if E::is_empty(end, from) {
                        continue;
                    }
                    let mut at = from;
                    loop {
                        at = at.wrapping_add(step);
                        assert!(at < 64, "a step from {from} in direction {direction} leaves");
                        *(if direction < 4 { &mut rook } else { &mut bishop }) += 1;
                        if E::ends(&mut end, at.into()) {
                            break;
                        }
                    }
                }
            }
            (rook, bishop)
        }
        assert_eq!(squares::<LastSquare>(), (896, 560));
        assert_eq!(squares::<Steps>(), (896, 560));
    }

    #[test]
    fn the_knight_has_336_valid_jumps() {
        assert_eq!(Jumps::new().valid.iter().map(|valid| valid.count_ones()).sum::<u32>(), 336);
    }
}

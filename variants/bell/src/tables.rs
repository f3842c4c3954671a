//! The tables: the end of each ray, and the knight's jumps that stay on the board.

use std::hint::assert_unchecked;
use std::marker::PhantomData;

use raywalk_core::square_board::{Geometry, Grid8x8};
use raywalk_core::{Kind, Square, opaque};

/// The encoding of the end of a ray in one byte.
///
/// # Safety
///
/// The results depend only on the arguments, because a table checks each ray once.
pub unsafe trait RayEnd: Send + Sync + 'static {
    /// Encodes a ray of `length` squares.
    fn entry(from: Square, last: Square, length: u8) -> u8;
    /// Whether the ray has no squares.
    fn is_empty(entry: usize, from: Square) -> bool;
    /// Whether the square just entered, `at`, is the last. The loop calls this once per empty square,
    /// with `entry` initially the byte from the table, extended to a register.
    fn ends(entry: &mut usize, at: usize) -> bool;
}

/// The published form: the byte is the last square, or the origin if the ray is empty.
pub struct LastSquare;

// SAFETY: both functions compare their arguments.
unsafe impl RayEnd for LastSquare {
    fn entry(_from: Square, last: Square, _length: u8) -> u8 {
        last.number()
    }
    #[inline(always)]
    fn is_empty(entry: usize, from: Square) -> bool {
        entry == from.index()
    }
    #[inline(always)]
    fn ends(entry: &mut usize, at: usize) -> bool {
        *entry == at
    }
}

/// The derived form: the byte is the number of squares, which the loop counts down.
pub struct Steps;

// SAFETY: both functions compare an argument with zero.
unsafe impl RayEnd for Steps {
    fn entry(_from: Square, _last: Square, length: u8) -> u8 {
        length
    }
    #[inline(always)]
    fn is_empty(entry: usize, _from: Square) -> bool {
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
        let rays = Rays { step: *Grid8x8::QUEEN_STEPS, end, meaning: PhantomData };
        rays.check();
        rays
    }

    /// Asserts that no ray leaves the board before its end is found.
    fn check(&self) {
        for (direction, from) in
            (0..8).flat_map(|direction| Square::all().map(move |from| (direction, from)))
        {
            let Some(Ray { mut at, step, mut end, .. }) = self.ray(direction, from) else {
                continue;
            };
            loop {
                at = at.wrapping_add_signed(step);
                assert!(at < 64, "the ray from {from} in direction {direction} has no end");
                if E::ends(&mut end, at) {
                    break;
                }
            }
        }
    }

    /// The ray in a direction from a square, or `None` if it is empty.
    #[inline(always)]
    pub(crate) fn ray(&self, direction: usize, from: Square) -> Option<Ray<E>> {
        let direction = direction & 7; // replaces two bounds checks
        let end = usize::from(self.end[direction][from.index()]);
        let step = self.step[direction].cast_signed().into();
        (!E::is_empty(end, from)).then_some(Ray {
            at: from.index(),
            step,
            end,
            meaning: PhantomData,
        })
    }

    /// The nearest square in a direction, or `None` if the ray is empty.
    #[inline(always)]
    pub(crate) fn first(&self, direction: usize, from: Square) -> Option<Square> {
        // SAFETY: the ray is new and has a square.
        self.ray(direction, from).map(|mut ray| unsafe { ray.enter() })
    }
}

/// A ray with at least one square, and the position of a walk on it. Only [`Rays`] makes rays; its constructor checks
/// that all squares are on the board.
pub(crate) struct Ray<E> {
    at: usize,
    step: isize,
    end: usize,
    meaning: PhantomData<E>,
}

impl<E: RayEnd> Ray<E> {
    /// Enters the next square. The sum is kept in a register of full width and hidden from the compiler, as in the
    /// other families.
    ///
    /// # Safety
    ///
    /// This is the first call, or [`is_at_end`](Self::is_at_end) was called exactly once since the last one and
    /// returned false.
    #[inline(always)]
    pub(crate) unsafe fn enter(&mut self) -> Square {
        self.at = opaque(self.at.wrapping_add_signed(self.step));
        // SAFETY: as the caller promises. A mask would be part of the dependency chain.
        unsafe { assert_unchecked(self.at < 64) };
        Square::from_low_bits(self.at as u32)
    }

    /// Whether the square that was entered is the last one.
    #[inline(always)]
    pub(crate) fn is_at_end(&mut self) -> bool {
        E::ends(&mut self.end, self.at)
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
            for from in Square::all() {
                let is_empty = ends.ray(direction, from).is_none();
                assert_eq!(is_empty, lengths.ray(direction, from).is_none());
                empty += u32::from(is_empty);
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
                for mut ray in Square::all().filter_map(|from| rays.ray(direction, from)) {
                    loop {
                        // SAFETY: the loop ends after the last square.
                        unsafe { ray.enter() };
                        *(if direction < 4 { &mut rook } else { &mut bishop }) += 1;
                        if ray.is_at_end() {
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
    #[should_panic(expected = "the ray from a1 in direction 0 has no end")]
    fn a_ray_without_an_end_is_found() {
        let mut rays = Rays::<LastSquare>::new();
        rays.end[0][0] = 10;
        rays.check();
    }

    #[test]
    fn the_knight_has_336_valid_jumps() {
        assert_eq!(Jumps::new().valid.iter().map(|valid| valid.count_ones()).sum::<u32>(), 336);
    }
}

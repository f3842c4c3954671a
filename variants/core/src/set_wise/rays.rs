//! The search for the source of a move, backwards along its ray.

use super::{DIRECTIONS, distance, index};
use crate::Square;
use crate::bitboards::attacks::ray;

/// The rays on an empty board by direction and square, 4,096 bytes. Sources are searched on them.
#[derive(Clone, Debug)]
pub struct Rays([[u64; 64]; 8]);

impl Rays {
    /// Builds the table.
    pub fn build() -> Rays {
        Rays(std::array::from_fn(|direction| {
            std::array::from_fn(|n| ray(Square::from_low_bits(n as u32), DIRECTIONS[direction], 0))
        }))
    }

    /// The origin of the piece that reaches `target` along a ray: the nearest piece backwards.
    ///
    /// Unspecified if there is no piece on the ray.
    #[inline(always)]
    pub fn source<const FILES: i8, const RANKS: i8>(&self, target: Square, pieces: u64) -> Square {
        // Opposite directions differ in bit 2.
        let behind = self.0[const { index(FILES, RANKS) ^ 4 }][target.index()] & pieces;
        if const { distance(FILES, RANKS) > 0 } { highest(behind) } else { lowest(behind) }
    }

    /// Like [`source`](Rays::source) for a direction known only at run time, including leaps.
    #[inline(always)]
    pub(super) fn source_from(&self, direction: usize, target: Square, pieces: u64) -> Square {
        let behind = self.0[(direction ^ 4) & 7][target.index()] & pieces;
        let (files, ranks) = DIRECTIONS[direction & 15];
        let leaps_from = back(target, distance(files, ranks));
        let slides_from = if direction & 4 == 0 { highest(behind) } else { lowest(behind) };
        if direction & 8 == 0 { slides_from } else { leaps_from }
    }
}

/// The highest square of a set. Setting bit 0 changes the result for an empty set only, and lets
/// the compiler omit the test for zero.
#[inline(always)]
pub(super) fn highest(set: u64) -> Square {
    Square::from_low_bits(63 - (set | 1).leading_zeros())
}

/// The lowest square of a set. Bit 63 is set for the same reason.
#[inline(always)]
pub(super) fn lowest(set: u64) -> Square {
    Square::from_low_bits((set | 1 << 63).trailing_zeros())
}

/// The square one step of this distance back.
#[inline(always)]
pub(super) const fn back(square: Square, distance: i8) -> Square {
    Square::from_low_bits((square.number() as u32).wrapping_sub(distance as u32))
}

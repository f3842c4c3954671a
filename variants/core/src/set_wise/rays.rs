//! The search for the source of a move, backwards along its ray.
//!
//! A source is a plain number here, not a [`Square`]. A square promises to be below 64, and keeping
//! that promise for the result of a bit scan takes an instruction per move: a mask behind the scan,
//! or a bit set before it. Every target has a source, so the set is never empty and the scan always
//! finds a square.

use std::hint::select_unpredictable;

use super::{DIRECTIONS, MoveCode, distance, index};
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

    /// The pieces on the ray that leads from a target back against the direction.
    #[inline(always)]
    pub(super) fn behind<const FILES: i8, const RANKS: i8>(
        &self,
        target: Square,
        pieces: u64,
    ) -> u64 {
        // Opposite directions differ in bit 2.
        self.0[const { index(FILES, RANKS) ^ 4 }][target.index()] & pieces
    }

    /// The same for a ray direction known only at run time.
    #[inline(always)]
    pub(super) fn behind_along(&self, direction: usize, target: Square, pieces: u64) -> u64 {
        self.back(direction)[target.index()] & pieces
    }

    /// The rays that lead back from each square against a direction.
    #[inline(always)]
    pub(super) fn back(&self, direction: usize) -> &[u64; 64] {
        &self.0[(direction ^ 4) & 7]
    }

    /// The number of the square that the piece with this code comes from. A branch tells leaps from
    /// rays, because leaps follow each other in a list of codes. A selection tells the two senses of
    /// a ray.
    #[inline(always)]
    pub(super) fn source(&self, code: MoveCode, pieces: u64) -> u32 {
        if code.leaps() {
            return before(code.target(), LEAPS[code.direction() & 7]);
        }
        // Direction and target of a code are the two indices of the table, side by side.
        let behind = self.0.as_flattened()[code.opposite_ray()] & pieces;
        select_unpredictable(code.ascends(), highest(behind), lowest(behind))
    }
}

/// The nearest piece behind a target, for a direction known when the program is compiled.
#[inline(always)]
pub(super) fn nearest<const FILES: i8, const RANKS: i8>(behind: u64) -> u32 {
    if const { distance(FILES, RANKS) > 0 } { highest(behind) } else { lowest(behind) }
}

/// The number of the highest square of a set, which must not be empty.
#[inline(always)]
pub(super) const fn highest(set: u64) -> u32 {
    set.leading_zeros() ^ 63
}

/// The number of the lowest square of a set, which must not be empty.
#[inline(always)]
pub(super) const fn lowest(set: u64) -> u32 {
    set.trailing_zeros()
}

/// The distances of the eight leaps, by direction.
pub(super) const LEAPS: [i8; 8] = {
    let mut leaps = [0; 8];
    let mut n = 0;
    while n < 8 {
        leaps[n] = distance(DIRECTIONS[8 + n].0, DIRECTIONS[8 + n].1);
        n += 1;
    }
    leaps
};

/// The number of the square one step of this distance before a target that is reached by it.
#[inline(always)]
pub(super) const fn before(target: Square, distance: i8) -> u32 {
    (target.number() as u32).wrapping_sub(distance as u32)
}

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

/// A table in which sources are found.
pub trait LookBack: Send + Sync + 'static {
    /// Builds the table.
    fn build() -> Self;
}

impl LookBack for Rays {
    fn build() -> Rays {
        Rays(std::array::from_fn(|direction| {
            std::array::from_fn(|n| ray(Square::from_low_bits(n as u32), DIRECTIONS[direction], 0))
        }))
    }
}

impl Rays {
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
        self.0[(direction ^ 4) & 7][target.index()] & pieces
    }
}

/// The squares that a target is reached from, by direction and target, on an empty board: a ray for the eight ray
/// directions, one square for the eight leaps. 8,192 bytes. A leap is found as a ray is, so no search asks which
/// it looks for.
///
/// With `REVERSED`, the sets of directions to higher squares are reversed, a1 for h8: the nearest piece behind such
/// a target is the last of the ray, and the first of the reversed ray. On a board with its pieces reversed too, the
/// same scan serves both senses.
#[derive(Clone, Debug)]
pub struct Sources<const REVERSED: bool>([[u64; 64]; 16]);

impl<const REVERSED: bool> LookBack for Sources<REVERSED> {
    fn build() -> Self {
        let behind = |direction: usize, target: Square| {
            let (files, ranks) = DIRECTIONS[direction];
            match direction {
                0..8 => ray(target, (-files, -ranks), 0),
                _ => target.offset(-files, -ranks).map_or(0, Square::bit),
            }
        };
        let row = |direction: usize, n: usize| {
            let sources = behind(direction, Square::from_low_bits(n as u32));
            if REVERSED && ascends(direction) { sources.reverse_bits() } else { sources }
        };
        Sources(std::array::from_fn(|direction| std::array::from_fn(|n| row(direction, n))))
    }
}

impl<const REVERSED: bool> Sources<REVERSED> {
    /// The sources of each target in one direction, which is taken modulo 16.
    #[inline(always)]
    pub(super) fn back(&self, direction: usize) -> &[u64; 64] {
        &self.0[direction & 15]
    }
}

impl Sources<false> {
    /// The pieces behind the target of a code. Direction and target of a code are the two indices of the table, side
    /// by side.
    #[inline(always)]
    pub(super) fn behind(&self, code: MoveCode, empty: u64) -> u64 {
        self.0.as_flattened()[code.index()] & !empty
    }
}

/// A table in which the source of any code can be found.
pub(super) trait FindSource {
    /// The number of the square that the piece with this code comes from. A selection tells the two senses of a ray.
    fn source(&self, code: MoveCode, pieces: u64) -> u32;
}

impl FindSource for Sources<false> {
    #[inline(always)]
    fn source(&self, code: MoveCode, pieces: u64) -> u32 {
        let behind = self.behind(code, !pieces);
        select_unpredictable(ascends(code.direction()), highest(behind), lowest(behind))
    }
}

impl FindSource for Sources<true> {
    #[inline(always)]
    fn source(&self, code: MoveCode, pieces: u64) -> u32 {
        let row = self.back(code.direction())[code.target().index()];
        let reversed = lowest(row & pieces.reverse_bits()) ^ 63;
        select_unpredictable(ascends(code.direction()), reversed, lowest(row & pieces))
    }
}

impl FindSource for Rays {
    #[inline(always)]
    fn source(&self, code: MoveCode, pieces: u64) -> u32 {
        let (target, direction) = (code.target(), code.direction());
        if direction & 8 != 0 {
            return before(target, LEAPS[direction & 7]);
        }
        let behind = self.behind_along(direction, target, pieces);
        select_unpredictable(ascends(direction), highest(behind), lowest(behind))
    }
}

/// Whether a direction leads to higher squares.
#[inline(always)]
pub(super) const fn ascends(direction: usize) -> bool {
    direction & 4 == 0
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

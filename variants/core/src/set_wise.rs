//! Direction-wise generation: one set of targets per direction, for all pieces of a side at once.
//!
//! A piece-wise generator computes the targets of each piece. A direction-wise one computes, for
//! each *direction*, the squares that any piece of the side can reach along it. At most one piece
//! can reach a square from a given direction, because it blocks all pieces behind it, so a target
//! and a direction identify a move. There are eight ray directions, which kings and pawns share
//! with the sliders, and eight knight directions. The sixteen sets take 128 bytes and are an
//! unsorted list of all moves.
//!
//! Two designs use this module, one pseudo-legal and one legal. They share the [`step`] in a
//! direction, the [fills](Fill) along it, the [`View`] of the side to move, the [`TargetSets`], and
//! the ways to write moves ([`Serialiser`], [`MoveGetter`]). Directions are const generic
//! parameters, so each direction has machine code of its own.
//!
//! # Source
//! Chess Programming Wiki, *Pieces versus Directions*, *DirGolem*, *General Setwise Operations*.

mod fill;
mod getter;
mod rays;
mod serialise;
#[cfg(test)]
mod tests;
mod view;

pub use fill::{Dumb7Fill, Fill, KoggeStone, Subtraction};
use getter::MoveCode;
pub use getter::MoveGetter;
pub use rays::Rays;
pub use serialise::{Delayed, Getter, Incremental, RayRun, Serialiser};
use view::Marks;
pub use view::View;

/// The sixteen directions as (files, ranks): eight rays, then eight leaps.
///
/// Each half lists the four directions to higher squares, then their opposites in the same order.
/// So bit 3 of an index marks a leap and bit 2 a direction to lower squares.
const DIRECTIONS: [(i8, i8); 16] = [
    (0, 1),
    (1, 0),
    (1, 1),
    (-1, 1),
    (0, -1),
    (-1, 0),
    (-1, -1),
    (1, -1),
    (1, 2),
    (2, 1),
    (-1, 2),
    (-2, 1),
    (-1, -2),
    (-2, -1),
    (1, -2),
    (2, -1),
];

/// The index of a direction in [`TargetSets`]: below 8 for rays, from 8 on for leaps.
///
/// # Panics
/// If (files, ranks) is not one of the sixteen directions.
pub const fn index(files: i8, ranks: i8) -> usize {
    let mut n = 0;
    while DIRECTIONS[n].0 != files || DIRECTIONS[n].1 != ranks {
        n += 1;
    }
    n
}

/// The difference of square numbers along a direction.
const fn distance(files: i8, ranks: i8) -> i8 {
    files + 8 * ranks
}

/// Moves all pieces of a set by so many files and ranks, and drops those that leave the board.
#[inline(always)]
pub const fn step<const FILES: i8, const RANKS: i8>(set: u64) -> u64 {
    let by = const { distance(FILES, RANKS) };
    // `by` is a constant, so one of the two shifts remains.
    let moved = if by > 0 { set << by } else { set >> -by };
    moved & const { entered(FILES) }
}

/// The squares that a step by so many files can reach without wrapping around. Ranks need no mask:
/// a shift drops the bits beyond the first and the last rank.
const fn entered(files: i8) -> u64 {
    let row = if files > 0 { 0xff << files } else { 0xff >> -files };
    (row & 0xff) * 0x0101_0101_0101_0101
}

/// One set of targets per direction, ordered by [`index`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct TargetSets {
    /// Targets of sliders, kings and pawns.
    pub rays: [u64; 8],
    /// Targets of knights.
    pub leaps: [u64; 8],
}

impl TargetSets {
    /// The set of one ray direction.
    #[inline(always)]
    pub const fn ray<const FILES: i8, const RANKS: i8>(&self) -> u64 {
        self.rays[const { index(FILES, RANKS) }]
    }

    /// The set of the direction with this [`index`].
    #[inline]
    pub fn of(&self, direction: usize) -> u64 {
        let half = if direction < 8 { &self.rays } else { &self.leaps };
        half[direction & 7]
    }

    /// Removes a target from a set and returns whether the set contained it.
    #[inline]
    fn test_and_reset(&mut self, direction: usize, target: crate::Square) -> bool {
        let half = if direction < 8 { &mut self.rays } else { &mut self.leaps };
        let held = half[direction & 7] & target.bit() != 0;
        half[direction & 7] &= !target.bit();
        held
    }

    /// The targets of knights in the eight leap directions, restricted to `allowed`.
    #[inline(always)]
    pub const fn leaps(knights: u64, allowed: u64) -> [u64; 8] {
        [
            step::<1, 2>(knights) & allowed,
            step::<2, 1>(knights) & allowed,
            step::<-1, 2>(knights) & allowed,
            step::<-2, 1>(knights) & allowed,
            step::<-1, -2>(knights) & allowed,
            step::<-2, -1>(knights) & allowed,
            step::<1, -2>(knights) & allowed,
            step::<2, -1>(knights) & allowed,
        ]
    }
}

//! Direction by direction: all pieces of a side at once, one set of targets per direction.
//!
//! A piece-wise generator asks of each piece where it can go. The other way round one asks of each
//! *direction* which squares can be entered along it, by all pieces together. On one square at most
//! one piece can arrive from a given direction, since it stands in the way of all behind it, so a
//! target and a direction name a move and nothing is lost: eight ray directions, in which kings and
//! pawns take part, and the eight of the knights. These sixteen sets, 128 bytes, are an unsorted
//! list of all moves.
//!
//! Two designs are built on this, one pseudo-legal and one legal. What they share is here: the
//! [`step`] in a direction, the [fills](Fill) that run along it, the [`View`] of the side to move,
//! the [`TargetSets`], and the ways to write the moves out ([`Serialiser`], [`MoveGetter`]).
//! Directions are constants of a function, not values, so each becomes its own machine code.
//!
//! # Source
//! Chess Programming Wiki, *Pieces versus Directions*, *DirGolem*, *General Setwise Operations*.

mod fill;
mod getter;
mod serialise;
#[cfg(test)]
mod tests;
mod view;

pub use fill::{Dumb7Fill, Fill, KoggeStone, Subtraction};
pub use getter::{Code, MoveGetter};
pub use serialise::{Delayed, Getter, Incremental, RayRun, Rays, Serialiser};
pub use view::{Marks, View};

/// The sixteen directions as (files, ranks). Rays first, then leaps; in each half the four that
/// lead to higher squares first, then their opposites in the same order. So bit 3 of an index tells
/// a leap and bit 2 a direction that leads down.
pub const DIRECTIONS: [(i8, i8); 16] = [
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

/// The index of a direction in [`DIRECTIONS`].
pub const fn index(files: i8, ranks: i8) -> usize {
    let mut n = 0;
    while DIRECTIONS[n].0 != files || DIRECTIONS[n].1 != ranks {
        n += 1;
    }
    n
}

/// By how much the number of a square grows along a direction.
pub const fn distance(files: i8, ranks: i8) -> i8 {
    files + 8 * ranks
}

/// All pieces of a set moved by so many files and ranks; who would leave the board is gone.
#[inline(always)]
pub const fn step<const FILES: i8, const RANKS: i8>(set: u64) -> u64 {
    let by = const { distance(FILES, RANKS) };
    let moved = if by > 0 { set << by } else { set >> -by };
    moved & const { entered(FILES) }
}

/// The squares that a step by so many files can lead to. Ranks need no such care: bits beyond the
/// first and the last rank fall out of the word.
const fn entered(files: i8) -> u64 {
    let row = if files > 0 { 0xff << files } else { 0xff >> -files };
    (row & 0xff) * 0x0101_0101_0101_0101
}

/// One set of targets per direction, in the order of [`DIRECTIONS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct TargetSets {
    /// Sliders, kings and pawns.
    pub rays: [u64; 8],
    /// Knights.
    pub leaps: [u64; 8],
}

impl TargetSets {
    /// The set of one direction.
    #[inline(always)]
    pub const fn ray<const FILES: i8, const RANKS: i8>(&self) -> u64 {
        self.rays[const { index(FILES, RANKS) }]
    }

    /// The set of the direction with this index in [`DIRECTIONS`].
    #[inline]
    pub fn of(&self, direction: usize) -> u64 {
        let half = if direction < 8 { &self.rays } else { &self.leaps };
        half[direction & 7]
    }

    /// Takes a target out of a set and tells whether it was there.
    #[inline]
    pub fn test_and_reset(&mut self, direction: usize, target: crate::Square) -> bool {
        let half = if direction < 8 { &mut self.rays } else { &mut self.leaps };
        let held = half[direction & 7] & target.bit() != 0;
        half[direction & 7] &= !target.bit();
        held
    }

    /// Where knights arrive, restricted to the squares that are wanted.
    #[inline(always)]
    pub const fn leaps(knights: u64, wanted: u64) -> [u64; 8] {
        [
            step::<1, 2>(knights) & wanted,
            step::<2, 1>(knights) & wanted,
            step::<-1, 2>(knights) & wanted,
            step::<-2, 1>(knights) & wanted,
            step::<-1, -2>(knights) & wanted,
            step::<-2, -1>(knights) & wanted,
            step::<1, -2>(knights) & wanted,
            step::<2, -1>(knights) & wanted,
        ]
    }
}

//! Direction-wise generation: one set of targets per direction, for all pieces of a side at once.
//!
//! A piece-wise generator computes the targets of each piece. A direction-wise one computes, for
//! each *direction*, the squares that any piece of the side can reach along it. At most one piece
//! can reach a square from a given direction, because it blocks all pieces behind it, so a target
//! and a direction identify a move. There are eight ray directions, which kings and pawns share
//! with the sliders, and eight knight directions. The sixteen sets take 128 bytes and are an
//! unsorted list of all moves.
//!
//! The designs of `setwise` and `dirgolem` and `simd/fills` use this module. They share the [`step`] in a
//! direction, the [fills](Fill) along it, the [`View`] of the side to move, the [`TargetSets`], and
//! the ways to write moves ([`Serialiser`], [`MoveGetter`]). Fills and two of the serialisers have
//! directions as const generic parameters, so each direction has machine code of its own. The other
//! serialisers have one loop and the direction as a value.
//!
//! # Source
//! Chess Programming Wiki, *Pieces versus Directions*, *DirGolem*, *General Setwise Operations*.

mod code;
mod complete;
mod fill;
mod getter;
mod rays;
mod rolled;
mod serialise;
#[cfg(test)]
mod tests;
mod view;

use code::MoveCode;
pub use fill::{Dumb7Fill, Fill, KoggeStone, Subtraction};
pub use getter::{GetterStates, MoveGetter};
pub use rays::{LookBack, Rays, Sources};
pub use rolled::{Codes, Delayed, Incremental, OneAtATime, RolledGetter, Staged, Stoppable};
pub use serialise::{
    Getter, GetterWith, RayRun, RayRunWith, Serialiser, TestedGetter, UntestedRayRun, each,
};
use view::Marks;
pub use view::View;

use crate::Stage;

/// The rank on which a double push ends. A [`View`] shows the board from the side to move, so it is the same for both
/// colours.
pub const FOURTH_RANK: u64 = 0xff << 24;

/// The sixteen directions as (files, ranks): eight rays, then eight leaps.
///
/// Each half lists the four directions to higher squares, then their opposites in the same order.
/// So bit 3 of an index marks a leap and bit 2 a direction to lower squares.
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

/// One set of targets per direction, ordered by [`index`]: the targets of sliders, kings and pawns by
/// ray, then those of knights by leap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TargetSets([u64; 16]);

impl TargetSets {
    /// The sets of eight rays and eight leaps.
    #[inline(always)]
    pub const fn new(rays: [u64; 8], leaps: [u64; 8]) -> TargetSets {
        let mut sets = [0; 16];
        sets.first_chunk_mut::<8>().expect("the rays").copy_from_slice(&rays);
        sets.last_chunk_mut::<8>().expect("the leaps").copy_from_slice(&leaps);
        TargetSets(sets)
    }

    /// Adds targets to the set of the direction with this [`index`], which is taken modulo 16.
    #[inline(always)]
    pub const fn add(&mut self, direction: usize, targets: u64) {
        self.0[direction & 15] |= targets;
    }

    /// Removes targets from the set of the direction with this [`index`], which is taken modulo 16.
    #[inline(always)]
    const fn remove(&mut self, direction: usize, targets: u64) {
        self.0[direction & 15] &= !targets;
    }

    /// Adds castling, a king's move of two squares, to the sets of east and west. `castling` has its target squares as
    /// the side to move sees them.
    #[inline(always)]
    pub const fn add_castling(&mut self, castling: u64) {
        const FILE_G: u64 = 0x4040_4040_4040_4040;
        const FILE_C: u64 = 0x0404_0404_0404_0404;
        self.add(const { index(1, 0) }, castling & FILE_G);
        self.add(const { index(-1, 0) }, castling & FILE_C);
    }

    /// Adds the pseudo-legal targets of the pawns in stage `S`.
    #[inline(always)]
    pub fn add_pawns<S: Stage>(&mut self, view: &View) {
        let (pawns, empty) = (view.own & view.pawns, !view.occupied());
        if S::QUIETS {
            let single = step::<0, 1>(pawns) & empty;
            let double = step::<0, 1>(single) & empty & FOURTH_RANK;
            self.add(const { index(0, 1) }, single | double);
        }
        if S::CAPTURES {
            let takes = view.enemy | view.en_passant;
            self.add(const { index(1, 1) }, step::<1, 1>(pawns) & takes);
            self.add(const { index(-1, 1) }, step::<-1, 1>(pawns) & takes);
        }
    }

    /// The set of one ray direction.
    #[inline(always)]
    pub const fn ray<const FILES: i8, const RANKS: i8>(&self) -> u64 {
        self.0[const { index(FILES, RANKS) }]
    }

    /// The set of the direction with this [`index`], which is taken modulo 16.
    #[inline(always)]
    pub const fn of(&self, direction: usize) -> u64 {
        self.0[direction & 15]
    }

    /// The sets of all directions.
    #[inline(always)]
    const fn all_mut(&mut self) -> &mut [u64] {
        &mut self.0
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

//! Fills: the attacks of a set of sliders along one direction.
//!
//! A fill needs no table. It runs the same instructions wherever the sliders are and however many
//! there are.

use super::step;

/// A way to compute the attacks of a set of sliders along one direction.
pub trait Fill: Send + Sync + 'static {
    /// Whether the caller should skip the fill if there are no sliders.
    const GUARDED: bool = false;

    /// The squares that `sliders` attack in the direction of `FILES` and `RANKS`, up to and
    /// including the first piece of `occupied`.
    ///
    /// `sliders` need not be a subset of `occupied`; a slider outside it does not block others.
    fn attacks<const FILES: i8, const RANKS: i8>(sliders: u64, occupied: u64) -> u64;
}

/// Seven steps of one square: six over empty squares and a last one onto any square.
///
/// 19 operations.
///
/// Source: Chess Programming Wiki, *Dumb7Fill*.
pub struct Dumb7Fill;

impl Fill for Dumb7Fill {
    #[inline(always)]
    fn attacks<const FILES: i8, const RANKS: i8>(sliders: u64, occupied: u64) -> u64 {
        let empty = enterable::<FILES>(occupied);
        let mut front = sliders;
        let mut flood = sliders;
        // A line has at most eight squares, so at most six between the first and the last.
        for _ in 0..6 {
            front = run::<FILES, RANKS, 1>(front) & empty;
            flood |= front;
        }
        step::<FILES, RANKS>(flood)
    }
}

/// Parallel prefix: steps of one, two and four squares, like the carries of a Kogge–Stone adder.
///
/// 14 operations. The flood and the runs of empty squares it may cross double in each step.
///
/// Source: Steffan Westcott, Computer Chess Club, 15 September 2002; Chess Programming Wiki,
/// *Kogge-Stone Algorithm*.
pub struct KoggeStone;

impl Fill for KoggeStone {
    #[inline(always)]
    fn attacks<const FILES: i8, const RANKS: i8>(sliders: u64, occupied: u64) -> u64 {
        let mut empty = enterable::<FILES>(occupied);
        let mut flood = sliders;
        flood |= empty & run::<FILES, RANKS, 1>(flood);
        empty &= run::<FILES, RANKS, 1>(empty);
        flood |= empty & run::<FILES, RANKS, 2>(flood);
        empty &= run::<FILES, RANKS, 2>(empty);
        flood |= empty & run::<FILES, RANKS, 4>(flood);
        step::<FILES, RANKS>(flood)
    }
}

/// The empty squares without the files that a step over the edge wraps onto. The flood stops there
/// as at a piece, so the steps themselves need no mask.
#[inline(always)]
const fn enterable<const FILES: i8>(occupied: u64) -> u64 {
    !occupied & const { super::entered(FILES) }
}

/// Shifts a set by `TIMES` steps without masking what wraps around the edge.
#[inline(always)]
const fn run<const FILES: i8, const RANKS: i8, const TIMES: i8>(set: u64) -> u64 {
    let by = const { TIMES * super::distance(FILES, RANKS) };
    if by > 0 { set << by } else { set >> -by }
}

/// East by subtraction for all ranks at once; other directions by [`KoggeStone`].
///
/// The borrow of a subtraction runs through the zeros above a rook up to the next blocker, which is
/// the fill. One instruction serves a rook on each of the eight ranks. A guard on the h-file stops
/// the borrow at the end of each rank.
///
/// Source: Chess Programming Wiki, *Fill by Subtraction*.
pub struct Subtraction;

impl Fill for Subtraction {
    #[inline(always)]
    fn attacks<const FILES: i8, const RANKS: i8>(sliders: u64, occupied: u64) -> u64 {
        const FILE_H: u64 = 0x8080_8080_8080_8080;
        if const { FILES != 1 || RANKS != 0 } {
            return KoggeStone::attacks::<FILES, RANKS>(sliders, occupied);
        }
        let with_sliders = sliders | occupied | FILE_H;
        let sliders = sliders & !FILE_H;
        let without = with_sliders ^ sliders;
        without.wrapping_sub(sliders) ^ with_sliders
    }
}

//! Fills: how far all sliders of a set see along one direction.
//!
//! None of them needs a table, and none asks where the sliders stand or how many there are: the
//! same instructions run for one rook and for four.

use super::step;

/// A way to find what a set of sliders attacks along one direction.
pub trait Fill: Send + Sync + 'static {
    /// Whether the caller should ask first if there are sliders at all.
    const GUARDED: bool = false;

    /// The squares that `sliders` attack in the direction of `FILES` and `RANKS`, up to and
    /// including the first piece of `occupied`. The sliders themselves may stand in `occupied` or
    /// not: a slider that is not blocks nobody, so it is seen through.
    fn attacks<const FILES: i8, const RANKS: i8>(sliders: u64, occupied: u64) -> u64;
}

/// Seven steps of one square: six over empty squares, the last one onto whatever is there.
///
/// 19 operations. Source: Chess Programming Wiki, *Dumb7Fill*.
pub struct Dumb7Fill;

impl Fill for Dumb7Fill {
    #[inline(always)]
    fn attacks<const FILES: i8, const RANKS: i8>(sliders: u64, occupied: u64) -> u64 {
        let empty = enterable::<FILES>(occupied);
        let mut front = sliders;
        let mut flood = sliders;
        // No line is longer than eight squares: six lie between the first and the last.
        for _ in 0..6 {
            front = run::<FILES, RANKS, 1>(front) & empty;
            flood |= front;
        }
        step::<FILES, RANKS>(flood)
    }
}

/// Parallel prefix: steps of one, two and four squares, as a Kogge–Stone adder moves its carries.
///
/// 14 operations: the set of empty squares in a row is doubled together with the flood. Source:
/// Steffan Westcott, Computer Chess Club, 15 September 2002; Chess Programming Wiki, *Kogge-Stone
/// Algorithm*.
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

/// The empty squares, without the file on which a step over the edge of the board would come out:
/// there the flood stops as at a piece, so that the steps themselves need no mask.
#[inline(always)]
const fn enterable<const FILES: i8>(occupied: u64) -> u64 {
    !occupied & const { super::entered(FILES) }
}

/// A shift by several squares without regard to the edge of the board.
#[inline(always)]
const fn run<const FILES: i8, const RANKS: i8, const TIMES: i8>(set: u64) -> u64 {
    let by = const { TIMES * super::distance(FILES, RANKS) };
    if by > 0 { set << by } else { set >> -by }
}

/// East by subtraction, all ranks at once; the other directions by [`KoggeStone`].
///
/// A subtraction borrows through the zeros above a rook up to the next blocker, which is the fill,
/// for all eight rooks of eight ranks in one instruction. A guard on the h-file ends each rank.
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

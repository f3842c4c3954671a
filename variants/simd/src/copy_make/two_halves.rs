//! Perft by copies with AVX2: a board is two registers. The moves of a board that is not counted beside its
//! siblings are counted piece by piece.

mod children;
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod lanes;
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod operations;
mod siblings;

use std::arch::x86_64::*;

use raywalk_core::All;
use raywalk_core::bitboards::attacks;

use super::register::castling;
use super::walk::{append_rest, walk};
use crate::compress::Attacks;
use crate::fill_256::words;
use crate::homes::HOMES;
use crate::legal_tables::ShuffleTables;
use crate::pawns::PawnTargets;
use crate::sets::squares;
use crate::sides::Sides;
use crate::threats::Threats;
use crate::usual_shuffle::{append_doubles, append_usual};
use children::children;
use lanes::{entered, holding, kept, left, load, moved, write};
use siblings::count_siblings;

/// The sets of a board in lanes.
type Board = lanes::Halves;

/// Numbers of leaves, one in each lane.
type Counted = __m256i;

#[target_feature(enable = "avx2")]
fn nothing_counted() -> Counted {
    _mm256_setzero_si256()
}

#[target_feature(enable = "avx2")]
fn total(counted: Counted) -> u64 {
    words(counted).into_iter().sum()
}

walk!(ShuffleTables, "avx2,bmi1,bmi2,lzcnt,popcnt");

/// What restricts the moves of a board.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn threats<const WHITE: bool>(tables: &ShuffleTables, _: &Register, sides: &Sides) -> Threats {
    Threats::find_by_tables(&tables.rays, &tables.sliders, sides)
}

/// Lists the legal moves of a board in parts. `WINGS` is the caller's: the compiler inlines a function that has one
/// caller.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn list<const WHITE: bool, const WINGS: u8>(
    tables: &ShuffleTables,
    board: &Register,
    list: &mut MoveList,
) -> Parts {
    let sides = board.view::<WHITE>();
    let threats = Threats::find_by_tables(&tables.rays, &tables.sliders, &sides);
    let pawns = PawnTargets::legal::<All>(&sides, threats.evasion, threats.pins);
    append_usual::<All>(tables, &sides, threats, pawns, list);
    let doubles = list.len();
    append_doubles(tables, pawns, list);
    let rest = list.len();
    append_rest::<WHITE>(board, pawns, threats.attacked, list);
    Parts { doubles, rest }
}

/// The number of legal moves of a board.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count<const WHITE: bool>(tables: &ShuffleTables, board: &Register, _: &mut Counted) -> u64 {
    let ShuffleTables { rays, sliders, .. } = tables;
    let sides = board.view::<WHITE>();
    let threats = Threats::find_by_tables(rays, sliders, &sides);
    let Threats { attacked, evasion, pins } = threats;
    let Sides { own, enemy, .. } = sides;
    let king = sides.king();
    let (wanted, occupied) = (!own & evasion, own | enemy);
    let mut count = PawnTargets::legal::<All>(&sides, evasion, pins).count()
        + (attacks::king(king) & !own & !attacked).count_ones();
    let free = own & !pins.all;
    for from in squares(sides.knights & free) {
        count += (attacks::knight(from) & wanted).count_ones();
    }
    for from in squares(sides.diagonal & free) {
        count += (sliders.bishop(from.index(), occupied) & wanted).count_ones();
    }
    for from in squares(sides.straight & free) {
        count += (sliders.rook(from.index(), occupied) & wanted).count_ones();
    }
    // A pinned slider stays on its line. A knight has no move there.
    for from in squares(pins.all & (sides.diagonal | sides.straight)) {
        let bishop = if sides.diagonal & from.bit() != 0 {
            sliders.bishop(from.index(), occupied)
        } else {
            0
        };
        let rook =
            if sides.straight & from.bit() != 0 { sliders.rook(from.index(), occupied) } else { 0 };
        count += ((bishop | rook) & wanted & rays.through_by_halves(king, from)).count_ones();
    }
    if board.special != 0 {
        let [king_side, queen_side] = castling::<WHITE>(board, threats.attacked);
        count += u32::from(king_side) + u32::from(queen_side);
        if board.special & !HOMES != 0 {
            count += takers_en_passant::<WHITE>(board).count_ones();
        }
    }
    u64::from(count)
}

//! The boards after the moves of a board in two registers.

use super::lanes::{entered, holding, kept, left, load, write};
use super::{Board, threats};
use crate::compress::Attacks as _;
use crate::copy_make::children::children;
use crate::legal_tables::ShuffleTables;

/// The squares that a bishop attacks.
#[inline(always)]
fn bishop(tables: &ShuffleTables, from: Square, occupied: u64) -> u64 {
    tables.sliders.bishop(from.index(), occupied)
}

/// The squares that a rook attacks.
#[inline(always)]
fn rook(tables: &ShuffleTables, from: Square, occupied: u64) -> u64 {
    tables.sliders.rook(from.index(), occupied)
}

/// The line from a king through a square that lies on one of its rays, to the edge.
#[inline]
#[target_feature(enable = "avx2")]
fn through(tables: &ShuffleTables, king: Square, square: Square) -> u64 {
    tables.rays.through_by_halves(king, square)
}

children!(ShuffleTables, "avx2,bmi1,bmi2,lzcnt,popcnt");

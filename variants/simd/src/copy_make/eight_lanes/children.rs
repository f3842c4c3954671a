//! The boards after the moves of a board in one register.

use super::Board;
use super::lanes::{entered, holding, kept, left, load, write};
use super::restrictions::threats;
use crate::copy_make::children::children;
use crate::legal_tables::CompressTables;

/// The squares that a bishop attacks.
#[inline]
#[target_feature(enable = "bmi2")]
fn bishop(tables: &CompressTables, from: Square, occupied: u64) -> u64 {
    tables.ready.bishop(from, occupied)
}

/// The squares that a rook attacks.
#[inline]
#[target_feature(enable = "bmi2")]
fn rook(tables: &CompressTables, from: Square, occupied: u64) -> u64 {
    tables.ready.rook(from, occupied)
}

/// The line from a king through a square that lies on one of its rays, to the edge.
#[inline]
#[target_feature(enable = "avx512f")]
fn through(tables: &CompressTables, king: Square, square: Square) -> u64 {
    tables.rays.through(king, square)
}

children!(
    CompressTables,
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
);

//! Perft by copies with AVX-512: a board is one register.

mod children;
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod lanes;
mod leaf;
mod list;
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod operations;
mod restrictions;
mod siblings;
#[allow(unsafe_code, reason = "loads and stores of vectors")]
mod zobrist;

use std::arch::x86_64::*;

use super::walk::walk;
use crate::legal_tables::CompressTables;
use children::children;
use lanes::{entered, holding, kept, left, load, moved, write};
use leaf::count;
use list::list;
use siblings::count_siblings;
pub(crate) use zobrist::Zobrist;

/// The sets of a board in lanes.
type Board = __m512i;

/// Numbers of leaves, one in each lane.
type Counted = __m512i;

#[target_feature(enable = "avx512f")]
fn nothing_counted() -> Counted {
    _mm512_setzero_si512()
}

#[target_feature(enable = "avx512f")]
fn total(counted: Counted) -> u64 {
    _mm512_reduce_add_epi64(counted).cast_unsigned()
}

walk!(
    CompressTables,
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
);

#[cfg(test)]
mod tests;

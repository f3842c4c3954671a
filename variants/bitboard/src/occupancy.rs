//! What the table methods share: which squares matter, and all ways to occupy them.

use raywalk_core::bitboards::attacks::{Lines, walk};
use raywalk_core::{Kind, Square};

/// Entries of a table that has one for each occupancy of each square: 102,400 for rooks and 5,248
/// for bishops.
pub(crate) const ENTRIES: usize = 102_400 + 5_248;

/// The squares whose occupancy changes what a slider attacks: its lines without their last squares,
/// which it reaches in any case and never passes.
pub(crate) fn relevant(kind: Kind, square: Square) -> u64 {
    const FILES: u64 = 0x8181_8181_8181_8181;
    const RANKS: u64 = 0xff00_0000_0000_00ff;
    let lines = Lines::through(square);
    let inner = |line: u64, ends: u64| line & !ends;
    let mut squares = 0;
    if kind != Kind::Bishop {
        squares |= inner(lines.rank, FILES) | inner(lines.file, RANKS);
    }
    if kind != Kind::Rook {
        squares |= inner(lines.diagonal | lines.antidiagonal, FILES | RANKS);
    }
    squares
}

/// All subsets of a mask, the empty one first, in the order in which `pext` numbers them.
///
/// Subtracting the mask carries a one through the bits that are not in it (Carry-Rippler; Chess
/// Programming Wiki, *Traversing Subsets of a Set*).
pub(crate) fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let following = move |&subset: &u64| {
        let next = subset.wrapping_sub(mask) & mask;
        (next != 0).then_some(next)
    };
    std::iter::successors(Some(0), following)
}

/// Every relevant occupancy of a square with the attacks that belong to it.
pub(crate) fn occupancies(kind: Kind, square: Square) -> impl Iterator<Item = (u64, u64)> {
    subsets(relevant(kind, square)).map(move |set| (set, walk(kind, square, set)))
}

/// The two kinds whose attacks are stored; a queen is both. Rooks lie first.
pub(crate) const STORED: [Kind; 2] = [Kind::Rook, Kind::Bishop];

/// `N` copies of an entry on the heap. Made there: a thread's stack need not hold two megabytes.
pub(crate) fn boxed<T: Clone, const N: usize>(entry: T) -> Box<[T; N]> {
    let table = vec![entry; N].into_boxed_slice();
    table.try_into().unwrap_or_else(|_| unreachable!("N copies make an array of N"))
}

//! Builds the tables of the designs that look slider attacks up by `pext`.
//!
//! Only *relevant* squares matter to such a table: the lines of the slider without their last squares, which
//! it reaches whether or not they are occupied. `pext` numbers the ways to occupy them, and there is one
//! entry for each: 102,400 for rooks and 5,248 for bishops.

pub(crate) use raywalk_core::bitboards::attacks::relevant;
use raywalk_core::bitboards::attacks::walk;
use raywalk_core::{Kind, Square};

/// Entries for all rooks and bishops.
pub(crate) const ENTRIES: usize = 102_400 + 5_248;

/// Pairs every relevant occupancy of a square with the attack set that belongs to it, in the order in which
/// `pext` numbers them.
///
/// Subtracting the mask carries a one through the bits outside it (Carry-Rippler; Chess Programming Wiki,
/// *Traversing Subsets of a Set*).
pub(crate) fn occupancies(kind: Kind, square: Square) -> impl Iterator<Item = (u64, u64)> {
    let mask = relevant(kind, square);
    let following = move |&subset: &u64| {
        let next = subset.wrapping_sub(mask) & mask;
        (next != 0).then_some(next)
    };
    std::iter::successors(Some(0), following).map(move |set| (set, walk(kind, square, set)))
}

/// Allocates a table on the heap. `Box::new([entry; N])` may build the array on the stack first.
pub(crate) fn boxed<T: Clone, const N: usize>(entry: T) -> Box<[T; N]> {
    let table = vec![entry; N].into_boxed_slice();
    table.try_into().unwrap_or_else(|_| unreachable!("a vector of N copies has length N"))
}

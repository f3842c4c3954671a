//! Builds the tables of the designs that look slider attacks up by occupancy.
//!
//! Only *relevant* squares matter to such a table: the squares whose occupancy changes what the
//! slider attacks. A rook has ten to twelve of them, a bishop five to nine. [`Dense`] holds one
//! entry for each way to occupy them, which is the smallest table without sharing.

pub(crate) use raywalk_core::bitboards::attacks::relevant;
use raywalk_core::bitboards::attacks::walk;
use raywalk_core::{Kind, Square};

/// Entries of a [`Dense`] table: 102,400 for rooks and 5,248 for bishops.
pub(crate) const ENTRIES: usize = 102_400 + 5_248;

/// The kinds with tables of their own, in table order. A queen combines both.
pub(crate) const STORED: [Kind; 2] = [Kind::Rook, Kind::Bishop];

/// A table with one entry per relevant occupancy of each square, and a record per kind and square
/// that says how to compute an index.
pub(crate) struct Dense<R, E> {
    pub rooks: [R; 64],
    pub bishops: [R; 64],
    pub entries: Box<[E; ENTRIES]>,
}

impl<R: Copy + Default, E: Copy + Default> Dense<R, E> {
    /// Lays the ranges of all squares out one behind the other, rooks first, and fills them.
    ///
    /// `record` receives kind, square and the first index of the square's range. `entry` receives a
    /// record, a relevant occupancy and its attack set, and returns the index and the value to
    /// store.
    ///
    /// Look-ups without a bounds check rely on this function: it panics unless `entry` maps every
    /// relevant occupancy into the range of its square.
    pub(crate) fn build(
        mut record: impl FnMut(Kind, Square, u64) -> R,
        entry: impl Fn(&R, u64, u64) -> (u64, E),
    ) -> Dense<R, E> {
        let mut entries = boxed(E::default());
        let mut records = [[R::default(); 64]; 2];
        let mut first = 0;
        for (kind, records) in STORED.into_iter().zip(&mut records) {
            for (square, slot) in Square::all().zip(records) {
                let end = first + (1 << relevant(kind, square).count_ones());
                let record = record(kind, square, first);
                for (occupied, attacks) in occupancies(kind, square) {
                    let (index, value) = entry(&record, occupied, attacks);
                    assert!((first..end).contains(&index), "{kind:?} {square}: index {index}");
                    entries[index as usize] = value;
                }
                *slot = record;
                first = end;
            }
        }
        assert_eq!(first, ENTRIES as u64);
        let [rooks, bishops] = records;
        Dense { rooks, bishops, entries }
    }
}

/// All subsets of a mask in the order in which `pext` numbers them, starting with the empty set.
///
/// Subtracting the mask carries a one through the bits outside it (Carry-Rippler; Chess Programming
/// Wiki, *Traversing Subsets of a Set*).
pub(crate) fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let following = move |&subset: &u64| {
        let next = subset.wrapping_sub(mask) & mask;
        (next != 0).then_some(next)
    };
    std::iter::successors(Some(0), following)
}

/// Pairs every relevant occupancy of a square with the attack set that belongs to it.
pub(crate) fn occupancies(kind: Kind, square: Square) -> impl Iterator<Item = (u64, u64)> {
    subsets(relevant(kind, square)).map(move |set| (set, walk(kind, square, set)))
}

/// Allocates `N` copies of `entry` on the heap. `Box::new([entry; N])` may build the array on the
/// stack first, and up to two megabytes can overflow the stack of a thread.
pub(crate) fn boxed<T: Clone, const N: usize>(entry: T) -> Box<[T; N]> {
    let table = vec![entry; N].into_boxed_slice();
    table.try_into().unwrap_or_else(|_| unreachable!("a vector of N copies has length N"))
}

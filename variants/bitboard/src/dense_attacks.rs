//! The look-up in a [`Dense`] table, for the designs with one entry per relevant occupancy.
//!
//! They differ in how a record and an occupancy give an index, and in what an entry stores: see
//! [`Indexing`].

use raywalk_core::{Card, Feature, Kind, Square};

use crate::piecewise::Attacks;
use crate::tables::{Dense, ENTRIES};

/// A way to compute the index of an attack set, and the form in which the set is stored.
///
/// # Safety
/// `index` depends only on the record and on the relevant squares of the occupancy.
pub unsafe trait Indexing: Sized + Send + Sync + 'static {
    /// The card of the design with this method.
    const CARD: Card;
    /// What turns an occupancy into an index, per kind and square.
    type Record: Copy + Default + Send + Sync;
    /// The integer that holds a stored attack set.
    type Entry: Copy + Default + Into<u64> + TryFrom<u64> + Send + Sync;

    /// Creates the method.
    ///
    /// # Errors
    /// The [`Feature`] that this CPU lacks.
    fn new() -> Result<Self, Feature>;

    /// The function that makes a record from kind, square and the index of the square's first
    /// entry.
    fn records() -> impl FnMut(Kind, Square, u64) -> Self::Record;

    /// The index of the entry for an occupancy.
    fn index(&self, record: &Self::Record, occupied: u64) -> u64;

    /// The stored form of an attack set, which must fit the entry. By default the set itself.
    fn encode(&self, _record: &Self::Record, attacks: u64) -> u64 {
        attacks
    }

    /// The attack set of a stored form.
    #[inline(always)]
    fn decode(&self, _record: &Self::Record, entry: u64) -> u64 {
        entry
    }
}

/// Records and entries of one [`Indexing`].
pub struct DenseAttacks<I: Indexing> {
    indexing: I,
    tables: Dense<I::Record, I::Entry>,
}

impl<I: Indexing> Attacks for DenseAttacks<I> {
    const CARD: Card = I::CARD;
    type Occupied = u64;

    fn build() -> Result<DenseAttacks<I>, Feature> {
        let indexing = I::new()?;
        let tables = Dense::build(I::records(), |record, occupied, attacks| {
            let entry = I::Entry::try_from(indexing.encode(record, attacks));
            let entry = entry.unwrap_or_else(|_| unreachable!("a stored set fits its entry"));
            (indexing.index(record, occupied), entry)
        });
        Ok(DenseAttacks { indexing, tables })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.lookup(&self.tables.bishops[square.index()], occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        self.lookup(&self.tables.rooks[square.index()], occupied)
    }

    fn table_bytes(&self) -> usize {
        let Dense { rooks, bishops, entries } = &self.tables;
        size_of_val(rooks) + size_of_val(bishops) + size_of_val(&**entries)
    }
}

impl<I: Indexing> DenseAttacks<I> {
    /// Reads the entry without a bounds check, which would be one more branch per look-up. On the
    /// machine where both forms of [`Magic`](crate::Magic) were compared, the check made captures 3
    /// to 9 % and quiets 6 to 10 % slower; all moves showed no clear difference.
    #[inline(always)]
    fn lookup(&self, record: &I::Record, occupied: u64) -> u64 {
        let index = self.indexing.index(record, occupied);
        debug_assert!(index < ENTRIES as u64);
        // SAFETY: the index depends on the relevant squares only. `Dense::build` has checked that
        // each of their occupancies leads into the table, and the records never change.
        let entry = unsafe { *self.tables.entries.get_unchecked(index as usize) };
        self.indexing.decode(record, entry.into())
    }
}

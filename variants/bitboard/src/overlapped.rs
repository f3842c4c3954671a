//! Magic look-ups with a constant shift, where the tables of all squares overlap in one array.
//!
//! The shift is that of the square with most relevant squares: twelve bits of the product are the
//! index of a rook, nine that of a bishop. Squares with fewer relevant squares use part of that range
//! and leave gaps, which the entries of other squares fill. A record is therefore three words, with
//! the index of the square's first entry in place of a shift.
//!
//! The designs differ in how they remove the squares that do not matter: see [`Overlapping`].

use std::marker::PhantomData;

use raywalk_core::{Card, Feature, Kind, Square};

use crate::piecewise::Attacks;
use crate::tables::{boxed, occupancies, relevant};

/// A factor and the index of its entry for hash zero, which may lie before the table.
pub(crate) type Factor = (u64, i32);

/// Factors, and a way to make an occupancy independent of the squares that do not matter.
///
/// # Safety
/// `reduced` depends only on those squares of the occupancy that `kept` was made from.
pub unsafe trait Overlapping: Send + Sync + 'static {
    /// The card of the design with these factors.
    const CARD: Card;
    /// Factors of rooks, for an index of twelve bits.
    const ROOKS: &'static [(u64, i32); 64];
    /// Factors of bishops, for an index of nine bits.
    const BISHOPS: &'static [(u64, i32); 64];

    /// The word of a record, from the relevant squares.
    fn kept(relevant: u64) -> u64;

    /// The occupancy without information from irrelevant squares.
    fn reduced(occupied: u64, kept: u64) -> u64;
}

/// Bits of an index: the number of relevant squares of the worst square.
const ROOK_BITS: u32 = 12;
const BISHOP_BITS: u32 = 9;

/// Records and the `N` attack sets of one [`Overlapping`].
pub struct Overlapped<M, const N: usize> {
    rooks: [Record; 64],
    bishops: [Record; 64],
    attacks: Box<[u64; N]>,
    method: PhantomData<M>,
}

/// What turns an occupancy into an index, per kind and square.
#[derive(Clone, Copy)]
struct Record {
    kept: u64,
    magic: u64,
    /// Index of the entry for hash zero. May lie before the table: then a negative number, which
    /// the wrapping addition of the hash makes positive again.
    first: u64,
}

impl Record {
    fn new<M: Overlapping>(kind: Kind, square: Square) -> Record {
        let factors = if kind == Kind::Rook { M::ROOKS } else { M::BISHOPS };
        let (magic, first) = factors[square.index()];
        Record { kept: M::kept(relevant(kind, square)), magic, first: first as u64 }
    }

    #[inline(always)]
    fn index<M: Overlapping>(&self, occupied: u64, bits: u32) -> u64 {
        let hash = M::reduced(occupied, self.kept).wrapping_mul(self.magic) >> (64 - bits);
        self.first.wrapping_add(hash)
    }
}

impl<M: Overlapping, const N: usize> Attacks for Overlapped<M, N> {
    const CARD: Card = M::CARD;
    type Occupied = u64;

    fn build() -> Result<Overlapped<M, N>, Feature> {
        let mut attacks: Box<[u64; N]> = boxed(0);
        let mut fill = |kind, bits| {
            std::array::from_fn(|n| {
                let square = Square::from_low_bits(n as u32);
                let record = Record::new::<M>(kind, square);
                for (occupied, set) in occupancies(kind, square) {
                    let entry = &mut attacks[record.index::<M>(occupied, bits) as usize];
                    // Every slider attacks something, so an empty entry is still free.
                    assert!(*entry == 0 || *entry == set, "{kind:?} {square} overlaps another");
                    *entry = set;
                }
                record
            })
        };
        let (rooks, bishops) = (fill(Kind::Rook, ROOK_BITS), fill(Kind::Bishop, BISHOP_BITS));
        Ok(Overlapped { rooks, bishops, attacks, method: PhantomData })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.lookup(self.bishops[square.index()].index::<M>(occupied, BISHOP_BITS))
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        self.lookup(self.rooks[square.index()].index::<M>(occupied, ROOK_BITS))
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.rooks) + size_of_val(&self.bishops) + size_of_val(&*self.attacks)
    }
}

impl<M: Overlapping, const N: usize> Overlapped<M, N> {
    /// Reads without a bounds check, for the reason given in `dense_attacks.rs`.
    #[inline(always)]
    fn lookup(&self, index: u64) -> u64 {
        debug_assert!(index < N as u64);
        // SAFETY: the index depends on the relevant squares only, as `Overlapping` demands. `build`
        // has written, with a bounds check, to the index of each of their occupancies, and the
        // records never change.
        unsafe { *self.attacks.get_unchecked(index as usize) }
    }
}

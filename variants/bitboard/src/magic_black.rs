//! Black magic bitboards: one shift for all squares, tables that overlap.
//!
//! **Source.** Volker Annuss, Computer Chess Club, 2017. Chess Programming Wiki, *Magic Bitboards*.
//!
//! **Method.** As in [`Magic`](crate::Magic), but irrelevant squares are set instead of cleared:
//! the occupied set is united with the complement of the mask. An empty board then no longer maps
//! to index zero, so the indices of a square may lie anywhere, and the search prefers factors that
//! keep them close together. The shift can therefore be a constant, and the tables of the squares
//! overlap: the gaps of one are filled with the entries of others.
//!
//! **Layout.** One table for all squares and 128 records of 24 bytes (complement of the mask,
//! factor, first entry). Annuss published 88,507 entries, 692 KiB. The factors here are from our
//! own search and not nearly as good: 105,920 entries, or 850,432 bytes with the records, hardly
//! less than the fancy form. This design therefore shows what the method costs in instructions, and
//! not what it saves in memory.
//!
//! **Cost.** One parameter less to load than in the fancy form, and a shift by a constant. D.
//! Infuehr's *Chess_Movegen* counts 1,618 million queens per second against 1,459.

mod factors;

use factors::{BISHOPS, ENTRIES, ROOKS};
use raywalk_core::{Card, Control, Feature, Kind, Legality, Square};

use crate::piecewise::{Attacks, Piecewise};
use crate::tables::{boxed, occupancies, relevant};

/// Black magic bitboards in the shared frame: 850,432 bytes of slider tables.
pub type BlackMagic = Piecewise<BlackMagicAttacks>;

/// Bits of an index: the number of relevant squares of the worst square.
const ROOK_BITS: u32 = 12;
const BISHOP_BITS: u32 = 9;

/// Magic factors and attack sets, 850,432 bytes.
pub struct BlackMagicAttacks {
    rooks: [Record; 64],
    bishops: [Record; 64],
    attacks: Box<[u64; ENTRIES]>,
}

/// What turns an occupancy into an index, per kind and square, as published.
#[derive(Clone, Copy)]
struct Record {
    irrelevant: u64,
    magic: u64,
    /// Index of the entry for hash zero. May lie before the table: then a negative number, which
    /// the wrapping addition of the hash makes positive again.
    first: u64,
}

impl Record {
    fn new(kind: Kind, square: Square) -> Record {
        let factors = if kind == Kind::Rook { &ROOKS } else { &BISHOPS };
        let (magic, first) = factors[square.index()];
        Record { irrelevant: !relevant(kind, square), magic, first: first as u64 }
    }

    #[inline(always)]
    fn index(&self, occupied: u64, bits: u32) -> u64 {
        let hash = (occupied | self.irrelevant).wrapping_mul(self.magic) >> (64 - bits);
        self.first.wrapping_add(hash)
    }
}

impl Attacks for BlackMagicAttacks {
    const CARD: Card = Card {
        id: "bitboard/magic-black",
        name: "Black magic bitboards",
        author: "Volker Annuss",
        year: Some(2017),
        source: "Computer Chess Club, Black magic bitboards, 2017; Chess Programming Wiki, Magic \
                 Bitboards",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(88_507 * 8),
        needs: &[],
        reconstructed: "Factors and packing from our own search, looser than the published ones. \
                        Pawns, move writing and castling are ours.",
    };
    type Occupied = u64;

    fn build() -> Result<BlackMagicAttacks, Feature> {
        let mut attacks: Box<[u64; ENTRIES]> = boxed(0);
        let mut fill = |kind, bits| {
            std::array::from_fn(|n| {
                let square = Square::from_low_bits(n as u32);
                let record = Record::new(kind, square);
                for (occupied, set) in occupancies(kind, square) {
                    let entry = &mut attacks[record.index(occupied, bits) as usize];
                    // Every slider attacks something, so an empty entry is still free.
                    assert!(*entry == 0 || *entry == set, "{kind:?} {square} overlaps another");
                    *entry = set;
                }
                record
            })
        };
        let (rooks, bishops) = (fill(Kind::Rook, ROOK_BITS), fill(Kind::Bishop, BISHOP_BITS));
        Ok(BlackMagicAttacks { rooks, bishops, attacks })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.lookup(self.bishops[square.index()].index(occupied, BISHOP_BITS))
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        self.lookup(self.rooks[square.index()].index(occupied, ROOK_BITS))
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.rooks) + size_of_val(&self.bishops) + size_of_val(&*self.attacks)
    }
}

impl BlackMagicAttacks {
    /// Reads without a bounds check, for the reason given in `magic.rs`.
    #[inline(always)]
    fn lookup(&self, index: u64) -> u64 {
        debug_assert!(index < ENTRIES as u64);
        // SAFETY: the index depends on the relevant squares only, as all others are set. `build`
        // has written, with a bounds check, to the index of each of their occupancies, and the
        // records never change.
        unsafe { *self.attacks.get_unchecked(index as usize) }
    }
}

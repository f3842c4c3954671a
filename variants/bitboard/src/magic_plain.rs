//! Plain magic bitboards: as large as it was first, and with one load less.
//!
//! **Source.** Lasse Hansen, Computer Chess Club, 2006; named by Robert Purves. Chess Programming
//! Wiki, *Magic Bitboards*.
//!
//! **Method.** As in [`Magic`](crate::Magic), but every rook square has 4,096 entries and every
//! bishop square 512, whether it needs them or not. The shift is a constant, and the first entry is
//! calculated from the square, so the record shrinks to mask and factor.
//!
//! **Layout.** 2,097,152 bytes for rooks, 262,144 for bishops, 128 records of 16 bytes. Most of the
//! entries are never read. Purves found it hardly slower than the fancy form on a processor with a
//! large shared cache; D. Infuehr's *Chess_Movegen* counts 1,171 million queens per second against
//! 1,459.

use raywalk_core::{Card, Control, Feature, Kind, Legality, Square};

use crate::magic_search::Search;
use crate::occupancy::{STORED, boxed, occupancies, relevant};
use crate::piecewise::{Attacks, Piecewise};

/// The design.
pub type PlainMagic = Piecewise<PlainMagicAttacks>;

const ROOK_BITS: u32 = 12;
const BISHOP_BITS: u32 = 9;

/// Magic factors and attack sets.
pub struct PlainMagicAttacks {
    rooks: [Record; 64],
    bishops: [Record; 64],
    rook_attacks: Box<[[u64; 1 << ROOK_BITS]; 64]>,
    bishop_attacks: Box<[[u64; 1 << BISHOP_BITS]; 64]>,
}

#[derive(Clone, Copy, Default)]
struct Record {
    mask: u64,
    magic: u64,
}

impl Record {
    /// Below 2^`bits`, as the compiler sees: no bounds check is emitted.
    #[inline(always)]
    fn index(&self, occupied: u64, bits: u32) -> usize {
        ((occupied & self.mask).wrapping_mul(self.magic) >> (64 - bits)) as usize
    }
}

impl Attacks for PlainMagicAttacks {
    const CARD: Card = Card {
        id: "bitboard/magic-plain",
        name: "Plain magic bitboards",
        author: "Lasse Hansen",
        year: Some(2006),
        source: "Chess Programming Wiki, Magic Bitboards, plain",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(2_359_296),
        needs: &[],
        reconstructed: "Factors from our own search; pawns, writing and castling are ours.",
    };

    fn build() -> Result<PlainMagicAttacks, Feature> {
        let mut tables = PlainMagicAttacks {
            rooks: [Record::default(); 64],
            bishops: [Record::default(); 64],
            rook_attacks: boxed([0; 1 << ROOK_BITS]),
            bishop_attacks: boxed([0; 1 << BISHOP_BITS]),
        };
        let mut search = Search::new();
        for square in Square::all() {
            let n = square.index();
            for kind in STORED {
                let bits = if kind == Kind::Rook { ROOK_BITS } else { BISHOP_BITS };
                let mask = relevant(kind, square);
                let record = Record { mask, magic: search.magic(kind, square, bits) };
                for (occupied, set) in occupancies(kind, square) {
                    let index = record.index(occupied, bits);
                    match kind {
                        Kind::Rook => tables.rook_attacks[n][index] = set,
                        _ => tables.bishop_attacks[n][index] = set,
                    }
                }
                match kind {
                    Kind::Rook => tables.rooks[n] = record,
                    _ => tables.bishops[n] = record,
                }
            }
        }
        Ok(tables)
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        let n = square.index();
        self.bishop_attacks[n][self.bishops[n].index(occupied, BISHOP_BITS)]
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        let n = square.index();
        self.rook_attacks[n][self.rooks[n].index(occupied, ROOK_BITS)]
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.rooks)
            + size_of_val(&self.bishops)
            + size_of_val(&*self.rook_attacks)
            + size_of_val(&*self.bishop_attacks)
    }
}

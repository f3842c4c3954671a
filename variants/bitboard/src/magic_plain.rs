//! Plain magic bitboards: the original, larger form, with one load less.
//!
//! **Source.** Lasse Hansen, Computer Chess Club, 2006; named by Robert Purves. Chess Programming
//! Wiki, *Magic Bitboards*.
//!
//! **Method.** As in [`Magic`](crate::Magic), but every rook square has 4,096 entries and every
//! bishop square 512, whether or not it needs them. The shift is a constant and the first entry
//! follows from the square, so a record is only mask and factor.
//!
//! **Layout.** 2,097,152 bytes for rooks, 262,144 for bishops, 128 records of 16 bytes. Most
//! entries are never read.
//!
//! **Cost.** Purves found it hardly slower than the fancy form on a processor with a large shared
//! cache. D. Infuehr's *Chess_Movegen* counts 1,171 million queens per second against 1,459.

use raywalk_core::{Card, Control, Feature, Kind, Legality, Square};

use crate::magic_factors::magic;
use crate::piecewise::{Attacks, Piecewise};
use crate::tables::{boxed, occupancies, relevant};

/// Plain magic bitboards in the shared frame: 2,361,344 bytes of slider tables.
pub type PlainMagic = Piecewise<PlainMagicAttacks>;

/// Bits of an index: the number of relevant squares of the worst square.
const ROOK_BITS: u32 = 12;
const BISHOP_BITS: u32 = 9;

/// Magic factors and attack sets, 2,361,344 bytes.
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
    /// The compiler sees that the result is below 2^`bits` and emits no bounds check.
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
        reconstructed: "Factors from our own search. Pawns, move writing and castling are ours.",
    };
    type Occupied = u64;

    fn build() -> Result<PlainMagicAttacks, Feature> {
        let (rooks, rook_attacks) = build_kind(Kind::Rook, ROOK_BITS);
        let (bishops, bishop_attacks) = build_kind(Kind::Bishop, BISHOP_BITS);
        Ok(PlainMagicAttacks { rooks, bishops, rook_attacks, bishop_attacks })
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

/// The records of one kind and its tables of 2^`bits` entries per square.
fn build_kind<const N: usize>(kind: Kind, bits: u32) -> ([Record; 64], Box<[[u64; N]; 64]>) {
    let mut records = [Record::default(); 64];
    let mut tables = boxed([0; N]);
    for (square, (record, table)) in Square::all().zip(records.iter_mut().zip(tables.iter_mut())) {
        *record = Record { mask: relevant(kind, square), magic: magic(kind, square) };
        for (occupied, attacks) in occupancies(kind, square) {
            table[record.index(occupied, bits)] = attacks;
        }
    }
    (records, tables)
}

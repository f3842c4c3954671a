//! Byte compress of attack sets that `pext` looks up.
//!
//! **Layout.** 107,648 sets of eight bytes and one empty set for slots without a piece, and 130 records of
//! sixteen bytes (relevant squares, first entry), as in the PEXT bitboards of the crate `raywalk-bitboard`.

use raywalk_core::{Card, Kind, Square};

use crate::compress::{Attacks, COMMON, Compress};
use crate::cpu::{Bits, Vectors, with_vectors};
use crate::tables::{ENTRIES, boxed, occupancies, relevant};

/// Byte compress with PEXT attacks.
pub type CompressPext = Compress<PextAttacks>;

/// Relevant squares and attack sets.
pub struct PextAttacks {
    bishops: [Record; 65],
    rooks: [Record; 65],
    sets: Box<[u64; ENTRIES + 1]>,
    bits: Bits,
}

/// The relevant squares of a slider on a square, and the index of its first set.
#[derive(Clone, Copy)]
struct Record {
    relevant: u64,
    first: u64,
}

impl Attacks for PextAttacks {
    const CARD: Card = Card { id: "simd/compress", name: "Byte compress, PEXT", ..COMMON };

    fn build(vectors: Vectors) -> PextAttacks {
        PextAttacks::new(vectors.into())
    }

    #[inline(always)]
    fn bishop(&self, slot: usize, occupied: u64) -> u64 {
        self.look_up(&self.bishops[slot], occupied)
    }

    #[inline(always)]
    fn rook(&self, slot: usize, occupied: u64) -> u64 {
        self.look_up(&self.rooks[slot], occupied)
    }

    fn table_bytes(&self) -> usize {
        size_of_val(&self.bishops) + size_of_val(&self.rooks) + size_of_val(&*self.sets)
    }
}

impl PextAttacks {
    pub(crate) fn new(bits: Bits) -> PextAttacks {
        let mut sets: Box<[u64; ENTRIES + 1]> = boxed(0);
        let mut first = 0;
        let mut records = |kind| {
            // The last set is that of no piece, and stays empty.
            let mut records = [Record { relevant: 0, first: ENTRIES as u64 }; 65];
            for (square, record) in Square::all().zip(&mut records) {
                *record = Record { relevant: relevant(kind, square), first: first as u64 };
                for (_, attacks) in occupancies(kind, square) {
                    sets[first] = attacks;
                    first += 1;
                }
            }
            records
        };
        let (rooks, bishops) = (records(Kind::Rook), records(Kind::Bishop));
        assert_eq!(first, ENTRIES, "the last set is that of no piece");
        PextAttacks { bishops, rooks, sets, bits }
    }

    #[inline(always)]
    fn look_up(&self, record: &Record, occupied: u64) -> u64 {
        let number: u64 =
            with_vectors!(self.bits, std::arch::x86_64::_pext_u64(occupied, record.relevant));
        let index = record.first + number;
        debug_assert!(index <= ENTRIES as u64);
        // SAFETY: `pext` by `relevant` gives a number below that of the occupancies that `build` has written
        // behind `first`, with a bounds check; and 0 for a slot without a piece, whose set is the last.
        unsafe { *self.sets.get_unchecked(index as usize) }
    }
}

//! Black magic bitboards: one shift for all squares, tables that overlap.
//!
//! **Source.** Volker Annuss, Computer Chess Club, 2017. Chess Programming Wiki, *Magic Bitboards*.
//!
//! **Method.** As in [`FixedMagic`](crate::FixedMagic), with one constant shift and tables that
//! overlap, but irrelevant squares are set instead of cleared: the occupied set is united with the
//! complement of the mask. An empty board then no longer maps to index zero, so the indices of a
//! square may lie anywhere, and the search prefers factors that keep them close together.
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
use raywalk_core::{Card, Control, Legality};

use crate::overlapped::{Factor, Overlapped, Overlapping};
use crate::piecewise::Piecewise;

/// Black magic bitboards in the shared frame: 850,432 bytes of slider tables.
pub type BlackMagic = Piecewise<BlackMagicAttacks>;

/// Magic factors and attack sets, 850,432 bytes.
pub(crate) type BlackMagicAttacks = Overlapped<Black, ENTRIES>;

/// Sets the squares that do not matter.
pub struct Black;

// SAFETY: all squares but the relevant ones are set.
unsafe impl Overlapping for Black {
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
    const ROOKS: &'static [Factor; 64] = &ROOKS;
    const BISHOPS: &'static [Factor; 64] = &BISHOPS;

    fn kept(relevant: u64) -> u64 {
        !relevant
    }

    #[inline(always)]
    fn reduced(occupied: u64, kept: u64) -> u64 {
        occupied | kept
    }
}

//! Fixed-shift fancy magic bitboards: one shift for all squares, tables that overlap.
//!
//! **Source.** Onno Garms and Volker Annuss, Computer Chess Club. Chess Programming Wiki, *Magic
//! Bitboards*, fixed shift fancy.
//!
//! **Method.** As in [`Magic`](crate::Magic), but the shift is the same for all squares, so it is a
//! constant and not a parameter to load. A square with fewer relevant squares than the worst would
//! waste most of its range. Therefore all squares share one array: the tables overlap, and the
//! entries of one square fill the gaps of others. [`BlackMagic`](crate::BlackMagic) is the next step:
//! it sets the irrelevant squares where this design clears them.
//!
//! **Layout.** One table for all squares and 128 records of 24 bytes (mask, factor, first entry).
//! The factors are from our own search: 108,235 entries, about as many as the 107,648 of the fancy form.
//! What sharing saves elsewhere is lost on the rooks of the eighth rank, for which the search found
//! only factors that spread their entries over almost the whole range of 4,096. This design therefore
//! shows what a constant shift is worth in instructions, and not what overlapping saves in memory.
//!
//! **Cost.** One parameter less to load than in the fancy form, and a shift by a constant.

mod factors;

use factors::{BISHOPS, ENTRIES, ROOKS};
use raywalk_core::{Card, Control, Legality};

use crate::overlapped::{Factor, Overlapped, Overlapping};
use crate::piecewise::Piecewise;

/// Fixed-shift fancy magic bitboards in the shared frame: 868,952 bytes of slider tables.
pub type FixedMagic = Piecewise<FixedMagicAttacks>;

/// Magic factors and attack sets, 868,952 bytes.
pub(crate) type FixedMagicAttacks = Overlapped<Cleared, ENTRIES>;

/// Clears the squares that do not matter.
pub struct Cleared;

// SAFETY: the mask removes all other squares.
unsafe impl Overlapping for Cleared {
    const CARD: Card = Card {
        id: "bitboard/magic-fixed",
        name: "Fixed-shift fancy magic bitboards",
        author: "Onno Garms, Volker Annuss",
        year: None,
        source: "Chess Programming Wiki, Magic Bitboards, fixed shift fancy",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[],
        reconstructed: "Factors and packing from our own search. Pawns, move writing and castling \
                        are ours.",
    };
    const ROOKS: &'static [Factor; 64] = &ROOKS;
    const BISHOPS: &'static [Factor; 64] = &BISHOPS;

    fn kept(relevant: u64) -> u64 {
        relevant
    }

    #[inline(always)]
    fn reduced(occupied: u64, kept: u64) -> u64 {
        occupied & kept
    }
}

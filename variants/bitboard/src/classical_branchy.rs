//! Classical rays as usually written: a branch per ray asks whether there is a blocker.
//!
//! **Source.** Chess Programming Wiki, *Classical Approach*, the form with a conditional statement.
//!
//! **Method.** As in [`Classical`](crate::Classical): the ray on the empty board, a bit scan for the
//! nearest blocker, and the ray behind the blocker is removed. The scan of an empty set has no
//! result, so the code tests for a blocker first. The two designs differ in that test only.
//!
//! **Layout.** The same 8 × 64 words, 4,096 bytes.
//!
//! **Cost.** A ray without a blocker skips the scan and the second load. A queen takes eight
//! branches that depend on the position.

use raywalk_core::{Card, Control, Square};

use crate::classical::{ClassicalAttacks, Cut, Sentinels};
use crate::piecewise::Piecewise;

/// Classical rays with a branch per ray: 4,096 bytes of slider tables.
pub type ClassicalBranchy = Piecewise<ClassicalAttacks<Branch>>;

/// The form with a conditional statement.
pub struct Branch;

impl Cut for Branch {
    const CARD: Card = Card {
        id: "bitboard/classical-branchy",
        name: "Classical rays, branchy",
        control: Control::Branchy,
        reconstructed: "The year is that of the oldest publication the wiki lists; programs used it \
                        before. Pawns, move writing and castling are ours.",
        ..Sentinels::CARD
    };

    #[inline(always)]
    fn up(rays: &[u64; 64], square: Square, occupied: u64) -> u64 {
        let ray = rays[square.index()];
        let blockers = ray & occupied;
        if blockers == 0 {
            return ray;
        }
        ray ^ rays[Square::from_low_bits(blockers.trailing_zeros()).index()]
    }

    #[inline(always)]
    fn down(rays: &[u64; 64], square: Square, occupied: u64) -> u64 {
        let ray = rays[square.index()];
        let blockers = ray & occupied;
        if blockers == 0 {
            return ray;
        }
        ray ^ rays[Square::from_low_bits(blockers.ilog2()).index()]
    }
}

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

use raywalk_core::{Card, Control, Feature, Square};

use crate::classical::{
    ClassicalAttacks, EAST, NORTH, NORTH_EAST, NORTH_WEST, Rays, SOUTH, SOUTH_EAST, SOUTH_WEST,
    WEST, rays,
};
use crate::piecewise::{Attacks, Piecewise};

/// Classical rays with a branch per ray: 4,096 bytes of slider tables.
pub type ClassicalBranchy = Piecewise<ClassicalBranchyAttacks>;

/// The rays, 4,096 bytes.
pub struct ClassicalBranchyAttacks {
    rays: Rays,
}

impl Attacks for ClassicalBranchyAttacks {
    const CARD: Card = Card {
        id: "bitboard/classical-branchy",
        name: "Classical rays, branchy",
        control: Control::Branchy,
        reconstructed: "The year is that of the oldest publication the wiki lists; programs used it \
                        before. Pawns, move writing and castling are ours.",
        ..ClassicalAttacks::CARD
    };
    type Occupied = u64;

    fn build() -> Result<ClassicalBranchyAttacks, Feature> {
        Ok(ClassicalBranchyAttacks { rays: rays() })
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: u64) -> u64 {
        self.up(NORTH_EAST, square, occupied)
            | self.up(NORTH_WEST, square, occupied)
            | self.down(SOUTH_WEST, square, occupied)
            | self.down(SOUTH_EAST, square, occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: u64) -> u64 {
        self.up(NORTH, square, occupied)
            | self.up(EAST, square, occupied)
            | self.down(SOUTH, square, occupied)
            | self.down(WEST, square, occupied)
    }
}

impl ClassicalBranchyAttacks {
    /// Attacks in a direction that leads to higher squares: the nearest blocker is the lowest bit.
    #[inline(always)]
    fn up(&self, direction: usize, square: Square, occupied: u64) -> u64 {
        let rays = &self.rays[direction];
        let ray = rays[square.index()];
        let blockers = ray & occupied;
        if blockers == 0 {
            return ray;
        }
        ray ^ rays[Square::from_low_bits(blockers.trailing_zeros()).index()]
    }

    /// Attacks in a direction that leads to lower squares: the nearest blocker is the highest bit.
    #[inline(always)]
    fn down(&self, direction: usize, square: Square, occupied: u64) -> u64 {
        let rays = &self.rays[direction];
        let ray = rays[square.index()];
        let blockers = ray & occupied;
        if blockers == 0 {
            return ray;
        }
        ray ^ rays[Square::from_low_bits(blockers.ilog2()).index()]
    }
}

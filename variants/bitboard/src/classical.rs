//! Classical rays: find the first blocker, cut the ray behind it.
//!
//! **Source.** Chess Programming Wiki, *Classical Approach*, which supposes that the programs Chess
//! and Kaissa used it first. The oldest publication that the page lists is Stuart Cracraft, *Bitmap
//! move generation in Chess*, ICCA Journal 7 (1984), 146–153.
//!
//! **Method.** A table holds the ray of each square in each direction on the empty board. The
//! blocker nearest to the slider is the lowest occupied bit of a ray that leads up the board, and
//! the highest occupied bit of a ray that leads down. Removing the ray that starts at the blocker
//! leaves the squares up to and including the blocker.
//!
//! The usual form first tests whether there is a blocker at all; that is
//! [`ClassicalBranchy`](crate::ClassicalBranchy). The branch-free form used here adds a sentinel
//! instead: h8 to the occupancy of a ray that leads up, a1 to that of a ray that
//! leads down. The rays that start at these corners in those directions are empty, so removing one
//! changes nothing.
//!
//! **Layout.** 8 × 64 words, 4,096 bytes.
//!
//! **Cost.** Two loads per ray, the second of which waits for the bit scan; eight rays for a queen.
//! D. Infuehr's *Chess_Movegen* counts 592 million queens per second.

use std::marker::PhantomData;

use raywalk_core::bitboards::attacks::ray;
use raywalk_core::{Card, Control, Feature, Kind, Legality, Square};

use crate::piecewise::{Attacks, Piecewise};

/// Classical rays in the shared frame: 4,096 bytes of slider tables.
pub type Classical = Piecewise<ClassicalAttacks>;

/// The rays, 4,096 bytes, and the way to cut one behind its first blocker.
pub struct ClassicalAttacks<C = Sentinels> {
    rays: Rays,
    cut: PhantomData<C>,
}

/// A way to find the part of a ray up to its first blocker.
pub trait Cut: Send + Sync + 'static {
    /// The card of the design that uses it.
    const CARD: Card;

    /// For rays that lead to higher squares: the nearest blocker is the lowest bit.
    fn up(rays: &[u64; 64], square: Square, occupied: u64) -> u64;

    /// For rays that lead to lower squares: the nearest blocker is the highest bit.
    fn down(rays: &[u64; 64], square: Square, occupied: u64) -> u64;
}

/// The branch-free form, with a blocker at the end of each ray.
pub struct Sentinels;

/// Steps of the eight directions as (files, ranks): four that lead to higher squares, then their
/// opposites.
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];
const NORTH: usize = 0;
const EAST: usize = 1;
const NORTH_EAST: usize = 2;
const NORTH_WEST: usize = 3;
const SOUTH: usize = 4;
const WEST: usize = 5;
const SOUTH_WEST: usize = 6;
const SOUTH_EAST: usize = 7;

/// Rays on the empty board by direction and square, 4,096 bytes.
type Rays = [[u64; 64]; 8];

/// Walks the ray of each direction and square.
fn rays() -> Rays {
    STEPS.map(|step| std::array::from_fn(|n| ray(Square::from_low_bits(n as u32), step, 0)))
}

impl Cut for Sentinels {
    const CARD: Card = Card {
        id: "bitboard/classical",
        name: "Classical rays",
        author: "Common property of bitboard programs",
        year: Some(1984),
        source: "S. Cracraft, ICCA Journal 7 (1984); Chess Programming Wiki, Classical Approach",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: Some(4_096),
        needs: &[],
        reconstructed: "The year is that of the oldest publication the wiki lists; programs used \
                        it before. Branch-free form with sentinels. Pawns, move writing and \
                        castling are ours.",
    };

    #[inline(always)]
    fn up(rays: &[u64; 64], square: Square, occupied: u64) -> u64 {
        let ray = rays[square.index()];
        // The ray from the sentinel h8 is empty, so without a blocker nothing is removed.
        let blocker = Square::from_low_bits((ray & occupied | 1 << 63).trailing_zeros());
        ray ^ rays[blocker.index()]
    }

    #[inline(always)]
    fn down(rays: &[u64; 64], square: Square, occupied: u64) -> u64 {
        let ray = rays[square.index()];
        // The ray from the sentinel a1 is empty.
        let blocker = Square::from_low_bits(63 - (ray & occupied | 1).leading_zeros());
        ray ^ rays[blocker.index()]
    }
}

impl<C: Cut> Attacks for ClassicalAttacks<C> {
    const CARD: Card = C::CARD;
    type Occupied = u64;

    fn build() -> Result<Self, Feature> {
        Ok(ClassicalAttacks { rays: rays(), cut: PhantomData })
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

impl ClassicalAttacks {
    /// Calls `visit` for each direction of a slider with the ray on the empty board and the square
    /// of the first piece on it. If there is no piece, the square is a1 or h8, which need not lie
    /// on it.
    #[inline(always)]
    pub(crate) fn first_pieces(
        &self,
        kind: Kind,
        square: Square,
        occupied: u64,
        mut visit: impl FnMut(u64, Square),
    ) {
        // `1 << 63` and `1` are the sentinels described at the top of this file.
        let mut up = |direction: usize| {
            let ray = self.rays[direction][square.index()];
            visit(ray, Square::from_low_bits((ray & occupied | 1 << 63).trailing_zeros()));
        };
        if kind != Kind::Bishop {
            [NORTH, EAST].into_iter().for_each(&mut up);
        }
        if kind != Kind::Rook {
            [NORTH_EAST, NORTH_WEST].into_iter().for_each(&mut up);
        }
        let mut down = |direction: usize| {
            let ray = self.rays[direction][square.index()];
            visit(ray, Square::from_low_bits(63 - (ray & occupied | 1).leading_zeros()));
        };
        if kind != Kind::Bishop {
            [SOUTH, WEST].into_iter().for_each(&mut down);
        }
        if kind != Kind::Rook {
            [SOUTH_WEST, SOUTH_EAST].into_iter().for_each(&mut down);
        }
    }
}

impl<C: Cut> ClassicalAttacks<C> {
    #[inline(always)]
    fn up(&self, direction: usize, square: Square, occupied: u64) -> u64 {
        C::up(&self.rays[direction], square, occupied)
    }

    #[inline(always)]
    fn down(&self, direction: usize, square: Square, occupied: u64) -> u64 {
        C::down(&self.rays[direction], square, occupied)
    }
}

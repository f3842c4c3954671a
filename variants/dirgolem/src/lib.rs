//! DirGolem: direction-wise generation of legal moves.
//!
//! Gerd Isenberg's proposal on the Chess Programming Wiki, a translation of what his program
//! HansDamf did with SSE2. It finds all *legal* moves of a position without a branch, without a
//! table, and without asking how many pieces there are. The idea is to do everything direction by
//! direction, twice. First the enemy: his sliders are filled in all eight directions, seen through
//! the own king, which gives the squares forbidden to the king. In each direction the own king looks
//! back with a slider's eyes, and where the two fills meet lies what stands between. If that is
//! empty squares, they are where a check can be blocked; if it is one piece, he is pinned. Four
//! in-between sets, one per line, and two masks for check and double check then say all that
//! legality needs. Second the own pieces: each is left out of the fills of those lines on which he is
//! not free, and the sets are cut to the squares that resolve a check.
//!
//! Sixteen sets of targets come out, 128 bytes, the same in form as those of the pseudo-legal
//! designs by direction, and are written out the same way.
//!
//! # What the source leaves open
//! * It takes for granted that an en passant square is recorded only if the capture is legal. The
//!   boards here record it after every double push, so legality is decided during generation, with
//!   two more fills and still without a branch.
//! * "No en passant" must be an empty set; the printed `1 << target` has no value for it.
//! * Castling is left to the reader: one bit in the set of east, one in that of west.
//! * So is promotion: a target on the last rank next to a pawn stands for four moves.
//! * Its test for emptiness by the sign of `x - 1` needs a subtraction that wraps, for a king on h8.
//! * It is written for White with the colours exchanged for Black; here the sets are turned over.
//!
//! # What it costs, what to expect
//! Eighteen fills for the enemy, the king and en passant, eight for the own pieces: as compiled for
//! x86-64, about 800 instructions with Kogge–Stone fills and 1,050 with dumb7 fills before the first
//! conditional jump, which belongs to the writing. They are the same in every position and mostly
//! independent of each other. The source states the other price: picking a particular move out of
//! the sets is dearer than from a list. Its peers are the legal designs that go piece by piece;
//! pseudo-legal ones leave the work on the king's safety to others.

mod targets;
#[cfg(test)]
mod tests;
mod threats;

use std::marker::PhantomData;

pub use raywalk_core::set_wise::{Dumb7Fill, Getter, KoggeStone};
use raywalk_core::set_wise::{Fill, Rays, Serialiser, TargetSets, View};
use raywalk_core::{
    Bitboards, Board, Card, Control, Feature, Generator, Legality, Move, MoveList, Scope, Stage,
};
use targets::Rights;
use threats::Threats;

/// A design: a fill, and the rays along which sources are looked for. Moves are written by
/// [`Getter`].
#[repr(align(64))]
pub struct DirGolem<F> {
    rays: Rays,
    fill: PhantomData<F>,
}

/// With fills by parallel prefix.
pub type DirGolemKoggeStone = DirGolem<KoggeStone>;
/// With fills square by square.
pub type DirGolemDumb7 = DirGolem<Dumb7Fill>;

raywalk_core::entries!(DirGolemKoggeStone, DirGolemDumb7);

/// What the two designs say of themselves.
pub trait Named: Fill {
    /// The card of DirGolem with this fill.
    const CARD: Card;
}

impl Named for KoggeStone {
    const CARD: Card = Card {
        id: "dirgolem/kogge-stone",
        name: "DirGolem, Kogge-Stone fills",
        author: "Gerd Isenberg",
        year: Some(2018),
        source: "Chess Programming Wiki, DirGolem",
        control: Control::Mixed,
        legality: Legality::Legal,
        published_bytes: None,
        needs: &[],
        reconstructed: "The year is that of the oldest dated revision of the page. Legality of en \
                        passant, castling, promotion and writing target by target are ours; \
                        finding the targets is free of branches, writing them is not.",
    };
}

impl Named for Dumb7Fill {
    const CARD: Card =
        Card { id: "dirgolem/dumb7", name: "DirGolem, dumb7 fills", ..KoggeStone::CARD };
}

impl<F: Named> DirGolem<F> {
    /// The sixteen sets of legal targets of stage `S`, and the view in which they stand: all of it
    /// without a branch.
    #[inline(always)]
    pub fn targets<S: Stage>(board: &Bitboards) -> (View, TargetSets) {
        let view = View::new(board);
        let threats = Threats::new::<F>(&view);
        let en_passant = if S::CAPTURES { threats.legal_en_passant::<F>(&view) } else { 0 };
        let sets = targets::targets::<F, S>(&view, &threats, en_passant, rights(board));
        (view, sets)
    }
}

/// The two rights of the side to move.
#[inline(always)]
fn rights(board: &Bitboards) -> Rights {
    let state = board.state();
    // White's rights are the upper two bits.
    let own = u64::from(state.rights.bits()) >> (2 - 2 * state.side.index());
    Rights { king_side: own >> 1 & 1, queen_side: own & 1 }
}

impl<F: Named> Generator for DirGolem<F> {
    const CARD: Card = F::CARD;
    type Board = Bitboards;
    type Moves = Move;
    // Every direction is filled from all pieces that move in it at once.
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(DirGolem { rays: Rays::build(), fill: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let (view, sets) = Self::targets::<S>(board);
        Getter::write(&self.rays, &view, &sets, list);
    }
}

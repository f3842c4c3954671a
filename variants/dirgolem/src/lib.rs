//! DirGolem: generates legal moves direction by direction.
//!
//! Gerd Isenberg's proposal on the Chess Programming Wiki, a translation of the SSE2 code of his
//! program HansDamf. It finds all *legal* targets of a position without a branch, without a table,
//! and at a cost that does not depend on the number of pieces. It goes through the eight directions
//! twice:
//!
//! 1. **Enemy.** The enemy's sliders are filled in all eight directions, as if the own king were
//!    not on the board, which gives the squares forbidden to the king. In each direction the own
//!    king is filled as a slider towards them. Where the two fills meet lie the squares between. If
//!    these are empty squares, a check can be blocked there; if it is a single piece, that piece is
//!    pinned. Four in-between sets, one per line, and two masks for check and double check hold all
//!    that legality needs.
//! 2. **Own pieces.** Each piece is left out of the fills of the lines along which it may not move,
//!    and the sets are cut to the squares that resolve a check.
//!
//! The result is sixteen sets of targets, 128 bytes, in the same form as those of the pseudo-legal
//! designs by direction, and written out in the same way.
//!
//! # What the source leaves open
//! * It assumes that an en passant square is recorded only if the capture is legal. The boards here
//!   record it after every double push, so legality is decided during generation, with two more
//!   fills and still without a branch.
//! * "No en passant" must be an empty set; the printed `1 << target` has no value for it.
//! * Castling is left to the reader. Here it is one bit in the set of east and one in that of west.
//! * Promotion is left to the reader. Here a pawn's target on the last rank stands for four moves.
//! * Its test for emptiness by the sign of `x - 1` needs a subtraction that wraps, for a king on
//!   h8.
//! * It is written for White, with the colours exchanged for Black. Here the sets are reflected.
//!
//! # Cost
//! Eighteen fills for the enemy, the king and en passant, and eight for the own pieces. As compiled
//! for x86-64, there are about 800 instructions with Kogge–Stone fills and 1,050 with dumb7 fills
//! before the first conditional jump, which belongs to the writing of moves. They are the same in
//! every position and mostly independent of each other. The source names another price: picking a
//! particular move is more expensive from sets than from a list, so it wants a state machine. The
//! calls *first capture* and *first moves* take single moves from one.
//!
//! Compare it with the legal designs that go piece by piece. Pseudo-legal designs leave the king's
//! safety to their caller.

mod targets;
#[cfg(test)]
mod tests;
mod threats;

use std::marker::PhantomData;

use raywalk_core::set_wise::{
    Dumb7Fill, Fill, Getter, KoggeStone, LookBack, Rays, Serialiser, Stoppable, TargetSets, View,
};
use raywalk_core::{
    All, Bitboards, Board, Captures, Card, Control, Early, Feature, Generator, Legality, Move,
    MoveList, Scope, Stage,
};
use targets::Rights;
use threats::Threats;

/// A design: a fill, and the rays along which sources are found. [`Getter`] writes the moves.
#[repr(align(64))]
pub struct DirGolem<F> {
    rays: Rays,
    fill: PhantomData<F>,
}

/// Fills by parallel prefix.
pub type DirGolemKoggeStone = DirGolem<KoggeStone>;
/// Fills square by square.
pub type DirGolemDumb7 = DirGolem<Dumb7Fill>;

/// Fills by parallel prefix, with branches where others combine masks.
pub type DirGolemBranchy = DirGolem<Asking<KoggeStone>>;

raywalk_core::entries!(DirGolemKoggeStone: Early, DirGolemDumb7: Early, DirGolemBranchy: Early);

/// A fill that forms a design.
pub trait Named: Fill {
    /// The card of DirGolem with this fill.
    const CARD: Card;
    /// Whether branches ask for check and for an en passant square, and skip what is for these only.
    const ASKS: bool = false;
}

/// A fill in a design that asks by branches.
pub struct Asking<F>(PhantomData<F>);

impl<F: Fill> Fill for Asking<F> {
    #[inline(always)]
    fn attacks<const FILES: i8, const RANKS: i8>(sliders: u64, occupied: u64) -> u64 {
        F::attacks::<FILES, RANKS>(sliders, occupied)
    }
}

impl Named for Asking<KoggeStone> {
    const CARD: Card = Card {
        id: "dirgolem/kogge-stone-branchy",
        name: "DirGolem, Kogge-Stone fills, branches for check and en passant",
        author: "Raywalk, after Gerd Isenberg",
        year: Some(2026),
        source: "Raywalk: a control for dirgolem/kogge-stone, not published elsewhere",
        reconstructed: "Branches skip the search for checking pieces without a check, and the fills for en \
                        passant without such a square. Everything else is dirgolem/kogge-stone.",
        ..KoggeStone::CARD
    };
    const ASKS: bool = true;
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
                        passant, castling, promotion and move writing target by target are ours. \
                        Finding the targets takes no branch, writing the moves does.",
    };
}

impl Named for Dumb7Fill {
    const CARD: Card =
        Card { id: "dirgolem/dumb7", name: "DirGolem, dumb7 fills", ..KoggeStone::CARD };
}

impl<F: Named> DirGolem<F> {
    /// The sixteen sets of legal targets of stage `S` and the view of the board that they refer to.
    /// Takes no branch unless the design [asks](Named::ASKS).
    #[inline(always)]
    fn targets<S: Stage>(board: &Bitboards) -> (View, TargetSets) {
        let view = View::new(board);
        let threats = Threats::new::<F>(&view);
        let en_passant = if S::CAPTURES { threats.legal_en_passant::<F>(&view) } else { 0 };
        let sets = targets::targets::<F, S>(&view, &threats, en_passant, rights(board));
        (view, sets)
    }
}

/// The castling rights of the side to move.
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
    // One fill serves all pieces that move in a direction, so no kind of piece can be left out.
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(DirGolem { rays: Rays::build(), fill: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, list: &mut MoveList) {
        let (view, sets) = Self::targets::<S>(board);
        Getter::write::<S>(&self.rays, &view, &sets, list);
    }
}

/// Single moves come from the first directions that have targets. The sets are found for
/// all directions before the first move is known.
impl<F: Named> Early for DirGolem<F> {
    #[inline(always)]
    fn first_capture(&self, board: &Bitboards) -> Option<Move> {
        let (view, sets) = Self::targets::<Captures>(board);
        Getter::first(&self.rays, &view, &sets)
    }

    #[inline(always)]
    fn first_moves(&self, board: &Bitboards, list: &mut MoveList) {
        let (view, sets) = Self::targets::<All>(board);
        Getter::write_first(&self.rays, &view, &sets, list);
    }
}

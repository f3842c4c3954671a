//! Legal moves with the colour and the castling rights as constants, and perft by copies.
//!
//! **Source.** Daniel Infuehr, *Gigantua*, 2021: a template generator with one instance for each colour and each set of
//! rights.
//!
//! **Method.** Checks, pins and moves are those of [`LegalPext`](crate::LegalPext). Only the state is known to the
//! compiler: shifts of pawns have constant distances, ranks are constants, and castling does not exist where its right
//! is lost. A walk goes from the instance of one state to that of the next, so the side to move is never tested. Boards
//! are copied, and no move is taken back. After a move that ends a right, a table of functions leads to the instance of
//! the rights that are left.
//!
//! **Cost.** A list begins with a jump to the instance of its state, which is mispredicted where positions come in any
//! order. In return for that, the code exists eight times for a list, eight times for a count and 32 times for the
//! nodes of a walk. Only own rights matter to generation, so a list and a count need no more instances.

use raywalk_core::{
    AttackSets, Attacking, Bitboards, Board, Card, Color, CopyMake, Counting, Feature, Generator,
    Leaves, Move, MoveList, Square, Stage,
};

use super::children::count_tree;
use super::state::{Black, Fixed, Own, Side, White, count, own};
use super::{LegalAttacks, LegalPext};
use crate::pext::PextAttacks;

/// Legal moves with PEXT bitboards, colour and castling rights as constants: 863,232 bytes of slider tables.
#[repr(transparent)]
pub struct LegalConstants(LegalPext);

/// Appends the moves of one state.
#[inline(never)]
fn list<S: Stage, C: Side, const RIGHTS: Own>(
    generator: &LegalPext,
    board: &Bitboards,
    list: &mut MoveList,
) {
    let view = Fixed::<_, C>::new(board, board.state().en_passant, RIGHTS);
    generator.moves::<S>(view, list);
}

/// Calls the instance of a function for the state of a board.
macro_rules! by_state {
    ($state:expr, $function:ident::<$first:ty>, $arguments:tt) => {{
        let state = $state;
        match state.side {
            Color::White => match own::<White>(state.rights) {
                0 => $function::<$first, White, 0> $arguments,
                1 => $function::<$first, White, 1> $arguments,
                2 => $function::<$first, White, 2> $arguments,
                _ => $function::<$first, White, 3> $arguments,
            },
            Color::Black => match own::<Black>(state.rights) {
                0 => $function::<$first, Black, 0> $arguments,
                1 => $function::<$first, Black, 1> $arguments,
                2 => $function::<$first, Black, 2> $arguments,
                _ => $function::<$first, Black, 3> $arguments,
            },
        }
    }};
}

impl Generator for LegalConstants {
    const CARD: Card = Card {
        id: "legal/pext-constants",
        name: "Legal by pins, PEXT, colour and rights as constants",
        author: "Daniel Infuehr",
        year: Some(2021),
        source: "Gigantua; Chess Programming Wiki, Checks and Pinned Pieces (Bitboards)",
        reconstructed: "Constants and copies are the method of the source; checks and pins are those of our other \
                        legal designs.",
        ..PextAttacks::LEGAL_CARD
    };
    type Board = Bitboards;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(LegalConstants(*LegalPext::build()?)))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Bitboards, moves: &mut MoveList) {
        if S::QUIETS && !S::SLIDERS_ONLY {
            by_state!(board.state(), list::<S>, (&self.0, board, moves));
        } else {
            // The other stages have no castling.
            match board.state().side {
                Color::White => list::<S, White, 0>(&self.0, board, moves),
                Color::Black => list::<S, Black, 0>(&self.0, board, moves),
            }
        }
    }

    fn table_bytes(&self) -> usize {
        self.0.table_bytes()
    }
}

impl Counting for LegalConstants {
    #[inline(always)]
    fn count(&self, board: &Bitboards) -> u64 {
        let state = board.state();
        by_state!(state, count::<Bitboards>, (&self.0, board, state.en_passant))
    }
}

impl CopyMake for LegalConstants {
    #[inline(always)]
    fn perft(&self, board: &Bitboards, depth: u32, leaves: Leaves) -> u64 {
        count_tree(&self.0, board, depth, leaves)
    }
}

impl Attacking for LegalConstants {
    #[inline(always)]
    fn attacks_of(&self, board: &Bitboards, square: Square) -> u64 {
        self.0.attacks_of(board, square)
    }

    #[inline(always)]
    fn attacks_of_side(&self, board: &Bitboards, sets: &mut AttackSets) {
        self.0.attacks_of_side(board, sets);
    }
}

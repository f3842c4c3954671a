//! 0x88 with difference tables: checks and captures found without generating moves.
//!
//! 0x88 stores the board in rows of sixteen cells, of which eight are squares. The better known
//! half of the method tests two bits of the index to detect the edge; `mailbox/0x88` walks that
//! way. The other half uses that in rows of sixteen the difference of two cells determines their
//! relative position, wherever they are. Wiereyn used such coordinate differences in 1985, and
//! David Kittinger's commercial programs found their captures with them. They took the enemy pieces
//! from the most valuable down, the own pieces from the least valuable up, and looked up for each
//! pair whether one could attack the other. Only sliders also need a test of the squares in
//! between. The captures come out in the order in which a search tries them.
//!
//! [`PairScan`] finds captures this way and all other moves by the walk of the mailbox family, so
//! it differs from `mailbox/0x88` in the captures stage and in attack tests alone. It tests at most
//! 16 × 15 pairs with one table load each, where the walk visits at most 27 squares for each slider.
//!
//! [`DifferenceBoard`] uses the same tables for attack tests, and walks only from an aligned slider
//! to its target. The blog post that made the tables popular claims that this is much faster than
//! walking from the square. Both ways are implemented and tested to give the same results.
//!
//! The printed tables have errors and traps, and this crate has a test for each: the announced
//! length (240; they have 239 entries), the orientation, the sign of the knights' steps, the worked
//! example, and the edge test as printed for languages of the C family. The tests compare all 239
//! numbers of both tables with a walk between every pair of squares.

mod board;

pub use board::DifferenceBoard;
use raywalk_core::square_board::{Differences, Grid0x88, StepWalk};
use raywalk_core::{
    Card, Control, Feature, Generator, Legality, Move, MoveList, Scope, Stage, StageId, Winning,
};

/// Finds captures by testing pairs of pieces, and all other moves by walking.
#[repr(C, align(64))]
pub struct PairScan {
    differences: Differences,
}

raywalk_core::entries!(PairScan: Winning);

impl Generator for PairScan {
    const CARD: Card = Card {
        id: "ox88/pair-scan",
        name: "0x88 pair scan",
        author: "David Kittinger",
        year: None,
        source: "Chess Programming Wiki, 0x88; tables as given in the Mediocre Chess blog and \
                 Building a Chess Move Generator",
        control: Control::Branchy,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[],
        reconstructed: "bit sets instead of the seven printed codes; the squares in between are \
                        tested from the target; the other stages walk like mailbox/0x88; castling \
                        looks along rays, as on all square boards. The wiki dates Wiereyn's \
                        coordinate differences to 1985 and Kittinger's captures not at all",
    };
    type Board = DifferenceBoard;
    type Moves = Move;
    // The scan is used for captures only; sliders alone, in all stages, would be the plain 0x88
    // walk.
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(PairScan { differences: board::DIFFERENCES.clone() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DifferenceBoard, list: &mut MoveList) {
        let board = board.plain();
        if S::ID == StageId::Captures {
            board.pair_captures(list, |piece, from, to| {
                self.differences.attacks(board, piece, from, to)
            });
        } else {
            board.visit::<S>(&mut StepWalk::<S, _, _, _>::new(board, list));
        }
        board.special_moves::<S>(list);
    }

    /// Both tables, without the entries beyond the largest difference.
    fn table_bytes(&self) -> usize {
        2 * Differences::entries::<Grid0x88>()
    }
}

impl Winning for PairScan {
    #[inline(always)]
    fn winning_captures(&self, board: &DifferenceBoard, list: &mut MoveList) {
        let board = board.plain();
        board.winning_pair_captures(list, |piece, from, to| {
            self.differences.attacks(board, piece, from, to)
        });
    }
}

//! 0x88 with difference tables: checks and captures found without generating moves.
//!
//! Sixteen files of which eight are real make the edge a test of two bits, which is the better known
//! half of 0x88; as a walk it is `mailbox/0x88`. The other half is that in rows of sixteen the
//! difference of two cells says how they lie to each other, whatever they are. Wiereyn used such
//! coordinate differences in 1985, and David Kittinger's commercial programs found their captures
//! with them: take the enemy's pieces from the most valuable down, one's own from the least valuable up,
//! and ask one table for each pair whether the one could attack the other. Only sliders then need a
//! look at the squares between. Captures come out in the order in which a search wants them.
//!
//! [`PairScan`] is that: captures by pairs, everything else by the walk of the mailbox family, so that
//! the two differ in the captures stage alone. At most 16 × 15 pairs, one table load each, against at
//! most 27 squares for each slider.
//!
//! [`DifferenceBoard`] answers "is this square attacked?" with the same tables and no walk but
//! the one between an aligned slider and its target. The blog post that made the tables popular says
//! this is much faster than walking from the square; both ways are here and give the same answers.
//!
//! The printed tables have errors and traps, each of which is a test of this crate: the announced
//! length (240; they have 239 entries), the orientation, the sign of the knights' steps, and the test
//! for the edge as printed for languages of the C family.

mod board;

pub use board::DifferenceBoard;
use raywalk_core::square_board::{Differences, Grid0x88, StepWalk};
use raywalk_core::{
    Card, Control, Feature, Generator, Legality, Move, MoveList, Scope, Stage, StageId,
};

/// Captures by asking of each pair of pieces, everything else by the walk.
#[repr(C, align(64))]
pub struct PairScan {
    differences: Differences,
}

raywalk_core::entries!(PairScan);

impl Generator for PairScan {
    const CARD: Card = Card {
        id: "ox88/pair-scan",
        name: "0x88 pair scan",
        author: "David Kittinger",
        year: Some(1985),
        source: "Chess Programming Wiki, 0x88; tables by way of the Mediocre Chess blog and Building \
                 a Chess Move Generator",
        control: Control::Branchy,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[],
        reconstructed: "bit sets instead of the seven printed codes; the squares between are followed \
                        from the target; the walk of the other stages is mailbox/0x88; the year is \
                        that of Wiereyn's coordinate differences, Kittinger's own is not known",
    };
    type Board = DifferenceBoard;
    type Moves = Move;
    // The scan is a way to find captures; the sliders alone would be the plain walk of 0x88.
    const SCOPES: &'static [Scope] = &[Scope::Whole];

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(PairScan { differences: board::DIFFERENCES.clone() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &DifferenceBoard, list: &mut MoveList) {
        let board = board.plain();
        if S::ID == StageId::Captures {
            self.differences.pair_captures(board, list);
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

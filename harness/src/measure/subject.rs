//! What is timed: a verified design and the boards it works on.
//!
//! The types of the designs end here. A [`Bench`] is compiled once per design, and only its pass
//! is called through a pointer: one indirect call per pass of thousands of positions. Inside, the
//! stage is chosen once, and the loop calls the design's compiled entry directly.

use std::hint::black_box;
use std::ops::Range;

use raywalk_core::{
    Board, Checksum, Entries, Feature, Generator, Legality, MoveList, Position, StageId,
};

/// A verified design with the boards it works on. The type of the design ends here.
pub trait Subject {
    /// The id on the design's card.
    fn id(&self) -> &str;

    /// What the design promises. Only designs that promise the same must find the same moves.
    fn legality(&self) -> Legality;

    /// Makes the boards of these positions, in this order; untimed.
    fn load(&mut self, positions: &[Position]);

    /// Generates stage `stage` for the loaded boards `range`, folding every move. What is timed.
    ///
    /// # Panics
    /// If the range reaches beyond the loaded boards.
    fn pass(&mut self, stage: StageId, range: Range<usize>) -> Checksum;
}

/// The one implementation of [`Subject`]: a generator with its tables, boards, and one list.
pub struct Bench<G: Entries> {
    generator: Box<G>,
    boards: Vec<G::Board>,
    list: MoveList<G::Moves>,
}

impl<G: Entries> Bench<G> {
    /// The design with tables that are built already, and no boards yet.
    pub fn new(generator: Box<G>) -> Bench<G> {
        Bench { generator, boards: Vec::new(), list: MoveList::new() }
    }

    /// Builds the tables.
    ///
    /// # Errors
    /// The CPU feature that this machine lacks.
    pub fn build() -> Result<Bench<G>, Feature> {
        Ok(Bench::new(G::build()?))
    }

    /// The design itself, say for its table size.
    pub fn generator(&self) -> &G {
        &self.generator
    }
}

impl<G: Entries> Subject for Bench<G> {
    fn id(&self) -> &str {
        <G as Generator>::CARD.id
    }

    fn legality(&self) -> Legality {
        <G as Generator>::CARD.legality
    }

    fn load(&mut self, positions: &[Position]) {
        self.boards.clear();
        self.boards.extend(positions.iter().map(G::Board::new));
    }

    #[inline(never)]
    fn pass(&mut self, stage: StageId, range: Range<usize>) -> Checksum {
        let boards = &self.boards[range]; // the only bounds check of the pass
        let (generator, list) = (&*self.generator, &mut self.list);
        match stage {
            StageId::All => fold_all(generator, boards, list, G::all),
            StageId::Captures => fold_all(generator, boards, list, G::captures),
            StageId::Quiets => fold_all(generator, boards, list, G::quiets),
        }
    }
}

/// The timed loop. `entry` is a function item, so its call is direct; the black box keeps the
/// compiler from knowing that the same board comes again.
#[inline(always)]
fn fold_all<G: Entries>(
    generator: &G,
    boards: &[G::Board],
    list: &mut MoveList<G::Moves>,
    entry: impl Fn(&G, &G::Board, &mut MoveList<G::Moves>),
) -> Checksum {
    let mut checksum = Checksum::default();
    for board in boards {
        list.clear();
        entry(generator, black_box(board), list);
        checksum.add(list);
    }
    checksum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::fake;
    use raywalk_core::{Card, Color, Control, Move, Piece, Square, Stage, State, Undo};

    /// A board that knows its state and no man.
    #[derive(Clone)]
    struct Empty(State);

    impl Board for Empty {
        fn new(position: &Position) -> Empty {
            Empty(position.state())
        }
        fn man(&self, _: Square) -> Option<Piece> {
            None
        }
        fn state(&self) -> State {
            self.0
        }
        fn king(&self, _: Color) -> Square {
            Square::new(4, 0)
        }
        fn attacked(&self, _: Square, _: Color) -> bool {
            false
        }
        fn make(&mut self, _: Move) -> Undo {
            Undo { state: self.0, captured: None }
        }
        fn unmake(&mut self, _: Move, undo: Undo) {
            self.0 = undo.state;
        }
    }

    /// Finds the same capture everywhere, and a quiet move that tells the position.
    struct TwoMoves;

    impl Generator for TwoMoves {
        const CARD: Card = Card {
            id: "two-moves",
            name: "Two moves",
            author: "",
            year: Some(1970),
            source: "",
            control: Control::Branchless,
            legality: Legality::Legal,
            published_bytes: None,
            needs: &[],
            reconstructed: "",
        };
        type Board = Empty;
        type Moves = Move;

        fn build() -> Result<Box<TwoMoves>, Feature> {
            Ok(Box::new(TwoMoves))
        }

        fn generate<S: Stage>(&self, board: &Empty, list: &mut MoveList) {
            if S::CAPTURES {
                list.push(Move::from_bits(7));
            }
            if S::QUIETS {
                list.push(Move::from_bits(board.0.fullmove));
            }
        }
    }
    raywalk_core::entries!(TwoMoves);

    #[test]
    fn a_pass_folds_the_asked_stage_of_the_asked_boards_in_order() {
        let positions: Vec<_> = (0..9).map(fake::position).collect();
        let mut bench = Bench::<TwoMoves>::build().expect("it needs nothing");
        assert_eq!((bench.id(), bench.legality()), ("two-moves", Legality::Legal));
        bench.load(&positions[..2]);
        bench.load(&positions); // what was loaded before is gone
        for stage in StageId::ALL {
            let mut expected = Checksum::default();
            for position in &positions[3..8] {
                let mut list = MoveList::new();
                TwoMoves.stage(stage, &Empty::new(position), &mut list);
                expected.add(&list);
            }
            assert_eq!(bench.pass(stage, 3..8), expected, "{}", stage.name());
            assert_eq!(bench.pass(stage, 3..3), Checksum::default());
        }
        assert_eq!(bench.pass(StageId::All, 0..9).moves, 18);
        assert_ne!(bench.pass(StageId::Quiets, 0..3), bench.pass(StageId::Quiets, 3..6));
    }
}

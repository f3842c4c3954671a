//! The designs that run [`StepWalk`]: every geometry that detects its edge by the index or by the cell.

use std::marker::PhantomData;

use raywalk_core::square_board::{Code, Geometry, PieceList, SquareBoard, StepWalk, UnrolledSteps};
use raywalk_core::{
    Captures, Card, Feature, Generator, MoveFormat, MoveList, Quiets, Stage, StageId,
};

/// One design of the family: the three parameters of its board, its move format and its card.
///
/// Two layouts that differ in one line differ in one thing.
pub trait Layout: Send + Sync + 'static {
    type Geometry: Geometry;
    type Code: Code;
    type List: PieceList<Self::Geometry>;
    type Moves: MoveFormat;
    /// Whether each kind has a loop of its own with constant steps.
    const UNROLLED: bool = false;
    /// Whether all moves are generated in two passes over the pieces, captures first.
    const STAGED: bool = false;
    const CARD: Card;
}

/// A mailbox design, generic over board, move format and card. It has no table of its own.
pub struct Mailbox<T: Layout>(PhantomData<T>);

pub(crate) type BoardOf<T> =
    SquareBoard<<T as Layout>::Geometry, <T as Layout>::Code, <T as Layout>::List>;

impl<T: Layout> Generator for Mailbox<T> {
    const CARD: Card = T::CARD;
    type Board = BoardOf<T>;
    type Moves = T::Moves;

    fn build() -> Result<Box<Self>, Feature> {
        T::CARD.needs.iter().try_for_each(|need| need.require())?;
        Ok(Box::new(Mailbox(PhantomData)))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &BoardOf<T>, list: &mut MoveList<T::Moves>) {
        if T::STAGED && matches!(S::ID, StageId::All) && !S::SLIDERS_ONLY {
            pass::<Captures, T>(board, list);
            pass::<Quiets, T>(board, list);
        } else {
            pass::<S, T>(board, list);
        }
    }

    /// Bytes of the map from cells to squares, which a padded geometry needs to write a move.
    fn table_bytes(&self) -> usize {
        T::Geometry::MAP_BYTES
    }
}

/// One pass over the pieces.
#[inline(always)]
fn pass<S: Stage, T: Layout>(board: &BoardOf<T>, list: &mut MoveList<T::Moves>) {
    if T::UNROLLED {
        board.visit::<S>(&mut UnrolledSteps::<S, _, _, _, _>::new(board, list));
    } else {
        board.visit::<S>(&mut StepWalk::<S, _, _, _, _>::new(board, list));
    }
    board.special_moves::<S>(list);
}

#[cfg(test)]
mod tests {
    use crate::*;
    use raywalk_core::Generator;

    #[test]
    fn no_layout_has_a_table_of_its_own() {
        assert_eq!(size_of::<Embedded10x12>(), 0);
        assert_eq!(size_of::<Board0x88>(), 0);
        assert_eq!(size_of::<Embedded15x12>(), 0);
    }

    #[test]
    fn only_padded_boards_need_a_map_to_write_moves() {
        assert_eq!(Board0x88::build().map(|design| design.table_bytes()), Ok(0));
        assert_eq!(Unguarded8x8::build().map(|design| design.table_bytes()), Ok(0));
        assert_eq!(Embedded10x12::build().map(|design| design.table_bytes()), Ok(240));
    }
}

//! The boards that [`StepWalk`] walks: every geometry that tells its edge by the index or by the cell.

use std::marker::PhantomData;

use raywalk_core::square_board::{Code, Geometry, PieceList, SquareBoard, StepWalk};
use raywalk_core::{Card, Feature, Generator, MoveFormat, MoveList, Stage};

/// The three parameters of a board, that of the list, and the card of the design that walks it.
pub trait Layout: Send + Sync + 'static {
    /// Where the squares lie.
    type Geometry: Geometry;
    /// How pieces are coded.
    type Code: Code;
    /// How pieces are found.
    type List: PieceList<Self::Geometry>;
    /// How moves are stored.
    type Moves: MoveFormat;
    /// The card.
    const CARD: Card;
}

/// The walk over a board of this layout. It has no table.
pub struct Mailbox<T: Layout>(PhantomData<T>);

/// The board of a layout.
pub type BoardOf<T> =
    SquareBoard<<T as Layout>::Geometry, <T as Layout>::Code, <T as Layout>::List>;

impl<T: Layout> Generator for Mailbox<T> {
    const CARD: Card = T::CARD;
    type Board = BoardOf<T>;
    type Moves = T::Moves;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Mailbox(PhantomData)))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &BoardOf<T>, list: &mut MoveList<T::Moves>) {
        board.visit::<S>(&mut StepWalk::<S, _, _, _, _>::new(board, list));
        board.special_moves::<S>(list);
    }

    /// The map from cells to squares, where the geometry needs one to write a move.
    fn table_bytes(&self) -> usize {
        if T::Geometry::PADDED { size_of_val(&T::Geometry::SQUARES) } else { 0 }
    }
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
    fn only_padded_boards_need_a_map_to_write_a_move() {
        assert_eq!(Board0x88::build().map(|design| design.table_bytes()), Ok(0));
        assert_eq!(Unguarded8x8::build().map(|design| design.table_bytes()), Ok(0));
        assert_eq!(Embedded10x12::build().map(|design| design.table_bytes()), Ok(256));
    }
}

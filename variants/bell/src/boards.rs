//! The boards: one for both sides, or one for each.

use raywalk_core::square_board::{
    Code, ColourBits, CountedArrays, Geometry, Grid8x8, SideNibbles, SquareBoard, TwoGrids8x8, kept,
};
use raywalk_core::{Color, Stage, StageId};

/// The board that a walk reads.
pub(crate) type BoardOf<B> =
    SquareBoard<<B as Boards>::Geometry, <B as Boards>::Code, CountedArrays>;

/// One board or two, and what a walk of `side` asks them.
pub trait Boards: Send + Sync + Sized + 'static {
    /// The placement of the squares, such as 8x8.
    type Geometry: Geometry;
    /// The code of a cell.
    type Code: Code;
    /// Whether a walk asks for an empty square before it asks for an own piece. With a board for each side it must not.
    const EMPTY_FIRST: bool = false;

    /// Whether an own piece is on the cell.
    fn is_own(board: &BoardOf<Self>, side: Color, cell: u8) -> bool;
    /// Whether the cell is empty. With a board for each side, the caller has excluded an own piece.
    fn is_empty(board: &BoardOf<Self>, side: Color, cell: u8) -> bool;
    /// Whether a target on this cell gives a move of stage `S`.
    fn keeps<S: Stage>(board: &BoardOf<Self>, side: Color, cell: u8) -> bool;
}

/// One board with the pieces of both sides, as the wiki has it.
pub struct OneBoard;

impl Boards for OneBoard {
    type Geometry = Grid8x8;
    type Code = ColourBits;

    #[inline(always)]
    fn is_own(board: &BoardOf<Self>, side: Color, cell: u8) -> bool {
        ColourBits::is_own(board.code(cell), side)
    }
    #[inline(always)]
    fn is_empty(board: &BoardOf<Self>, _: Color, cell: u8) -> bool {
        ColourBits::is_empty(board.code(cell))
    }
    #[inline(always)]
    fn keeps<S: Stage>(board: &BoardOf<Self>, side: Color, cell: u8) -> bool {
        kept::<S, ColourBits>(board.code(cell), side)
    }
}

/// [`OneBoard`], of which a walk first asks whether a square is empty.
pub struct EmptyFirst;

impl Boards for EmptyFirst {
    type Geometry = Grid8x8;
    type Code = ColourBits;
    const EMPTY_FIRST: bool = true;

    #[inline(always)]
    fn is_own(board: &BoardOf<Self>, side: Color, cell: u8) -> bool {
        OneBoard::is_own(board, side, cell)
    }
    #[inline(always)]
    fn is_empty(board: &BoardOf<Self>, side: Color, cell: u8) -> bool {
        OneBoard::is_empty(board, side, cell)
    }
    #[inline(always)]
    fn keeps<S: Stage>(board: &BoardOf<Self>, side: Color, cell: u8) -> bool {
        OneBoard::keeps::<S>(board, side, cell)
    }
}

/// A board for each side, as in 1967. A walk reads its own side's board first and the other's only if that square is
/// empty.
pub struct BoardPerSide;

/// Whether the side has a piece on the cell.
#[inline(always)]
fn has_piece(board: &BoardOf<BoardPerSide>, side: Color, cell: u8) -> bool {
    board.cells().of(side)[usize::from(cell & 63)] != 0
}

impl Boards for BoardPerSide {
    type Geometry = TwoGrids8x8;
    type Code = SideNibbles;

    #[inline(always)]
    fn is_own(board: &BoardOf<Self>, side: Color, cell: u8) -> bool {
        has_piece(board, side, cell)
    }
    #[inline(always)]
    fn is_empty(board: &BoardOf<Self>, side: Color, cell: u8) -> bool {
        !has_piece(board, !side, cell)
    }
    #[inline(always)]
    fn keeps<S: Stage>(board: &BoardOf<Self>, side: Color, cell: u8) -> bool {
        match S::ID {
            StageId::All => !has_piece(board, side, cell),
            StageId::Captures => has_piece(board, !side, cell),
            StageId::Quiets => !has_piece(board, side, cell) && !has_piece(board, !side, cell),
        }
    }
}

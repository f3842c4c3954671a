//! How a walk reads a square: from a byte of the board, or from a bit in a register.

use raywalk_core::square_board::{
    Code, CountedArrays, DiepCode, Grid8x8, PieceList, SquareBoard, WithSets,
};
use raywalk_core::{Color, Square, Stage, StageId};

/// An 8x8 board with Diep's piece codes.
pub(crate) type BoardWith<L> = SquareBoard<Grid8x8, DiepCode, L>;
/// An 8x8 board with Diep's piece codes, and counted arrays of pieces.
pub(crate) type DiepBoard = BoardWith<CountedArrays>;

/// One way to read squares.
pub trait Reading: Send + Sync + 'static {
    /// The piece list of the board.
    type List: PieceList<Grid8x8>;
    /// What the walks of one generation read from.
    type Source<'a>: Copy;
    /// What is read of a square.
    type Occupant: Copy;

    /// What the walks of one generation read from: made once for all of them.
    fn source(board: &BoardWith<Self::List>) -> Self::Source<'_>;

    /// Reads a square: the code from the board; with words in registers, the square itself.
    fn read(source: Self::Source<'_>, square: Square) -> Self::Occupant;

    /// Zero for an empty square, else 1 to 14: what decides the advance.
    fn obstacle(source: Self::Source<'_>, occupant: Self::Occupant) -> u8;

    /// Whether a target with this occupant gives a move of stage `T`.
    fn wanted<T: Stage>(source: Self::Source<'_>, occupant: Self::Occupant, side: Color) -> bool;
}

/// The board byte, as published.
pub struct BoardByte;

impl Reading for BoardByte {
    type List = CountedArrays;
    type Source<'a> = &'a DiepBoard;
    type Occupant = u8;

    #[inline(always)]
    fn source(board: &DiepBoard) -> &DiepBoard {
        board
    }

    #[inline(always)]
    fn read(board: &DiepBoard, square: Square) -> u8 {
        board.code(square.number())
    }

    #[inline(always)]
    fn obstacle(_: &DiepBoard, code: u8) -> u8 {
        code
    }

    #[inline(always)]
    fn wanted<T: Stage>(_: &DiepBoard, code: u8, side: Color) -> bool {
        match T::ID {
            // Own pieces are the enemies of the other side, a range of codes: one comparison. `is_own`
            // needs two, because it also covers guards, which this board does not have.
            StageId::All => !DiepCode::is_enemy(code, !side),
            StageId::Captures => DiepCode::is_enemy(code, side),
            StageId::Quiets => DiepCode::is_empty(code),
        }
    }
}

/// Two words in registers with one bit per square. The board keeps them beside its piece list, so the loads of a walk
/// that wait for each other are those of the elements alone.
pub struct OccupancyWords;

/// The squares of all pieces and of those of the side to move.
#[derive(Clone, Copy)]
pub struct Words {
    occupied: u64,
    own: u64,
}

impl Reading for OccupancyWords {
    type List = WithSets<CountedArrays>;
    type Source<'a> = Words;
    type Occupant = Square;

    #[inline(always)]
    fn source(board: &BoardWith<Self::List>) -> Words {
        let (side, list) = (board.side(), board.list());
        let own = list.set(side);
        Words { occupied: own | list.set(!side), own }
    }

    #[inline(always)]
    fn read(_: Words, square: Square) -> Square {
        square
    }

    #[inline(always)]
    fn obstacle(words: Words, square: Square) -> u8 {
        (words.occupied >> square.number() & 1) as u8
    }

    #[inline(always)]
    fn wanted<T: Stage>(words: Words, square: Square, _: Color) -> bool {
        let wanted = match T::ID {
            StageId::All => !words.own,
            StageId::Captures => words.occupied & !words.own,
            StageId::Quiets => !words.occupied,
        };
        wanted >> square.number() & 1 != 0
    }
}

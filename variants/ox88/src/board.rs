//! A 0x88 board with attack tests by difference of cells.

use raywalk_core::square_board::{
    ColourBits, CountedArrays, Differences, Geometry, Grid0x88, SquareBoard,
};
use raywalk_core::{Board, Color, Kind, Move, Piece, Position, Square, State, Undo};

/// The tables for rows of sixteen cells.
pub(crate) static DIFFERENCES: Differences = Differences::new(Grid0x88::WIDTH);

/// A 0x88 board whose attack and check tests look up differences of cells instead of walking rays
/// from the tested square.
#[derive(Clone)]
pub struct DifferenceBoard(Plain);

type Plain = SquareBoard<Grid0x88, ColourBits, CountedArrays>;

impl DifferenceBoard {
    /// The underlying board, which `mailbox/0x88` uses too.
    #[inline(always)]
    pub fn plain(&self) -> &SquareBoard<Grid0x88, ColourBits, CountedArrays> {
        &self.0
    }
}

impl Board for DifferenceBoard {
    const CELLS: Option<usize> = Plain::CELLS;
    const BYTES: usize = Plain::BYTES;

    fn new(position: &Position) -> DifferenceBoard {
        DifferenceBoard(SquareBoard::new(position))
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.0.piece_at(square)
    }

    #[inline]
    fn state(&self) -> State {
        self.0.state()
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        self.0.king(color)
    }

    // One table load for each piece of `by`, and a walk for each slider that is aligned.
    fn attacked(&self, square: Square, by: Color) -> bool {
        let to = Grid0x88::cell(square);
        Kind::ALL.into_iter().any(|kind| {
            let piece = Piece::new(by, kind);
            let mut pieces = self.0.list().of(by, kind).iter();
            pieces.any(|&from| DIFFERENCES.attacks(&self.0, piece, from, to))
        })
    }

    #[inline]
    fn make(&mut self, mv: Move) -> Undo {
        self.0.make(mv)
    }

    #[inline]
    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.0.unmake(mv, undo);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairScan;
    use raywalk_core::{Entries, Generator, MoveList};

    /// Compares both attack tests on every square of all positions up to `depth` plies ahead.
    /// Returns the number of positions compared.
    fn compare(design: &PairScan, board: &mut DifferenceBoard, depth: u32) -> u32 {
        for square in Square::all() {
            for by in Color::ALL {
                let plain = board.plain().attacked(square, by);
                assert_eq!(board.attacked(square, by), plain, "{square} {}", board.position());
            }
        }
        if depth == 0 {
            return 1;
        }
        let mut list = MoveList::new();
        design.all(board, &mut list);
        let mut positions = 1;
        for mv in raywalk_core::legal_moves(board, &list) {
            let undo = board.make(mv);
            positions += compare(design, board, depth - 1);
            board.unmake(mv, undo);
        }
        positions
    }

    #[test]
    fn attacks_by_difference_equal_attacks_by_walking() {
        let design = PairScan::build().expect("needs no feature");
        let mut positions = 0;
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let position = fen.parse().expect("a position");
            positions += compare(&design, &mut DifferenceBoard::new(&position), 2);
        }
        assert!(positions > 2_500, "{positions} positions");
    }
}

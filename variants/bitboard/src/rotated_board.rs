//! The board of rotated bitboards: the occupied squares in four orders.
//!
//! Beside the sets of [`Bitboards`] the board keeps the occupied set in three more orders: turned so
//! that a file is a byte, and turned so that the squares of a diagonal, or of an antidiagonal, follow
//! one another. Diagonals are stored one behind the other, from the shortest at one corner over the
//! longest to the shortest at the other, without gaps: 1 + 2 + … + 8 + … + 2 + 1 squares are 64.
//!
//! Make and unmake let [`Bitboards`] do the move and then turn over the bits of the squares that are
//! occupied now and were not before, or the reverse: two for a quiet move, one for a capture, three
//! for en passant, four for castling. Each costs three table look-ups, the part of the method that
//! generation alone does not show.

use raywalk_core::{Bitboards, Board, Color, Move, Piece, Position, Square, State, Undo};

use crate::piecewise::Occupied;
use crate::sets::squares;

/// An order of the 64 squares in which those of each line are neighbours.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Ranks,
    Files,
    Diagonals,
    Antidiagonals,
}

impl Order {
    /// The place of the first square of the line through a square: the westernmost, on a file the
    /// lowest.
    pub(crate) const fn start(self, square: Square) -> u32 {
        let distance = match self {
            Order::Ranks => return 8 * square.rank() as u32,
            Order::Files => return 8 * square.file() as u32,
            _ => self.distance(square),
        };
        let (mut line, mut start) = (-7i8, 0);
        while line < distance {
            start += 8 - line.unsigned_abs() as u32;
            line += 1;
        }
        start
    }

    /// The place of a square in this order.
    const fn place(self, square: Square) -> u32 {
        let in_line = match self {
            Order::Ranks => square.file(),
            Order::Files => square.rank(),
            _ => {
                let distance = self.distance(square);
                let first = if distance > 0 { distance as u8 } else { 0 };
                square.file() - first
            }
        };
        self.start(square) + in_line as u32
    }

    /// The distance of the diagonal or antidiagonal of a square from the long one, -7 to 7.
    const fn distance(self, square: Square) -> i8 {
        let (file, rank) = (square.file() as i8, square.rank() as i8);
        match self {
            Order::Antidiagonals => file + rank - 7,
            _ => file - rank,
        }
    }

    /// A set in this order, put into the order of the board. Slow; for building tables.
    pub(crate) fn restored(self, turned: u64) -> u64 {
        Square::all()
            .filter(|&square| turned >> self.place(square) & 1 != 0)
            .fold(0, |set, square| set | square.bit())
    }
}

/// The occupied squares in the four orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orders {
    pub(crate) ranks: u64,
    pub(crate) files: u64,
    pub(crate) diagonals: u64,
    pub(crate) antidiagonals: u64,
}

impl Occupied for Orders {
    type Board = RotatedBoard;

    #[inline(always)]
    fn of(board: &RotatedBoard) -> Orders {
        let [files, diagonals, antidiagonals] = board.turned;
        Orders { ranks: board.sets.occupied(), files, diagonals, antidiagonals }
    }

    #[inline(always)]
    fn sets(board: &RotatedBoard) -> &Bitboards {
        &board.sets
    }
}

/// [`Bitboards`] with the occupied set in three more orders: 96 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RotatedBoard {
    sets: Bitboards,
    /// By file, by diagonal, by antidiagonal.
    turned: [u64; 3],
}

/// The bit of each square in the three turned orders.
static TURNED: [[u64; 3]; 64] = {
    let mut bits = [[0; 3]; 64];
    let mut n = 0;
    while n < 64 {
        let square = Square::from_low_bits(n as u32);
        bits[n] = [
            1 << Order::Files.place(square),
            1 << Order::Diagonals.place(square),
            1 << Order::Antidiagonals.place(square),
        ];
        n += 1;
    }
    bits
};

impl Orders {
    /// The orders of a set. Slow; for tests.
    #[cfg(test)]
    pub(crate) fn from_set(occupied: u64) -> Orders {
        let turned =
            |order: Order| squares(occupied).fold(0, |set, square| set | 1 << order.place(square));
        Orders {
            ranks: occupied,
            files: turned(Order::Files),
            diagonals: turned(Order::Diagonals),
            antidiagonals: turned(Order::Antidiagonals),
        }
    }
}

impl RotatedBoard {
    /// Turns over the squares of a set in the turned orders.
    #[inline(always)]
    fn turn_over(&mut self, changed: u64) {
        for square in squares(changed) {
            for (turned, bit) in self.turned.iter_mut().zip(TURNED[square.index()]) {
                *turned ^= bit;
            }
        }
    }
}

impl Board for RotatedBoard {
    fn new(position: &Position) -> RotatedBoard {
        let mut board = RotatedBoard { sets: Bitboards::new(position), turned: [0; 3] };
        board.turn_over(board.sets.occupied());
        board
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.sets.piece_at(square)
    }

    #[inline(always)]
    fn state(&self) -> State {
        self.sets.state()
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        self.sets.king(color)
    }

    fn attacked(&self, square: Square, by: Color) -> bool {
        self.sets.attacked(square, by)
    }

    fn make(&mut self, mv: Move) -> Undo {
        let before = self.sets.occupied();
        let undo = self.sets.make(mv);
        self.turn_over(before ^ self.sets.occupied());
        undo
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        let before = self.sets.occupied();
        self.sets.unmake(mv, undo);
        self.turn_over(before ^ self.sets.occupied());
    }
}

#[cfg(test)]
mod tests {
    use raywalk_core::{Generator, MoveList, legal_moves};

    use super::*;
    use crate::Rotated;

    #[test]
    fn every_order_has_each_square_once_and_each_line_in_one_piece() {
        let orders = [
            (Order::Ranks, (1, 0)),
            (Order::Files, (0, 1)),
            (Order::Diagonals, (1, 1)),
            (Order::Antidiagonals, (1, -1)),
        ];
        for (order, (files, ranks)) in orders {
            let places = Square::all().fold(0u64, |set, square| set | 1 << order.place(square));
            assert_eq!(places, !0);
            assert_eq!(order.restored(!0), !0);
            for square in Square::all() {
                if let Some(next) = square.offset(files, ranks) {
                    assert_eq!(order.place(next), order.place(square) + 1, "{square} to {next}");
                    assert_eq!(order.start(next), order.start(square));
                }
                if square.offset(-files, -ranks).is_none() {
                    assert_eq!(order.place(square), order.start(square), "{square}");
                }
            }
        }
    }

    /// Castling on both wings, en passant, promotion with and without capture.
    #[test]
    fn make_and_unmake_keep_all_orders_up_to_date() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkb1r/ppppp1pp/7n/4Pp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ];
        let design = Rotated::build().expect("no feature needed");
        for fen in fens {
            let mut board = RotatedBoard::new(&fen.parse().expect("a position"));
            let mut list = MoveList::new();
            design.generate::<raywalk_core::All>(&board, &mut list);
            let moves = legal_moves(&mut board, &list);
            assert!(moves.len() > 20, "{fen}");
            for mv in moves {
                let before = board;
                let undo = board.make(mv);
                assert_eq!(board, RotatedBoard::new(&board.position()), "{fen} {mv}");
                board.unmake(mv, undo);
                assert_eq!(board, before, "{fen} {mv}");
            }
        }
    }
}

//! The trait of all boards, and the legality test that it makes possible.

use crate::{Color, Kind, Move, MoveFormat, MoveList, Piece, Position, Square, State};

/// A board layout that designs read and that make and unmake keep up to date.
pub trait Board: Clone + Send + Sync + 'static {
    /// Cells of the board, one byte each; `None` for a board without cells.
    const CELLS: Option<usize> = None;
    /// Bytes that the board needs: without cells that no access can reach, and without padding for
    /// alignment.
    const BYTES: usize = size_of::<Self>();

    /// Sets up a position.
    fn new(position: &Position) -> Self;

    /// The piece on a square, or `None` if the square is empty.
    fn piece_at(&self, square: Square) -> Option<Piece>;

    /// Side to move, castling rights, en passant square and counters.
    fn state(&self) -> State;

    /// The square of the king of this colour.
    fn king(&self, color: Color) -> Square;

    /// Whether a piece of `by` attacks the square.
    fn attacked(&self, square: Square, by: Color) -> bool;

    /// Plays a pseudo-legal move and returns what [`unmake`](Board::unmake) needs.
    fn make(&mut self, mv: Move) -> Undo;

    /// Takes back the last move made. Pieces and state are restored exactly, and the board
    /// generates the same moves as before; the order inside piece lists may differ.
    fn unmake(&mut self, mv: Move, undo: Undo);

    /// Whether the king of `color` is attacked.
    #[inline]
    fn in_check(&self, color: Color) -> bool {
        self.attacked(self.king(color), !color)
    }

    /// The neutral description of the current position. Unchecked, see [`Position::trusted`].
    fn position(&self) -> Position {
        let mut pieces = [None; 64];
        for square in Square::all() {
            pieces[square.index()] = self.piece_at(square);
        }
        Position::trusted(pieces, self.state())
    }
}

/// The information that a move destroys and that unmake needs.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// The state before the move.
    pub state: State,
    /// The captured piece, for en passant the captured pawn; `None` if the move captured nothing.
    pub captured: Option<Piece>,
}

impl State {
    /// The state after `mv` is made by a piece of kind `moved`; `captures` is true for en passant
    /// too.
    #[inline]
    #[must_use]
    pub fn after(self, mv: Move, moved: Kind, captures: bool) -> State {
        let (from, to) = (mv.from(), mv.to());
        let pawn = moved == Kind::Pawn;
        let double = pawn && from.number().abs_diff(to.number()) == 16;
        State {
            side: !self.side,
            rights: self.rights.after(from, to),
            en_passant: double
                .then(|| Square::from_low_bits(u32::from(from.number() + to.number()) / 2)),
            // A draw can be claimed at 100 plies. A FEN with a higher clock continues at 100.
            halfmove: if pawn || captures { 0 } else { (self.halfmove + 1).min(100) },
            // A FEN may begin at the largest number.
            fullmove: self.fullmove.saturating_add(u16::from(self.side == Color::Black)),
        }
    }
}

/// The legal moves of a pseudo-legal list, in the order of the list. The board is unchanged on
/// return.
pub fn legal_moves<B: Board, F: MoveFormat>(board: &mut B, list: &MoveList<F>) -> Vec<Move> {
    let side = board.state().side;
    let legal = |&mv: &Move| {
        let undo = board.make(mv);
        let legal = !board.in_check(side);
        board.unmake(mv, undo);
        legal
    };
    list.moves().filter(legal).collect()
}

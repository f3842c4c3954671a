//! The trait of all boards, and what it makes possible: legality tests and perft.

use crate::{
    Color, Entries, Generator, Kind, Legality, Move, MoveFormat, MoveList, Piece, Position, Square,
    State, Wing,
};

/// A board layout that designs read and that make and unmake keep up to date.
pub trait Board: Clone + Send + Sync + 'static {
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
    pub(crate) fn after(self, mv: Move, moved: Kind, captures: bool) -> State {
        let (from, to) = (mv.from(), mv.to());
        let pawn = moved == Kind::Pawn;
        let double = pawn && from.number().abs_diff(to.number()) == 16;
        State {
            side: !self.side,
            rights: self.rights.after(from, to),
            en_passant: double
                .then(|| Square::from_low_bits(u32::from(from.number() + to.number()) / 2)),
            // A draw can be claimed at 100 plies; positions with a higher clock are not accepted.
            halfmove: if pawn || captures { 0 } else { (self.halfmove + 1).min(100) },
            fullmove: self.fullmove.saturating_add(u16::from(self.side == Color::Black)),
        }
    }
}

/// The squares of one castling move.
#[derive(Clone, Copy, Debug)]
pub struct Castling {
    /// The king's square before castling.
    pub king_from: Square,
    /// The king's square after castling.
    pub king_to: Square,
    /// The rook's square before castling.
    pub rook_from: Square,
    /// The rook's square after castling, which is the square that the king crosses.
    pub rook_to: Square,
    /// The squares between king and rook, which must be empty.
    pub between: u64,
}

impl Castling {
    /// The squares of the castling move of this colour and wing.
    pub const fn of(color: Color, wing: Wing) -> Castling {
        let rank = 7 * color as u8;
        let (king_to, rook_from, rook_to, between) = match wing {
            Wing::King => (6, 7, 5, 0x60),
            Wing::Queen => (2, 0, 3, 0x0e),
        };
        Castling {
            king_from: Square::new(4, rank),
            king_to: Square::new(king_to, rank),
            rook_from: Square::new(rook_from, rank),
            rook_to: Square::new(rook_to, rank),
            between: between << (8 * rank),
        }
    }

    /// The castling move whose king lands on `to`.
    #[inline]
    pub(crate) const fn landing_on(to: Square) -> Castling {
        let color = if to.rank() == 0 { Color::White } else { Color::Black };
        Castling::of(color, if to.file() == 6 { Wing::King } else { Wing::Queen })
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

/// How perft counts the last ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Every move of the last ply is made and taken back.
    Made,
    /// For a legal generator, the length of the last list is added. For a pseudo-legal generator
    /// the moves are made all the same, because the length is not the number of legal moves.
    Bulk,
}

/// Number of sequences of `depth` legal moves; 1 at depth 0.
///
/// Draws do not end a sequence, as is usual for perft. The board is unchanged on return.
pub fn perft<G: Entries>(generator: &G, board: &mut G::Board, depth: u32, leaves: Leaves) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut list = MoveList::new();
    generator.all(board, &mut list);
    let legal = <G as Generator>::CARD.legality == Legality::Legal;
    if legal && depth == 1 && leaves == Leaves::Bulk {
        return list.len() as u64;
    }
    let side = board.state().side;
    let mut nodes = 0;
    for mv in list.moves() {
        let undo = board.make(mv);
        if legal || !board.in_check(side) {
            nodes += perft(generator, board, depth - 1, leaves);
        }
        board.unmake(mv, undo);
    }
    nodes
}

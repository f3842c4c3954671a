//! What every board can do, and what follows from it: legality, perft, divide.

use crate::{
    Color, Entries, Generator, Kind, Legality, Move, MoveFormat, MoveList, Piece, Position, Square,
    State, Wing,
};

/// A playing board: the layout that a design reads, kept up to date by make and unmake.
pub trait Board: Clone + Send + Sync + 'static {
    /// The board of a position.
    fn new(position: &Position) -> Self;

    /// The piece on a square.
    fn piece_at(&self, square: Square) -> Option<Piece>;

    /// Side to move, rights, en passant square and counters.
    fn state(&self) -> State;

    /// The king's square.
    fn king(&self, color: Color) -> Square;

    /// Whether a piece of `by` attacks the square.
    fn attacked(&self, square: Square, by: Color) -> bool;

    /// Plays a pseudo-legal move and returns what [`unmake`](Board::unmake) needs.
    fn make(&mut self, mv: Move) -> Undo;

    /// Takes back the last move made. The pieces, the state and all that generation can see are
    /// restored; the order inside piece lists may differ.
    fn unmake(&mut self, mv: Move, undo: Undo);

    /// Whether the king of `color` is attacked.
    #[inline]
    fn in_check(&self, color: Color) -> bool {
        self.attacked(self.king(color), !color)
    }

    /// The neutral description.
    fn position(&self) -> Position {
        let mut pieces = [None; 64];
        for square in Square::all() {
            pieces[square.index()] = self.piece_at(square);
        }
        Position::trusted(pieces, self.state())
    }
}

/// What a move destroys: the state before it and the captured piece.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    /// The state before the move.
    pub state: State,
    /// The captured piece; with en passant the pawn beside.
    pub captured: Option<Piece>,
}

impl State {
    /// The state after `mv` of a piece of kind `moved`.
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
            // At 100 a draw can be claimed; FEN, and every library we know, counts no further.
            halfmove: if pawn || captures { 0 } else { (self.halfmove + 1).min(100) },
            fullmove: self.fullmove.saturating_add(u16::from(self.side == Color::Black)),
        }
    }
}

/// The squares of one castling move.
#[derive(Clone, Copy, Debug)]
pub struct Castling {
    /// The king's home.
    pub king_from: Square,
    /// Where the king lands.
    pub king_to: Square,
    /// The rook's home.
    pub rook_from: Square,
    /// Where the rook lands, which is the square that the king crosses.
    pub rook_to: Square,
    /// The squares between king and rook, which must be empty.
    pub between: u64,
}

impl Castling {
    /// The squares of this side and wing.
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

    /// The castling whose king lands on `to`.
    #[inline]
    pub const fn landing_on(to: Square) -> Castling {
        let color = if to.rank() == 0 { Color::White } else { Color::Black };
        Castling::of(color, if to.file() == 6 { Wing::King } else { Wing::Queen })
    }
}

/// Keeps the legal moves of a pseudo-legal list, in order.
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

/// How the last ply of a perft is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// Every leaf is made and taken back.
    Made,
    /// A legal generator's last list is counted by its length; a pseudo-legal one is still made,
    /// because its length is not a count of legal moves.
    Bulk,
}

/// Number of legal move sequences of `depth` plies; 1 at depth 0.
///
/// Draws are ignored, as everywhere in perft. The board is as before afterwards.
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

//! The neutral description of a position, always a possible one.
//!
//! [`Position`] is what comes in and goes out: FEN, corpora, reports. No timed region ever sees it.
//! A design works on its own [`Board`](crate::Board), made from a position beforehand.

use crate::{CastlingRights, Color, Kind, Piece, Square};

/// What a position has besides the pieces. Eight bytes, so that each board can hold it as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Side to move.
    pub side: Color,
    /// Rights not yet lost.
    pub rights: CastlingRights,
    /// The square a pawn has just passed over, after every double push.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove: u16,
    /// Number of the move, from 1, counted up after Black's.
    pub fullmove: u16,
}

/// A position that can stand on a board. There is no other way to one than through the checks of
/// [`Position::new`], so whoever holds one may rely on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: [Option<Piece>; 64],
    state: State,
}

impl Position {
    /// FEN of the start position.
    pub const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// The position with these pieces and this state.
    ///
    /// # Errors
    /// [`Impossible`](crate::fen::Impossible) names the FEN field that is wrong, and why.
    pub fn new(
        pieces: [Option<Piece>; 64],
        state: State,
    ) -> Result<Position, crate::fen::Impossible> {
        let position = Position { pieces, state };
        crate::fen::check(&position)?;
        Ok(position)
    }

    /// A position whose validity the caller has established: legal moves lead from a possible
    /// position to a possible one. Unchecked; after a merely pseudo-legal move it may be impossible.
    pub fn trusted(pieces: [Option<Piece>; 64], state: State) -> Position {
        Position { pieces, state }
    }

    /// The piece on a square.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// The 64 squares from a1 to h8.
    #[inline]
    pub const fn squares(&self) -> &[Option<Piece>; 64] {
        &self.pieces
    }

    /// All pieces with their squares, a1 to h8.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// Side to move, rights, en passant square and counters.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// Side to move.
    #[inline]
    pub const fn side(&self) -> Color {
        self.state.side
    }

    /// The king's square.
    pub fn king(&self, color: Color) -> Square {
        let king = Some(Piece::new(color, Kind::King));
        Square::all().find(|&square| self.piece_at(square) == king).unwrap_or(Square::new(4, 0))
    }

    /// The same position with colours exchanged and the board turned over.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        let flip = |piece: Piece| Piece::new(!piece.color, piece.kind);
        let pieces = std::array::from_fn(|n| self.pieces[n ^ 56].map(flip));
        let bits = self.state.rights.bits();
        let state = State {
            side: !self.state.side,
            rights: CastlingRights::from_bits(bits << 2 | bits >> 2),
            en_passant: self.state.en_passant.map(Square::flip),
            ..self.state
        };
        Position { pieces, state }
    }
}

impl Default for Position {
    /// The start position.
    fn default() -> Position {
        Position::START.parse().expect("the start position is possible")
    }
}

//! The neutral description of a position.
//!
//! [`Position`] is the type for input and output: FEN, corpora, reports. It is never used in a
//! timed region. A design works on its own [`Board`](crate::Board), which is set up from a position
//! beforehand.

use crate::{CastlingRights, Color, Kind, Piece, Square};

/// The part of a position besides the pieces. It has eight bytes, so every board stores it
/// unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Side to move.
    pub side: Color,
    /// Castling rights of both sides.
    pub rights: CastlingRights,
    /// The square that a pawn has just passed over; set after every double push, even if no pawn
    /// can capture.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move, at most 255. Making a move never counts beyond 100.
    pub halfmove: u16,
    /// Number of the current move, from 1; incremented after each move of Black.
    pub fullmove: u16,
}

/// A possible position: it passes the checks of [`Position::new`], or its creator vouches for it
/// with [`Position::trusted`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    pieces: [Option<Piece>; 64],
    state: State,
}

impl Position {
    /// A position without validation, for callers that know it is possible: a legal move leads from
    /// a possible position to a possible position. After a pseudo-legal move that is not legal, the
    /// result is impossible.
    pub fn trusted(pieces: [Option<Piece>; 64], state: State) -> Position {
        Position { pieces, state }
    }

    /// The piece on a square, or `None` if the square is empty.
    #[inline]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    /// The contents of the 64 squares, a1 to h8.
    #[inline]
    pub const fn squares(&self) -> &[Option<Piece>; 64] {
        &self.pieces
    }

    /// All pieces with their squares, in the order a1 to h8.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Pieces { squares: &self.pieces, next: 0 }
    }

    /// Side to move, castling rights, en passant square and counters.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// Side to move.
    #[inline]
    pub const fn side(&self) -> Color {
        self.state.side
    }

    /// The square of the king of this colour.
    pub fn king(&self, color: Color) -> Square {
        let king = Some(Piece::new(color, Kind::King));
        // The default is never used: every possible position has both kings.
        Square::all().find(|&square| self.piece_at(square) == king).unwrap_or(Square::new(4, 0))
    }

    /// The position with colours exchanged and ranks reversed. Its legal moves are those of the
    /// original, [flipped](crate::Move::flip).
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

/// The pieces from a square on. A type of its own, because every crate that loads boards would compile adapters of
/// iterators again, and tests load boards without optimisation.
struct Pieces<'a> {
    squares: &'a [Option<Piece>; 64],
    next: usize,
}

impl Iterator for Pieces<'_> {
    type Item = (Square, Piece);

    fn next(&mut self) -> Option<(Square, Piece)> {
        while self.next < self.squares.len() {
            let number = self.next;
            self.next += 1;
            if let Some(piece) = self.squares[number] {
                return Some((Square::from_low_bits(number as u32), piece));
            }
        }
        None
    }
}

//! The bitboard board: eight sets of squares and the state, 72 bytes.
//!
//! Two sets by colour and six by kind replace the twelve sets of a position, as is usual; the
//! pieces of one kind and colour are an intersection. There is no additional array of 64 squares.
//! Only make and unmake need the piece on a square, and five bit tests find its kind.

pub mod attacks;
mod castling;
pub mod sets;

use crate::{Board, Castling, Color, Kind, Move, MoveKind, Piece, Position, Square, State, Undo};

/// Sets of squares, one per colour and one per kind; bit *i* stands for square *i*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bitboards {
    by_color: [u64; 2],
    by_kind: [u64; 6],
    state: State,
}

impl Bitboards {
    /// The pieces of the side to move.
    #[inline(always)]
    pub fn own(&self) -> u64 {
        self.color(self.state.side)
    }

    /// The pieces of the other side.
    #[inline(always)]
    pub fn enemy(&self) -> u64 {
        self.color(!self.state.side)
    }

    /// The pieces of both sides.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.by_color[0] | self.by_color[1]
    }

    /// The pieces of one colour.
    #[inline(always)]
    pub fn color(&self, color: Color) -> u64 {
        self.by_color[color.index()]
    }

    /// The pieces of one kind, both colours.
    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> u64 {
        self.by_kind[kind.index()]
    }

    /// The pieces of several kinds, both colours.
    #[inline(always)]
    pub fn kinds<const N: usize>(&self, kinds: [Kind; N]) -> u64 {
        kinds.into_iter().fold(0, |set, kind| set | self.kind(kind))
    }

    /// The pieces of one colour and kind.
    #[inline(always)]
    pub fn of(&self, color: Color, kind: Kind) -> u64 {
        self.color(color) & self.kind(kind)
    }

    /// The square that a pawn has just passed over, or the empty set.
    #[inline(always)]
    pub fn en_passant(&self) -> u64 {
        let square = self.state.en_passant.unwrap_or(Square::new(0, 0));
        // Shifting the flag instead of a one needs no branch for the case without a square.
        u64::from(self.state.en_passant.is_some()) << square.number()
    }

    /// The kind of the piece on a square, or `Pawn` if the square is empty.
    ///
    /// The index of the kind is a sum of five bit tests: no branch depends on the piece.
    #[inline]
    fn kind_on(&self, square: Square) -> Kind {
        let number: u64 =
            (1..6).map(|kind| (self.by_kind[kind] >> square.number() & 1) * kind as u64).sum();
        Kind::ALL[number.min(5) as usize]
    }

    /// Puts a piece on an empty square, or removes it.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.by_color[piece.color.index()] ^= square.bit();
        self.by_kind[piece.kind.index()] ^= square.bit();
    }

    /// Moves the piece, and the rook if the move is castling; a captured piece is not removed.
    ///
    /// `leaves` is the piece on the origin and `arrives` the piece on the target; they differ for a
    /// promotion. The function is its own inverse, because it consists of exclusive ors.
    #[inline(always)]
    fn shift(&mut self, mv: Move, leaves: Piece, arrives: Piece) {
        self.toggle(leaves, mv.from());
        self.toggle(arrives, mv.to());
        if mv.kind() == MoveKind::Castle {
            let squares = Castling::landing_on(mv.to());
            let rook = Piece::new(leaves.color, Kind::Rook);
            self.toggle(rook, squares.rook_from);
            self.toggle(rook, squares.rook_to);
        }
    }
}

/// The square of the captured piece, if the move captures one.
#[inline(always)]
fn victim(mv: Move) -> Square {
    match mv.kind() {
        MoveKind::EnPassant => Square::new(mv.to().file(), mv.from().rank()),
        _ => mv.to(),
    }
}

impl Board for Bitboards {
    fn new(position: &Position) -> Bitboards {
        let mut board = Bitboards { by_color: [0; 2], by_kind: [0; 6], state: position.state() };
        for (square, piece) in position.pieces() {
            board.toggle(piece, square);
        }
        board
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        let on = |set: u64| set & square.bit() != 0;
        let color = if on(self.by_color[0]) { Color::White } else { Color::Black };
        on(self.occupied()).then(|| Piece::new(color, self.kind_on(square)))
    }

    #[inline(always)]
    fn state(&self) -> State {
        self.state
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        Square::from_low_bits(self.of(color, Kind::King).trailing_zeros())
    }

    fn attacked(&self, square: Square, by: Color) -> bool {
        let attackers = attacks::attackers(square, by, self.occupied(), |kind| self.kind(kind));
        attackers & self.color(by) != 0
    }

    fn make(&mut self, mv: Move) -> Undo {
        let state = self.state;
        let moved = Piece::new(state.side, self.kind_on(mv.from()));
        debug_assert_eq!(
            self.piece_at(mv.from()),
            Some(moved),
            "no piece to move on the origin of {mv}"
        );
        let captured = self.piece_at(victim(mv));
        if let Some(piece) = captured {
            self.toggle(piece, victim(mv));
        }
        let arrives = Piece::new(state.side, mv.promoted().unwrap_or(moved.kind));
        self.shift(mv, moved, arrives);
        self.state = state.after(mv, moved.kind, captured.is_some());
        Undo { state, captured }
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.state = undo.state;
        let arrived = Piece::new(undo.state.side, self.kind_on(mv.to()));
        let kind = if mv.promoted().is_some() { Kind::Pawn } else { arrived.kind };
        self.shift(mv, Piece::new(undo.state.side, kind), arrived);
        if let Some(piece) = undo.captured {
            self.toggle(piece, victim(mv));
        }
    }
}

#[cfg(test)]
mod tests;

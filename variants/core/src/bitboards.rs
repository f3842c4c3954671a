//! The bitboard board: eight sets and the state, 72 bytes.
//!
//! Two sets by colour and six by kind, the usual factoring of the twelve sets that a position has;
//! the pieces of one kind and colour are an intersection. There is no second board of 64 squares
//! beside the sets: what stands on a square is asked only when a move is made, and then six bit
//! tests answer.

pub mod attacks;

use crate::{
    Board, Castling, CastlingRights, Color, Kind, Move, MoveKind, Piece, Position, Square, State,
    Undo, Wing,
};

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

    /// All pieces.
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

    /// The square that a pawn has just passed over, or no square. No branch asks whether there is
    /// one: the flag itself is shifted.
    #[inline(always)]
    pub fn en_passant(&self) -> u64 {
        let square = self.state.en_passant.unwrap_or(Square::new(0, 0));
        u64::from(self.state.en_passant.is_some()) << square.number()
    }

    /// The squares where the king of the side to move may land by castling now: the right is held,
    /// the squares between king and rook are empty, and neither the king's square, nor the one it
    /// crosses, nor the one it lands on is attacked.
    ///
    /// This is the rules layer of every bitboard design: whatever they differ in, it is not this.
    /// Rights and path are tested in place, since mostly they already say no; attacks are not.
    #[inline]
    pub fn castling(&self) -> u64 {
        let (side, occupied) = (self.state.side, self.occupied());
        let allowed = |wing| {
            let squares = Castling::of(side, wing);
            let held = self.state.rights.contains(CastlingRights::one(side, wing));
            let allowed = held && squares.between & occupied == 0 && self.king_walks_safely(wing);
            u64::from(allowed) << squares.king_to.number()
        };
        allowed(Wing::King) | allowed(Wing::Queen)
    }

    /// Whether the three squares that the king of the side to move stands on, crosses and enters
    /// are free of attacks. Out of line: one copy serves both wings of every design.
    #[inline(never)]
    fn king_walks_safely(&self, wing: Wing) -> bool {
        let Castling { king_from, rook_to, king_to, .. } = Castling::of(self.state.side, wing);
        [king_from, rook_to, king_to]
            .into_iter()
            .all(|square| !self.attacked(square, !self.state.side))
    }

    /// The kind of the piece on a square; a pawn if there is none. The number of the kind is summed
    /// from five bit tests, so that no branch depends on what stands there.
    #[inline]
    fn kind_on(&self, square: Square) -> Kind {
        let number: u64 =
            (1..6).map(|kind| (self.by_kind[kind] >> square.number() & 1) * kind as u64).sum();
        Kind::ALL[number.min(5) as usize]
    }

    /// Puts a piece on an empty square, or takes it away.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.by_color[piece.color.index()] ^= square.bit();
        self.by_kind[piece.kind.index()] ^= square.bit();
    }

    /// What a move does to the pieces, the captured one excepted. Its own inverse, as all of it is
    /// exclusive or; `leaves` stands on the origin and `arrives` on the target.
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

/// Where the piece stands that a move captures, if it captures.
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

    /// Looks from the square with the eyes of each kind: a knight attacks it if a knight on it
    /// would attack the knight.
    fn attacked(&self, square: Square, by: Color) -> bool {
        let occupied = self.occupied();
        let attackers = attacks::knight(square) & self.kind(Kind::Knight)
            | attacks::king(square) & self.kind(Kind::King)
            | attacks::pawn(!by, square) & self.kind(Kind::Pawn)
            | attacks::bishop(square, occupied) & self.kinds([Kind::Bishop, Kind::Queen])
            | attacks::rook(square, occupied) & self.kinds([Kind::Rook, Kind::Queen]);
        attackers & self.color(by) != 0
    }

    fn make(&mut self, mv: Move) -> Undo {
        let state = self.state;
        let moved = Piece::new(state.side, self.kind_on(mv.from()));
        debug_assert_eq!(self.piece_at(mv.from()), Some(moved), "the move {mv} of no piece");
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

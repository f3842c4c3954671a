//! A board as legal generation reads it.

use raywalk_core::{Bitboards, Board, Color, Kind, Square, Stage, StageId};

/// The sets of a board, whatever else it has.
pub(super) trait Sets {
    /// The pieces of one colour.
    fn color(&self, color: Color) -> u64;
    /// The pieces of one kind, both colours.
    fn kind(&self, kind: Kind) -> u64;
}

impl Sets for Bitboards {
    #[inline(always)]
    fn color(&self, color: Color) -> u64 {
        self.color(color)
    }

    #[inline(always)]
    fn kind(&self, kind: Kind) -> u64 {
        self.kind(kind)
    }
}

/// Sets of squares with the state of the game, which a type may fix when it is compiled.
pub(super) trait View: Copy {
    /// The sets of the board.
    fn sets(&self) -> &impl Sets;
    /// The side to move.
    fn side(self) -> Color;
    /// The square that a pawn has just passed over.
    fn passed(self) -> Option<Square>;
    /// The targets of the king for the castling moves that are legal. `walks_safely` tells whether no enemy attacks the
    /// squares that the king leaves, crosses and enters.
    fn castling(self, walks_safely: impl Fn([Square; 3]) -> bool) -> u64;

    /// The pieces of one colour.
    #[inline(always)]
    fn color(self, color: Color) -> u64 {
        self.sets().color(color)
    }

    /// The pieces of one kind, both colours.
    #[inline(always)]
    fn kind(self, kind: Kind) -> u64 {
        self.sets().kind(kind)
    }

    /// The pieces of the side to move.
    #[inline(always)]
    fn own(self) -> u64 {
        self.color(self.side())
    }

    /// The pieces of the other side.
    #[inline(always)]
    fn enemy(self) -> u64 {
        self.color(!self.side())
    }

    /// The pieces of both sides.
    #[inline(always)]
    fn occupied(self) -> u64 {
        self.color(Color::White) | self.color(Color::Black)
    }

    /// The square of the king of the side to move.
    #[inline(always)]
    fn king(self) -> Square {
        Square::from_low_bits((self.own() & self.kind(Kind::King)).trailing_zeros())
    }

    /// The squares on which moves of stage `S` end, promotions and en passant aside.
    #[inline(always)]
    fn wanted<S: Stage>(self) -> u64 {
        match S::ID {
            StageId::All => !self.own(),
            StageId::Captures => self.enemy(),
            StageId::Quiets => !self.occupied(),
        }
    }
}

/// The state as the board has it.
impl View for &Bitboards {
    #[inline(always)]
    fn sets(&self) -> &impl Sets {
        *self
    }

    #[inline(always)]
    fn side(self) -> Color {
        self.state().side
    }

    #[inline(always)]
    fn passed(self) -> Option<Square> {
        self.state().en_passant
    }

    /// By the code that all bitboard designs share.
    #[inline(always)]
    fn castling(self, _: impl Fn([Square; 3]) -> bool) -> u64 {
        Bitboards::castling(self)
    }
}

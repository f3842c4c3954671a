//! The neutral move: 16 bits, from, to and kind.
//!
//! Bits 0–5 hold the origin, 6–11 the target, 12–15 the kind. There is no capture mark: whether a
//! move captures is a fact of the board it is made on, and a design that wrote the mark would pay
//! for a fact that the maker of the move reads again anyway. En passant and castling are marked,
//! because the two squares alone do not tell.

use std::fmt;

use crate::{Color, Kind, Square};

/// Sixteen bits: origin, target, kind. Equal moves are equal words.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u16);

/// What the two squares do not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// Any move or capture without one of the marks below; double pushes too.
    Normal,
    /// The captured pawn stands beside the origin, not on the target.
    EnPassant,
    /// Written as the king's two-square move.
    Castle,
    /// The pawn becomes this kind; captures and pushes alike.
    Promotion(Kind),
}

const EN_PASSANT: u16 = 1 << 12;
const CASTLE: u16 = 2 << 12;
/// Knight 4, bishop 5, rook 6, queen 7: the kind's number plus three.
const PROMOTION: u16 = 4 << 12;

impl Move {
    /// A move without a mark.
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.number() as u16 | (to.number() as u16) << 6)
    }

    /// An en passant capture; `to` is the square behind the captured pawn.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move(Move::new(from, to).0 | EN_PASSANT)
    }

    /// Castling: the king's origin and target.
    #[inline(always)]
    pub const fn castle(from: Square, to: Square) -> Move {
        Move(Move::new(from, to).0 | CASTLE)
    }

    /// A promotion to `kind`, which is one of [`Kind::PROMOTIONS`].
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: Kind) -> Move {
        Move(Move::new(from, to).0 | (kind as u16 + 3) << 12)
    }

    /// The four promotions of one pawn move, knight first.
    #[inline(always)]
    pub const fn promotions(from: Square, to: Square) -> [Move; 4] {
        let plain = Move::new(from, to).0 | PROMOTION;
        [Move(plain), Move(plain + (1 << 12)), Move(plain + (2 << 12)), Move(plain + (3 << 12))]
    }

    /// The move in this word: what a table that stores finished moves holds.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The word.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Origin.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }

    /// Target.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0 >> 6) as u32)
    }

    /// What the squares do not tell.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 12 {
            1 => MoveKind::EnPassant,
            2 => MoveKind::Castle,
            4 => MoveKind::Promotion(Kind::Knight),
            5 => MoveKind::Promotion(Kind::Bishop),
            6 => MoveKind::Promotion(Kind::Rook),
            7 => MoveKind::Promotion(Kind::Queen),
            _ => MoveKind::Normal,
        }
    }

    /// The promotion, if it is one.
    #[inline]
    pub const fn promoted(self) -> Option<Kind> {
        match self.kind() {
            MoveKind::Promotion(kind) => Some(kind),
            _ => None,
        }
    }

    /// The same move on the mirrored board (colours exchanged).
    pub const fn flip(self) -> Move {
        Move(self.0 ^ (56 | 56 << 6))
    }
}

/// Coordinate notation: `e2e4`, `e7e8q`, castling as `e1g1`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = format!("{}{}", self.from(), self.to());
        text.extend(self.promoted().map(Kind::letter));
        f.pad(&text)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        match self.kind() {
            MoveKind::EnPassant => write!(f, " e.p."),
            MoveKind::Castle => write!(f, " castle"),
            _ => Ok(()),
        }
    }
}

/// The four rights as bits: K 8, Q 4, k 2, q 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct CastlingRights(u8);

/// Which rook the king castles with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wing {
    /// With the rook of the h-file; the king lands on the g-file.
    King,
    /// With the rook of the a-file; the king lands on the c-file.
    Queen,
}

impl CastlingRights {
    /// No right.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four.
    pub const ALL: CastlingRights = CastlingRights(15);

    /// The right of one side and wing alone.
    #[inline(always)]
    pub const fn one(color: Color, wing: Wing) -> CastlingRights {
        let wing = match wing {
            Wing::King => 2,
            Wing::Queen => 1,
        };
        CastlingRights(wing << (2 * (1 - color as u8)))
    }

    /// The bits, K 8, Q 4, k 2, q 1.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The rights in the low four bits.
    #[inline(always)]
    pub const fn from_bits(bits: u8) -> CastlingRights {
        CastlingRights(bits & 15)
    }

    /// Whether all rights of `other` are held.
    #[inline(always)]
    pub const fn contains(self, other: CastlingRights) -> bool {
        self.0 & other.0 == other.0
    }

    /// The rights of both.
    #[inline(always)]
    #[must_use]
    pub const fn union(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }

    /// What is left after a move that leaves or enters these squares: the king's and the rooks'
    /// home squares take their rights with them, a rook captured at home included.
    #[inline(always)]
    #[must_use]
    pub const fn after(self, from: Square, to: Square) -> CastlingRights {
        const KEPT: [u8; 64] = {
            let mut kept = [15; 64];
            kept[0] = 15 & !4; // a1
            kept[4] = 15 & !12; // e1
            kept[7] = 15 & !8; // h1
            kept[56] = 15 & !1; // a8
            kept[60] = 15 & !3; // e8
            kept[63] = 15 & !2; // h8
            kept
        };
        CastlingRights(self.0 & KEPT[from.index()] & KEPT[to.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    #[test]
    fn a_move_gives_back_what_it_was_made_of() {
        let (a7, b8) = (square("a7"), square("b8"));
        for (kind, mv) in Kind::PROMOTIONS.into_iter().zip(Move::promotions(a7, b8)) {
            assert_eq!(mv, Move::promotion(a7, b8, kind));
            assert_eq!((mv.from(), mv.to(), mv.kind()), (a7, b8, MoveKind::Promotion(kind)));
        }
        assert_eq!(Move::promotion(a7, b8, Kind::Knight).to_string(), "a7b8n");
        assert_eq!(Move::castle(square("e1"), square("g1")).kind(), MoveKind::Castle);
        assert_eq!(Move::en_passant(square("e5"), b8).kind(), MoveKind::EnPassant);
        assert_eq!(Move::new(square("e2"), square("e4")).flip().to_string(), "e7e5");
    }

    #[test]
    fn a_rook_captured_at_home_takes_the_right_with_it() {
        let left = CastlingRights::ALL.after(square("h1"), square("h8"));
        assert_eq!(left.bits(), 4 | 1);
        let left = CastlingRights::ALL.after(square("e8"), square("e7"));
        assert_eq!(left.bits(), 8 | 4);
        assert_eq!(CastlingRights::one(Color::White, Wing::King).bits(), 8);
        assert_eq!(CastlingRights::one(Color::Black, Wing::Queen).bits(), 1);
    }
}

//! The neutral move: origin, target and kind in 16 bits.
//!
//! Bits 0–5 hold the origin, bits 6–11 the target and bits 12–15 the kind. There is no capture
//! mark. The board tells whether a move captures, and make reads the target square in any case, so
//! a mark would be extra work for the generator. En passant and castling are marked, because the
//! two squares alone do not identify them.

use std::fmt;

use crate::{Color, Kind, Square};

/// A move: origin, target and kind in 16 bits. Equal moves have equal words.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u16);

/// The property of a move that its two squares do not determine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// Any other move or capture, including double pushes.
    Normal,
    /// An en passant capture: the captured pawn is beside the origin, not on the target.
    EnPassant,
    /// Castling, represented by the king's move of two squares.
    Castle,
    /// Promotion to this kind, with or without a capture.
    Promotion(Kind),
}

const EN_PASSANT: u16 = 1 << 12;
const CASTLE: u16 = 2 << 12;
/// Knight 4, bishop 5, rook 6, queen 7: the index of the kind plus three.
const PROMOTION: u16 = 4 << 12;

impl Move {
    /// A move of kind [`MoveKind::Normal`].
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Move {
        Move(from.number() as u16 | (to.number() as u16) << 6)
    }

    /// An en passant capture; `to` is the square behind the captured pawn.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move(Move::new(from, to).0 | EN_PASSANT)
    }

    /// Castling, given by the origin and the target of the king.
    #[inline(always)]
    pub const fn castle(from: Square, to: Square) -> Move {
        Move(Move::new(from, to).0 | CASTLE)
    }

    /// A promotion to `kind`, which is one of [`Kind::PROMOTIONS`].
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: Kind) -> Move {
        Move(Move::new(from, to).0 | (kind as u16 + 3) << 12)
    }

    /// The four promotions of one pawn move, in the order of [`Kind::PROMOTIONS`].
    #[inline(always)]
    pub const fn promotions(from: Square, to: Square) -> [Move; 4] {
        let plain = Move::new(from, to).0 | PROMOTION;
        [Move(plain), Move(plain + (1 << 12)), Move(plain + (2 << 12)), Move(plain + (3 << 12))]
    }

    /// The move of a word made by [`bits`](Self::bits); for tables of complete moves.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Move {
        Move(bits)
    }

    /// The word: origin in bits 0–5, target in 6–11, kind in 12–15.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Square of origin.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }

    /// Target square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0 >> 6) as u32)
    }

    /// Decodes bits 12–15.
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

    /// The kind that the pawn promotes to, or `None` if the move is not a promotion.
    #[inline]
    pub const fn promoted(self) -> Option<Kind> {
        match self.kind() {
            MoveKind::Promotion(kind) => Some(kind),
            _ => None,
        }
    }

    /// The same move on the board of [`Position::mirrored`](crate::Position::mirrored).
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

/// The four castling rights as bits: K 8, Q 4, k 2, q 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct CastlingRights(u8);

/// The side of the board on which the king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wing {
    /// With the rook of the h-file; the king lands on the g-file.
    King,
    /// With the rook of the a-file; the king lands on the c-file.
    Queen,
}

impl CastlingRights {
    /// No castling right.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four castling rights.
    pub const ALL: CastlingRights = CastlingRights(15);

    /// The right of one colour on one wing.
    #[inline(always)]
    pub const fn one(color: Color, wing: Wing) -> CastlingRights {
        let wing = match wing {
            Wing::King => 2,
            Wing::Queen => 1,
        };
        CastlingRights(wing << (2 * (1 - color as u8)))
    }

    /// The rights as bits: K 8, Q 4, k 2, q 1.
    #[inline(always)]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The rights in the low four bits of `bits`.
    #[inline(always)]
    pub const fn from_bits(bits: u8) -> CastlingRights {
        CastlingRights(bits & 15)
    }

    /// Whether all rights of `other` are held.
    #[inline(always)]
    pub const fn contains(self, other: CastlingRights) -> bool {
        self.0 & other.0 == other.0
    }

    /// The rights that `self` or `other` holds.
    #[inline(always)]
    #[must_use]
    pub const fn union(self, other: CastlingRights) -> CastlingRights {
        CastlingRights(self.0 | other.0)
    }

    /// The rights that remain after a move between these squares. A move from or to the home square
    /// of a king or rook ends its rights, which covers a rook captured on its home square.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn after(self, from: Square, to: Square) -> CastlingRights {
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
    fn a_move_returns_the_parts_it_was_built_from() {
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
    fn capturing_a_rook_on_its_home_square_ends_its_right() {
        let left = CastlingRights::ALL.after(square("h1"), square("h8"));
        assert_eq!(left.bits(), 4 | 1);
        let left = CastlingRights::ALL.after(square("e8"), square("e7"));
        assert_eq!(left.bits(), 8 | 4);
        assert_eq!(CastlingRights::one(Color::White, Wing::King).bits(), 8);
        assert_eq!(CastlingRights::one(Color::Black, Wing::Queen).bits(), 1);
    }
}

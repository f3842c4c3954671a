//! The neutral move: origin, target and kind in 16 bits.
//!
//! Bits 0–5 hold the origin, bits 6–11 the target and bits 12–15 the kind. There is no capture
//! mark. The board tells whether a move captures, and make reads the target square in any case, so
//! a mark would be extra work for the generator. En passant and castling are marked, because the
//! two squares alone do not identify them.

use std::fmt;

use crate::{Kind, Square, opaque};

/// A move: origin, target and kind in 16 bits. Equal moves have equal words.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Move(u16);

/// A target square in its place in the word of a [`Move`], for tables of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Target(u16);

impl Target {
    /// The target of a square.
    #[inline(always)]
    pub const fn of(square: Square) -> Target {
        Target((square as u16) << 6)
    }

    /// The target of the square whose doubled number is `doubled`, without a mask.
    ///
    /// # Safety
    /// `doubled` is even and below 128.
    #[inline(always)]
    pub(crate) const unsafe fn of_doubled(doubled: u32) -> Target {
        debug_assert!(doubled & !0x7e == 0, "not the doubled number of a square");
        Target((doubled << 5) as u16)
    }

    /// The square whose doubled number is `doubled`, and any square if there is none.
    #[inline(always)]
    pub(crate) const fn square_of_doubled(doubled: u32) -> Square {
        // Of a number that no square has, the target here is none, but no move is made of it.
        Target((doubled << 5) as u16).square()
    }

    /// The target as a square.
    #[inline(always)]
    pub const fn square(self) -> Square {
        Square::from_low_bits(self.0 as u32 >> 6)
    }
}

/// The square of origin as a loop keeps it that composes many moves with it.
///
/// The compiler must not know its range. If it does, it keeps the square in 16 bits and extends them to 32 before it
/// composes each move.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Origin(u16);

impl Origin {
    /// The origin of moves from this square.
    #[inline(always)]
    pub fn of(square: Square) -> Origin {
        Origin(opaque(square.index()) as u16)
    }

    /// The origin as a square.
    #[inline(always)]
    pub const fn square(self) -> Square {
        Square::from_low_bits(self.0 as u32)
    }
}

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
        Move::to_target(from, Target::of(to))
    }

    /// [`Move::new`] with the target in its place in the word already.
    #[inline(always)]
    pub const fn to_target(from: Square, to: Target) -> Move {
        // SAFETY: a target has these six bits alone: `of` shifts the number of a square, and the caller of `of_doubled`
        // vouches for it. Targets come from tables, and without this the compiler would ask each move for its kind when
        // it packs it into another format.
        unsafe { std::hint::assert_unchecked(to.0 & !(63 << 6) == 0) };
        // Composed in 32 bits: in 16 the origin would be extended again before every store.
        Move((from as u32 | to.0 as u32) as u16)
    }

    /// [`Move::to_target`] with an origin that a loop keeps.
    #[inline(always)]
    pub const fn between(from: Origin, to: Target) -> Move {
        // SAFETY: the only constructor of an origin takes it from a square. As in `to_target`, other formats need it.
        unsafe { std::hint::assert_unchecked(from.0 < 64) };
        Move::to_target(Square::from_low_bits(from.0 as u32), to)
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
        // All four words at once: one multiplication and one addition, and no word overflows.
        let plain = (Move::new(from, to).0 | PROMOTION) as u64;
        let words = plain * 0x0001_0001_0001_0001 + (1 << 28 | 2 << 44 | 3 << 60);
        [
            Move(words as u16),
            Move((words >> 16) as u16),
            Move((words >> 32) as u16),
            Move((words >> 48) as u16),
        ]
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

    /// The kind of the move, from bits 12–15.
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
        assert_eq!(Move::between(Origin::of(a7), Target::of(b8)), Move::new(a7, b8));
        assert_eq!(Move::promotion(a7, b8, Kind::Knight).to_string(), "a7b8n");
        assert_eq!(Move::castle(square("e1"), square("g1")).kind(), MoveKind::Castle);
        assert_eq!(Move::en_passant(square("e5"), b8).kind(), MoveKind::EnPassant);
        assert_eq!(Move::new(square("e2"), square("e4")).flip().to_string(), "e7e5");
    }
}

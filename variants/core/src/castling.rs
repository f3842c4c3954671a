//! Castling: the rights of both sides and the squares of each castling move.

use std::fmt::{self, Write};

use crate::{Color, Square};

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

impl fmt::Display for CastlingRights {
    /// Writes `-` or letters of `KQkq`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == CastlingRights::NONE {
            return f.write_char('-');
        }
        for (letter, color, wing) in EACH_RIGHT {
            if self.contains(CastlingRights::one(color, wing)) {
                f.write_char(letter)?;
            }
        }
        Ok(())
    }
}

/// The letters of the four castling rights, in the order of FEN.
pub(crate) const EACH_RIGHT: [(char, Color, Wing); 4] = [
    ('K', Color::White, Wing::King),
    ('Q', Color::White, Wing::Queen),
    ('k', Color::Black, Wing::King),
    ('q', Color::Black, Wing::Queen),
];

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
    pub const fn landing_on(to: Square) -> Castling {
        let color = if to.rank() == 0 { Color::White } else { Color::Black };
        Castling::of(color, if to.file() == 6 { Wing::King } else { Wing::Queen })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
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

    #[test]
    fn every_set_of_rights_has_its_letters() {
        let letters: Vec<_> = (0..16).map(|n| CastlingRights::from_bits(n).to_string()).collect();
        let expected = "- q k kq Q Qq Qk Qkq K Kq Kk Kkq KQ KQq KQk KQkq";
        assert_eq!(letters.join(" "), expected);
    }
}

//! Codes that are numbers: pieces are told apart by ranges, not by bits.
//!
//! Own, enemy and guard are told apart by one subtraction and one comparison whose operands depend
//! on the side alone. What is neither empty nor enemy counts as own, and so does the guard.

use super::Code;
use crate::{Color, Kind, Piece};

/// Pawn to king: 1 to 6 for White, 9 to 14 for Black; empty 0. The 7 that no piece has is our guard:
/// the source walks tables and needs none.
///
/// Source: Vincent Diepeveen, Computer Chess Club, 30 and 31 August 2012.
#[derive(Clone, Copy, Debug)]
pub struct DiepCode;

impl Code for DiepCode {
    const NAME: &'static str = "Diep numbers";
    const EMPTY: u8 = 0;
    const GUARD: Option<u8> = Some(7);

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        1 + piece.kind as u8 + 8 * piece.color as u8
    }
    #[inline]
    fn piece(code: u8) -> Option<Piece> {
        let (color, number) = split(code)?;
        Some(Piece::new(color, *Kind::ALL.get(number.wrapping_sub(1))?))
    }
    #[inline(always)]
    fn is_empty(code: u8) -> bool {
        code == 0
    }
    #[inline(always)]
    fn is_own(code: u8, side: Color) -> bool {
        !Self::is_empty(code) && !Self::is_enemy(code, side)
    }
    #[inline(always)]
    fn is_enemy(code: u8, side: Color) -> bool {
        code.wrapping_sub(1 + 8 * !side as u8) < 6
    }
    #[inline(always)]
    fn takes(code: u8, side: Color) -> bool {
        Self::is_enemy(code, side)
    }
}

/// White pawn 1, black pawn 2, knight 3, bishop 4, rook 5, queen 6, king 7, and 8 more for Black;
/// empty 0. The pawns of the two sides are two types, so that a table of steps can be indexed by the
/// type alone. The 8 that no piece has is the border.
///
/// Source: H. G. Muller, *The mailbox trials* (2021).
#[derive(Clone, Copy, Debug)]
pub struct TypedPawns;

impl TypedPawns {
    /// The type of a piece's code: 1 and 2 are the pawns, 3 to 7 knight to king.
    #[inline(always)]
    pub const fn type_of(code: u8) -> u8 {
        code & 7
    }
}

impl Code for TypedPawns {
    const NAME: &'static str = "typed pawns";
    const EMPTY: u8 = 0;
    const GUARD: Option<u8> = Some(8);

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        match piece {
            Piece { color: Color::White, kind: Kind::Pawn } => 1,
            Piece { color, kind } => 2 + kind as u8 + 8 * color as u8,
        }
    }
    #[inline]
    fn piece(code: u8) -> Option<Piece> {
        match split(code)? {
            (Color::White, 1) => Some(Piece::new(Color::White, Kind::Pawn)),
            (Color::White, 2) => None,
            (color, number) => Some(Piece::new(color, *Kind::ALL.get(number.wrapping_sub(2))?)),
        }
    }
    #[inline(always)]
    fn is_empty(code: u8) -> bool {
        code == 0
    }
    #[inline(always)]
    fn is_own(code: u8, side: Color) -> bool {
        !Self::is_empty(code) && !Self::is_enemy(code, side)
    }
    #[inline(always)]
    fn is_enemy(code: u8, side: Color) -> bool {
        code.wrapping_sub(1 + 8 * !side as u8) < 7
    }
    #[inline(always)]
    fn takes(code: u8, side: Color) -> bool {
        Self::is_enemy(code, side)
    }
}

/// Colour from bit 3 and the number below it.
fn split(code: u8) -> Option<(Color, usize)> {
    let color = *Color::ALL.get(usize::from(code >> 3))?;
    Some((color, usize::from(code & 7)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes<C: Code>() -> [[u8; 6]; 2] {
        Color::ALL.map(|color| Kind::ALL.map(|kind| C::of(Piece::new(color, kind))))
    }

    #[test]
    fn the_numbers_are_the_published_ones() {
        assert_eq!(codes::<DiepCode>(), [[1, 2, 3, 4, 5, 6], [9, 10, 11, 12, 13, 14]]);
        assert_eq!(codes::<TypedPawns>(), [[1, 3, 4, 5, 6, 7], [10, 11, 12, 13, 14, 15]]);
    }

    #[test]
    fn the_two_pawns_are_two_types_and_every_other_kind_is_one() {
        let [white, black] = codes::<TypedPawns>().map(|codes| codes.map(TypedPawns::type_of));
        assert_eq!((white[0], black[0]), (1, 2));
        assert_eq!(white[1..], black[1..]);
    }
}

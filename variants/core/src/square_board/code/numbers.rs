//! Numeric codes: a colour is a range of values, not a bit.
//!
//! A piece is an enemy if one subtraction and one comparison place it in the other side's range.
//! The operands depend on the side alone. Whatever is neither empty nor enemy counts as own,
//! including the guard, so both codes use the default tests of [`Code`].

use super::Code;
use crate::{Color, Kind, Piece};

/// Pawn to king are 1 to 6 for White and 9 to 14 for Black; empty is 0.
///
/// The guard is 7, an unused value. It is our addition: the source walks tables and needs no guard.
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
    fn is_enemy(code: u8, side: Color) -> bool {
        code.wrapping_sub(1 + 8 * !side as u8) < 6
    }
}

/// Bits 0–2 are a type: white pawn 1, black pawn 2, knight 3, bishop 4, rook 5, queen 6, king 7.
/// Bit 3 is set for Black. Empty is 0 and the border is 8, which no piece has.
///
/// The pawns of the two sides have different types, so the type alone can index a table of steps.
///
/// Source: H. G. Muller, *The mailbox trials* (2021).
#[derive(Clone, Copy, Debug)]
pub struct TypedPawns;

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
    fn is_enemy(code: u8, side: Color) -> bool {
        code.wrapping_sub(1 + 8 * !side as u8) < 7
    }
}

/// Splits a code into the colour, from bit 3, and the number in bits 0–2. `None` from 16 on.
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
    fn the_numbers_match_the_published_ones() {
        assert_eq!(codes::<DiepCode>(), [[1, 2, 3, 4, 5, 6], [9, 10, 11, 12, 13, 14]]);
        assert_eq!(codes::<TypedPawns>(), [[1, 3, 4, 5, 6, 7], [10, 11, 12, 13, 14, 15]]);
    }

    #[test]
    fn pawns_have_one_type_per_side_and_other_kinds_share_theirs() {
        let [white, black] = codes::<TypedPawns>().map(|codes| codes.map(|code| code & 7));
        assert_eq!((white[0], black[0]), (1, 2));
        assert_eq!(white[1..], black[1..]);
    }
}

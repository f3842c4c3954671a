//! One bit for each colour and one for each kind.

use super::Code;
use crate::{Color, Kind, Piece};

/// White 1, black 2, then one bit each: pawn 4, knight 8, bishop 16, rook 32, queen 64, king 128;
/// empty 0. Any set of kinds is one mask, so "a rook or queen of White?" is two tests. The guard has
/// both colour bits.
///
/// Source: Fritz Reul, *New Architectures in Computer Chess* (2009), disjoint piece flags.
#[derive(Clone, Copy, Debug)]
pub struct ReulFlags;

impl ReulFlags {
    /// The flag of a kind.
    #[inline(always)]
    pub const fn flag(kind: Kind) -> u8 {
        4 << kind as u8
    }

    const fn color(color: Color) -> u8 {
        1 << color as u8
    }
}

impl Code for ReulFlags {
    const NAME: &'static str = "Reul flags";
    const EMPTY: u8 = 0;
    const GUARD: Option<u8> = Some(3);

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        Self::color(piece.color) | Self::flag(piece.kind)
    }
    #[inline]
    fn piece(code: u8) -> Option<Piece> {
        let color = match code & 3 {
            1 => Color::White,
            2 => Color::Black,
            _ => return None,
        };
        Some(Piece::new(color, *Kind::ALL.get((code >> 2).trailing_zeros() as usize)?))
    }
    #[inline(always)]
    fn is_empty(code: u8) -> bool {
        code == 0
    }
    #[inline(always)]
    fn is_own(code: u8, side: Color) -> bool {
        code & Self::color(side) != 0
    }
    #[inline(always)]
    fn is_enemy(code: u8, side: Color) -> bool {
        code & (3 ^ Self::color(side)) != 0
    }
    #[inline(always)]
    fn takes(code: u8, side: Color) -> bool {
        code & 3 == 3 ^ Self::color(side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_man_has_two_bits_and_the_published_flags() {
        let flags = Kind::ALL.map(ReulFlags::flag);
        assert_eq!(flags, [4, 8, 16, 32, 64, 128]);
        for color in Color::ALL {
            for kind in Kind::ALL {
                assert_eq!(ReulFlags::of(Piece::new(color, kind)).count_ones(), 2);
            }
        }
    }
}

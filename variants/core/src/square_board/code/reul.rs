//! Reul's piece flags: one bit per colour and one per kind.

use super::Code;
use crate::{Color, Kind, Piece};

/// White 1, Black 2, pawn 4, knight 8, bishop 16, rook 32, queen 64, king 128; empty is 0. The
/// guard has both colour bits.
///
/// Any set of kinds is one mask, so "a white rook or queen" takes two tests.
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

    /// The flag of a colour. A guard has those of both.
    #[inline(always)]
    pub const fn color(color: Color) -> u8 {
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

    colour_bit_tests!(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_two_bits_and_the_published_flags() {
        let flags = Kind::ALL.map(ReulFlags::flag);
        assert_eq!(flags, [4, 8, 16, 32, 64, 128]);
        for color in Color::ALL {
            for kind in Kind::ALL {
                assert_eq!(ReulFlags::of(Piece::new(color, kind)).count_ones(), 2);
            }
        }
    }
}

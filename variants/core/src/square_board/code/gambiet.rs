//! A code made for the flags of the Z80.

use super::Code;
use crate::{Color, Kind, Piece};

/// Colour in bit 7 (1 is black), an odd exchange value in the low nibble, and between them three bits
/// of which only the king has the first; the seven low bits of every piece have even parity. Empty 0,
/// border `1100 0000`, whose seven low bits have odd parity.
///
/// Adding the byte to itself sets four flags that separate five cases: zero is empty, odd parity is
/// the border, sign is a king, carry is black, and what remains is white. Portable code has no such
/// flags: here a colour is a range of the byte, tested by one subtraction and one comparison, and
/// the border is one value more.
///
/// Source: Wim Rens, *Grondslagen van computerschaak*, Databus 6/1981 (Gambiet, Z80).
#[derive(Clone, Copy, Debug)]
pub struct GambietCode;

/// Pawn, knight, bishop, rook, queen, king of White.
const WHITE: [u8; 6] = [0b001_0001, 0b011_0011, 0b000_0011, 0b000_0101, 0b000_1001, 0b110_1111];
const BORDER: u8 = 0b1100_0000;

impl GambietCode {
    /// The exchange value in a piece's code: 1, 3, 3, 5, 9 and 15 for the king.
    #[inline(always)]
    pub const fn value(code: u8) -> u8 {
        code & 15
    }

    /// Whether the code lies among those of the pieces of this colour; for Black the border does too.
    #[inline(always)]
    const fn in_range(code: u8, color: Color) -> bool {
        code.wrapping_sub(1 + 128 * color as u8) < 127
    }
}

impl Code for GambietCode {
    const NAME: &'static str = "Gambiet flags";
    const EMPTY: u8 = 0;
    const GUARD: Option<u8> = Some(BORDER);

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        WHITE[piece.kind.index()] | (piece.color as u8) << 7
    }
    #[inline]
    fn piece(code: u8) -> Option<Piece> {
        let color = if code < 128 { Color::White } else { Color::Black };
        let kind = match code & 127 {
            0b001_0001 => Kind::Pawn,
            0b011_0011 => Kind::Knight,
            0b000_0011 => Kind::Bishop,
            0b000_0101 => Kind::Rook,
            0b000_1001 => Kind::Queen,
            0b110_1111 => Kind::King,
            _ => return None,
        };
        Some(Piece::new(color, kind))
    }
    #[inline(always)]
    fn is_empty(code: u8) -> bool {
        code == 0
    }
    #[inline(always)]
    fn is_own(code: u8, side: Color) -> bool {
        Self::in_range(code, side) || code == BORDER
    }
    #[inline(always)]
    fn is_enemy(code: u8, side: Color) -> bool {
        Self::in_range(code, !side)
    }
    #[inline(always)]
    fn takes(code: u8, side: Color) -> bool {
        Self::in_range(code, !side) && code != BORDER
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an eight-bit processor knows after adding a byte to itself: zero, odd parity, sign, carry.
    fn flags(code: u8) -> [bool; 4] {
        let (sum, carry) = code.overflowing_add(code);
        [sum == 0, sum.count_ones() % 2 == 1, sum >= 128, carry]
    }

    #[test]
    fn doubling_a_code_sets_the_flags_that_name_it() {
        assert!(flags(GambietCode::EMPTY)[0]);
        assert!(matches!(flags(BORDER), [false, true, ..]));
        for color in Color::ALL {
            for kind in Kind::ALL {
                let [zero, odd, sign, carry] = flags(GambietCode::of(Piece::new(color, kind)));
                assert!(!zero && !odd, "{color:?} {kind:?}");
                assert_eq!(sign, kind == Kind::King);
                assert_eq!(carry, color == Color::Black);
            }
        }
    }

    #[test]
    fn the_low_nibble_is_the_exchange_value() {
        for (kind, value) in Kind::ALL.into_iter().zip([1, 3, 3, 5, 9, 15]) {
            for color in Color::ALL {
                assert_eq!(GambietCode::value(GambietCode::of(Piece::new(color, kind))), value);
            }
        }
    }
}

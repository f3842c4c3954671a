//! The code of Gambiet, designed for the flags of the Z80.

use super::Code;
use crate::{Color, Kind, Piece};

/// Bit 7 is the colour (1 for Black), bit 6 is set for kings only, and bits 0–3 hold the exchange
/// value, which is odd: 1, 3, 3, 5, 9, and 15 for the king. Bits 4 and 5 give the seven low bits of
/// every piece even parity. Empty is 0; the border is `1100 0000`, whose seven low bits have odd
/// parity.
///
/// On the Z80, adding the byte to itself sets four flags that separate five cases: zero is an empty
/// square, odd parity the border, sign a king, carry a black piece, and anything else a white
/// piece. Portable code has no access to flags. Here a colour is a range of byte values, tested by
/// one subtraction and one comparison, and the border is one more value to exclude.
///
/// Source: Wim Rens, *Grondslagen van computerschaak*, Databus 6/1981 (Gambiet, Z80).
#[derive(Clone, Copy, Debug)]
pub struct GambietCode;

/// The codes of the white pieces, pawn to king.
const WHITE: [u8; 6] = [0b001_0001, 0b011_0011, 0b000_0011, 0b000_0101, 0b000_1001, 0b110_1111];
const BORDER: u8 = 0b1100_0000;

impl GambietCode {
    /// Whether the code is in the range of this colour: 1–127 for White, 129–255 for Black. The
    /// range of Black includes the border.
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

    /// The flags of an 8-bit processor after adding a byte to itself: zero, odd parity, sign,
    /// carry.
    fn flags(code: u8) -> [bool; 4] {
        let (sum, carry) = code.overflowing_add(code);
        [sum == 0, sum.count_ones() % 2 == 1, sum >= 128, carry]
    }

    #[test]
    fn doubling_a_code_sets_the_flags_that_identify_it() {
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
                assert_eq!(GambietCode::of(Piece::new(color, kind)) & 15, value);
            }
        }
    }
}

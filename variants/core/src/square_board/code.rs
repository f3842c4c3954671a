//! Piece codes: how a cell stores a piece, an empty square or a guard.
//!
//! In every code the tests of a walk (empty, own, enemy) take one to three instructions. The codes
//! differ in which instructions these are and in what else the code can be used for, such as a
//! table index or a shift count.

use crate::{Color, Kind, Piece, Stage, StageId};

/// The tests of a code that marks White with the bit `$white` and Black with the next higher bit.
/// An empty cell has neither bit, a guard both.
macro_rules! colour_bit_tests {
    ($white:literal) => {
        #[inline(always)]
        fn is_own(code: u8, side: Color) -> bool {
            code & ($white << side as u8) != 0
        }
        #[inline(always)]
        fn is_enemy(code: u8, side: Color) -> bool {
            code & ((3 * $white) ^ ($white << side as u8)) != 0
        }
        #[inline(always)]
        fn takes(code: u8, side: Color) -> bool {
            code & (3 * $white) == (3 * $white) ^ ($white << side as u8)
        }
    };
}

mod gambiet;
mod numbers;
mod reul;
mod two_boards;

pub use gambiet::GambietCode;
pub use numbers::{DiepCode, TypedPawns};
pub use reul::ReulFlags;
pub use two_boards::{NeutralColour, SideNibbles};

/// A mapping of empty squares, pieces and guards to bytes.
///
/// `side` in the tests is the side to move. Whatever depends on it alone is loop-invariant, so a
/// test inside a loop is a mask or a subtraction, and a comparison.
pub trait Code: Copy + Send + Sync + 'static {
    /// Short name, shown by failing tests.
    const NAME: &'static str;
    /// The code of an empty square.
    const EMPTY: u8;
    /// The code of a cell off the board: not empty, own to both sides, and never accepted by
    /// [`takes`](Code::takes). `None` if the code has no room for one.
    const GUARD: Option<u8>;

    /// The code of a piece.
    fn of(piece: Piece) -> u8;
    /// Decodes a piece; `None` for an empty square and for the guard.
    fn piece(code: u8) -> Option<Piece>;
    /// The kind of a piece. Meaningless for an empty square and for the guard.
    #[inline(always)]
    fn kind(code: u8) -> Kind {
        Self::piece(code).map_or(Kind::Pawn, |piece| piece.kind)
    }
    /// Whether the cell is an empty square.
    #[inline(always)]
    fn is_empty(code: u8) -> bool {
        code == Self::EMPTY
    }
    /// Whether the cell holds a piece of `side` or a guard.
    ///
    /// The default suits codes whose [`is_enemy`](Code::is_enemy) rejects the guard.
    #[inline(always)]
    fn is_own(code: u8, side: Color) -> bool {
        !Self::is_empty(code) && !Self::is_enemy(code, side)
    }
    /// Whether the cell holds a piece of the other side. The result for a guard is unspecified.
    fn is_enemy(code: u8, side: Color) -> bool;
    /// Whether the cell holds a piece of the other side; false for a guard.
    ///
    /// The default suits codes whose [`is_enemy`](Code::is_enemy) rejects the guard.
    #[inline(always)]
    fn takes(code: u8, side: Color) -> bool {
        Self::is_enemy(code, side)
    }
}

/// Whether a target whose cell holds `code` gives a move of stage `S`. `code` must not be a guard.
#[inline(always)]
pub fn kept<S: Stage, C: Code>(code: u8, side: Color) -> bool {
    match S::ID {
        StageId::All => !C::is_own(code, side),
        StageId::Captures => C::is_enemy(code, side),
        StageId::Quiets => C::is_empty(code),
    }
}

/// Like [`kept`], but `code` may be a guard, which never gives a move.
#[inline(always)]
pub(super) fn kept_guarded<S: Stage, C: Code>(code: u8, side: Color) -> bool {
    match S::ID {
        // A guard is own to both sides.
        StageId::All => !C::is_own(code, side),
        StageId::Captures => C::takes(code, side),
        StageId::Quiets => C::is_empty(code),
    }
}

/// Kind 1 to 6 (pawn, knight, bishop, rook, queen, king) in bits 0–2, white 8, black 16, empty 0.
///
/// The guard has both colour bits.
///
/// Source: Sebastian Lague's code, as given in *Building a Chess Move Generator*.
#[derive(Clone, Copy, Debug)]
pub struct ColourBits;

impl ColourBits {
    /// The number of the bit that marks the pieces of a side.
    #[inline(always)]
    pub const fn bit_of(side: Color) -> usize {
        3 + side as usize
    }
}

impl Code for ColourBits {
    const NAME: &'static str = "colour bits";
    const EMPTY: u8 = 0;
    const GUARD: Option<u8> = Some(24);

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        8 << piece.color as u8 | (piece.kind as u8 + 1)
    }
    #[inline]
    fn piece(code: u8) -> Option<Piece> {
        let color = match code & 24 {
            8 => Color::White,
            16 => Color::Black,
            _ => return None,
        };
        Some(Piece::new(color, *Kind::ALL.get(usize::from(code & 7).wrapping_sub(1))?))
    }
    #[inline(always)]
    fn kind(code: u8) -> Kind {
        // Eight entries, because an index of three bits then needs no bounds check. The first and
        // the last entry are never read.
        const KINDS: [Kind; 8] = {
            let [pawn, knight, bishop, rook, queen, king] = Kind::ALL;
            [pawn, pawn, knight, bishop, rook, queen, king, king]
        };
        KINDS[usize::from(code & 7)]
    }

    colour_bit_tests!(8);
}

/// The code of the dense index list.
///
/// Bits 2–4 are a shift count: 8 for an empty square, 20 for a piece. Bit 0 marks White, bit 1
/// Black. Bit 3 is set for an empty square only. Bits 5–7 hold the kind.
///
/// Source: Chess Programming Wiki, *Table-driven Move Generation* (Gerd Isenberg, 2012).
#[derive(Clone, Copy, Debug)]
pub struct ShiftCode;

impl ShiftCode {
    /// The mask of the shift count.
    const SHIFT: u8 = 0b1_1100;
    const WHITE: u8 = 0b1_0101;
    const BLACK: u8 = 0b1_0110;

    /// The shift in bits that selects the successor in a node: 8 if the square is empty, else 20.
    #[inline(always)]
    pub const fn shift(code: u8) -> u32 {
        (code & Self::SHIFT) as u32
    }
}

impl Code for ShiftCode {
    const NAME: &'static str = "shift code";
    const EMPTY: u8 = 0b0_1000;
    // Both colour bits, bit 3 clear, and the shift count of a piece.
    const GUARD: Option<u8> = Some(0b1_0111);

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        // The low bits are 01 for White and 10 for Black, so adding the colour turns one into the
        // other.
        (Self::WHITE + piece.color as u8) | (piece.kind as u8) << 5
    }
    #[inline]
    fn piece(code: u8) -> Option<Piece> {
        let color = match code & 0b1_1111 {
            Self::WHITE => Color::White,
            Self::BLACK => Color::Black,
            _ => return None,
        };
        Some(Piece::new(color, *Kind::ALL.get(usize::from(code >> 5))?))
    }
    #[inline(always)]
    fn is_empty(code: u8) -> bool {
        code >> 3 & 1 != 0
    }
    #[inline(always)]
    fn is_own(code: u8, side: Color) -> bool {
        code & (1 << side as u8) != 0
    }
    #[inline(always)]
    fn is_enemy(code: u8, side: Color) -> bool {
        code & (2 >> side as u8) != 0
    }
    #[inline(always)]
    fn takes(code: u8, side: Color) -> bool {
        code & 3 == 2 >> side as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn a_code_distinguishes_pieces_empty_and_guard<C: Code>() {
        let mut seen = vec![C::EMPTY];
        assert!(C::is_empty(C::EMPTY) && C::piece(C::EMPTY).is_none());
        for side in Color::ALL {
            assert!(!C::is_own(C::EMPTY, side) && !C::is_enemy(C::EMPTY, side));
            assert!(!C::takes(C::EMPTY, side));
            for kind in Kind::ALL {
                let code = C::of(Piece::new(side, kind));
                assert!(!seen.contains(&code), "{} {code:08b}", C::NAME);
                seen.push(code);
                assert_eq!(C::piece(code), Some(Piece::new(side, kind)));
                assert_eq!(C::kind(code), kind);
                assert!(!C::is_empty(code));
                assert!(C::is_own(code, side) && !C::is_own(code, !side));
                assert!(C::is_enemy(code, !side) && !C::is_enemy(code, side));
                assert!(C::takes(code, !side) && !C::takes(code, side));
            }
            if let Some(guard) = C::GUARD {
                assert!(!C::is_empty(guard) && !C::takes(guard, side) && C::is_own(guard, side));
                assert!(C::piece(guard).is_none());
                assert!(!seen.contains(&guard));
            }
        }
    }

    #[test]
    fn every_code_distinguishes_pieces_empty_and_guard() {
        a_code_distinguishes_pieces_empty_and_guard::<ColourBits>();
        a_code_distinguishes_pieces_empty_and_guard::<ShiftCode>();
        a_code_distinguishes_pieces_empty_and_guard::<ReulFlags>();
        a_code_distinguishes_pieces_empty_and_guard::<GambietCode>();
        a_code_distinguishes_pieces_empty_and_guard::<DiepCode>();
        a_code_distinguishes_pieces_empty_and_guard::<TypedPawns>();
        a_code_distinguishes_pieces_empty_and_guard::<NeutralColour>();
        a_code_distinguishes_pieces_empty_and_guard::<SideNibbles>();
    }

    /// *Building a Chess Move Generator* prints two codes, the colour in front of the type.
    #[test]
    fn the_colour_bits_match_the_published_ones() {
        assert_eq!(ColourBits::of(Piece::new(Color::White, Kind::Pawn)), 0b01_001);
        assert_eq!(ColourBits::of(Piece::new(Color::Black, Kind::King)), 0b10_110);
        // Its types are numbers from 1, and its colours are ORed: WHITE = 8, BLACK = 16.
        for (kind, number) in Kind::ALL.into_iter().zip(1..) {
            assert_eq!(ColourBits::of(Piece::new(Color::White, kind)), 8 | number);
            assert_eq!(ColourBits::of(Piece::new(Color::Black, kind)), 16 | number);
        }
    }

    #[test]
    fn the_shift_code_matches_the_published_one() {
        assert_eq!(ShiftCode::EMPTY & 31, 0b01000);
        for kind in Kind::ALL {
            assert_eq!(ShiftCode::of(Piece::new(Color::White, kind)) & 31, 0b10101);
            assert_eq!(ShiftCode::of(Piece::new(Color::Black, kind)) & 31, 0b10110);
        }
        assert_eq!(ShiftCode::shift(ShiftCode::EMPTY), 8);
        assert_eq!(ShiftCode::shift(ShiftCode::of(Piece::new(Color::Black, Kind::King))), 20);
    }
}

//! How a piece is coded in a cell.
//!
//! The tests that a walk makes — empty? own? enemy? — are one or two instructions in every code;
//! which ones, and what else the code can be used for, is what distinguishes them.

use crate::{Color, Kind, Piece, Stage, StageId};

mod gambiet;
mod numbers;
mod reul;

pub use gambiet::GambietCode;
pub use numbers::{DiepCode, TypedPawns};
pub use reul::ReulFlags;

/// One coding of empty cells, pieces and guards.
///
/// `side` in the tests is the side to move; what depends on it alone is loop-invariant, so that a
/// test in a loop is a mask and a compare.
pub trait Code: Copy + Send + Sync + 'static {
    /// Short name.
    const NAME: &'static str;
    /// An empty square.
    const EMPTY: u8;
    /// A cell beyond the edge: neither empty nor, by [`takes`](Code::takes), an enemy of anyone.
    /// `None` if the code has no room for one.
    const GUARD: Option<u8>;

    /// The code of a piece.
    fn of(piece: Piece) -> u8;
    /// The piece of a code, `None` for empty and guard.
    fn piece(code: u8) -> Option<Piece>;
    /// The kind of a piece. For empty and guard the answer means nothing.
    #[inline(always)]
    fn kind(code: u8) -> Kind {
        Self::piece(code).map_or(Kind::Pawn, |piece| piece.kind)
    }
    /// Whether the cell is an empty square.
    fn is_empty(code: u8) -> bool;
    /// Whether a piece of `side` stands there. A guard is own to both sides.
    fn is_own(code: u8, side: Color) -> bool;
    /// Whether a piece of the other side stands there. Not for guards.
    fn is_enemy(code: u8, side: Color) -> bool;
    /// Whether a piece of the other side stands there, and no guard.
    fn takes(code: u8, side: Color) -> bool;
}

/// Whether a target whose cell holds `code` gives a move of stage `S`. Not for guards.
#[inline(always)]
pub fn kept<S: Stage, C: Code>(code: u8, side: Color) -> bool {
    match S::ID {
        StageId::All => !C::is_own(code, side),
        StageId::Captures => C::is_enemy(code, side),
        StageId::Quiets => C::is_empty(code),
    }
}

/// Kind 1 to 6 (pawn, knight, bishop, rook, queen, king) in bits 0–2, white 8, black 16, empty 0.
///
/// Source: Sebastian Lague's coding, by way of *Building a Chess Move Generator*. The guard has both
/// colour bits.
#[derive(Clone, Copy, Debug)]
pub struct ColourBits;

impl ColourBits {
    /// The bit of a colour.
    #[inline(always)]
    const fn bit(color: Color) -> u8 {
        8 << color as u8
    }
}

impl Code for ColourBits {
    const NAME: &'static str = "colour bits";
    const EMPTY: u8 = 0;
    const GUARD: Option<u8> = Some(24);

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        Self::bit(piece.color) | (piece.kind as u8 + 1)
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
        // Eight entries, so that three bits need no check; the first and the last are never read.
        const KINDS: [Kind; 8] = {
            let [pawn, knight, bishop, rook, queen, king] = Kind::ALL;
            [pawn, pawn, knight, bishop, rook, queen, king, king]
        };
        KINDS[usize::from(code & 7)]
    }
    #[inline(always)]
    fn is_empty(code: u8) -> bool {
        code == 0
    }
    #[inline(always)]
    fn is_own(code: u8, side: Color) -> bool {
        code & Self::bit(side) != 0
    }
    #[inline(always)]
    fn is_enemy(code: u8, side: Color) -> bool {
        code & (24 ^ Self::bit(side)) != 0
    }
    #[inline(always)]
    fn takes(code: u8, side: Color) -> bool {
        code & 24 == 24 ^ Self::bit(side)
    }
}

/// The code of the dense index list: bits 2–4 are a shift count, 8 for empty and 20 for a piece; bit
/// 0 marks White, bit 1 Black, bit 3 is set in the empty code alone. The kind is in bits 5–7.
///
/// Source: Chess Programming Wiki, *Table-driven Move Generation* (Gerd Isenberg, 2012).
#[derive(Clone, Copy, Debug)]
pub struct ShiftCode;

impl ShiftCode {
    /// The mask that leaves the shift count.
    pub const SHIFT: u8 = 0b1_1100;
    const WHITE: u8 = 0b1_0101;
    const BLACK: u8 = 0b1_0110;

    /// How far to shift a node to reach the successor: 8 if the square is empty, 20 if not.
    #[inline(always)]
    pub const fn shift(code: u8) -> u32 {
        (code & Self::SHIFT) as u32
    }
}

impl Code for ShiftCode {
    const NAME: &'static str = "shift code";
    const EMPTY: u8 = 0b0_1000;
    // Neither bit 3 nor one colour bit alone; a shift of 20, like any piece.
    const GUARD: Option<u8> = Some(0b1_0111);

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        // White and Black differ in the two low bits: 01 and 10.
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

    fn a_code_tells_men_empty_and_guard_apart<C: Code>() {
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
    fn every_code_tells_men_empty_and_guard_apart() {
        a_code_tells_men_empty_and_guard_apart::<ColourBits>();
        a_code_tells_men_empty_and_guard_apart::<ShiftCode>();
        a_code_tells_men_empty_and_guard_apart::<ReulFlags>();
        a_code_tells_men_empty_and_guard_apart::<GambietCode>();
        a_code_tells_men_empty_and_guard_apart::<DiepCode>();
        a_code_tells_men_empty_and_guard_apart::<TypedPawns>();
    }

    #[test]
    fn the_shift_code_is_the_published_one() {
        assert_eq!(ShiftCode::EMPTY & 31, 0b01000);
        for kind in Kind::ALL {
            assert_eq!(ShiftCode::of(Piece::new(Color::White, kind)) & 31, 0b10101);
            assert_eq!(ShiftCode::of(Piece::new(Color::Black, kind)) & 31, 0b10110);
        }
        assert_eq!(ShiftCode::shift(ShiftCode::EMPTY), 8);
        assert_eq!(ShiftCode::shift(ShiftCode::of(Piece::new(Color::Black, Kind::King))), 20);
    }
}

//! Codes of boards that are stored as two: by colour and kind, or by side.

use super::Code;
use crate::{Color, Kind, Piece};

/// Bits 0–1 are the colour, white 0, black 1, neutral 2 for an empty square; bits 2–4 the kind.
///
/// The colour alone tells whether a square is empty, own or the enemy's. So a walk reads the board of colours and
/// never that of kinds, if they are [stored apart](super::super::ColoursAndKinds).
///
/// Source: GNU Chess (`color[sq] == neutral`), and in the same way TSCP.
#[derive(Clone, Copy, Debug)]
pub struct NeutralColour;

impl Code for NeutralColour {
    const NAME: &'static str = "neutral colour";
    const EMPTY: u8 = 2;
    // The two programs with this code find the edge without a guard.
    const GUARD: Option<u8> = None;

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        piece.color as u8 | (piece.kind as u8) << 2
    }
    #[inline]
    fn piece(code: u8) -> Option<Piece> {
        let color = match code & 3 {
            0 => Color::White,
            1 => Color::Black,
            _ => return None,
        };
        Some(Piece::new(color, *Kind::ALL.get(usize::from(code >> 2))?))
    }
    #[inline(always)]
    fn kind(code: u8) -> Kind {
        // Eight entries, because an index of three bits then needs no bounds check.
        const KINDS: [Kind; 8] = {
            let [pawn, knight, bishop, rook, queen, king] = Kind::ALL;
            [pawn, knight, bishop, rook, queen, king, king, king]
        };
        KINDS[usize::from(code >> 2 & 7)]
    }
    #[inline(always)]
    fn is_own(code: u8, side: Color) -> bool {
        code & 3 == side as u8
    }
    #[inline(always)]
    fn is_enemy(code: u8, side: Color) -> bool {
        code & 3 == !side as u8
    }
}

/// Bits 0–2 are the kind of a white piece, 1 to 6, and bits 4–6 that of a black one. At most one of both is not 0.
///
/// [Stored as two boards](super::super::BoardPerSide), each has one of the nibbles, so that both sides have the same
/// codes.
///
/// Source: Alex Bell, *Games Playing with Computers* (1972), whose program has a board for each side.
#[derive(Clone, Copy, Debug)]
pub struct SideNibbles;

impl Code for SideNibbles {
    const NAME: &'static str = "nibble per side";
    const EMPTY: u8 = 0;
    // Bell's loop stops at the last square of a ray and reads no guard.
    const GUARD: Option<u8> = None;

    #[inline(always)]
    fn of(piece: Piece) -> u8 {
        (piece.kind as u8 + 1) << (4 * piece.color as u8)
    }
    #[inline]
    fn piece(code: u8) -> Option<Piece> {
        let (color, kind) = match (code & 15, code >> 4) {
            (kind, 0) => (Color::White, kind),
            (_, kind) => (Color::Black, kind),
        };
        Some(Piece::new(color, *Kind::ALL.get(usize::from(kind).wrapping_sub(1))?))
    }
    #[inline(always)]
    fn is_own(code: u8, side: Color) -> bool {
        code & (15 << (4 * side as u8)) != 0
    }
    #[inline(always)]
    fn is_enemy(code: u8, side: Color) -> bool {
        Self::is_own(code, !side)
    }
}

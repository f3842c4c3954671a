//! The code of a cell: one bit for each question that the generator asks.
//!
//! Codes of cells are added up instead of tested: after eight of them, a sum of single bits is a number of pieces.

use raywalk_core::{Color, Kind, Piece};

/// The code of an empty square: no bit is set.
pub(crate) const EMPTY: u8 = 0;
/// A cell off the board blocks both sides, and neither captures it.
pub(crate) const GUARD: u8 = BLOCKS[0] | BLOCKS[1];
/// The bit of rooks and queens.
pub(crate) const STRAIGHT: u8 = 1;
/// The bit of bishops and queens.
pub(crate) const DIAGONAL: u8 = 2;
const PAWN: u8 = 4;
const KNIGHT: u8 = 8;
const KING: u8 = PAWN | KNIGHT;
const KINDS: u8 = 15;
/// A piece of a side, by its colour.
pub(crate) const PIECE_OF: [u8; 2] = [1 << 4, 1 << 5];
/// The number of the bit that closes a cell to the pieces of a side: its own pieces and the guard have it.
pub(crate) const BLOCKS_BIT: [u32; 2] = [6, 7];
/// The bit that closes a cell to the pieces of a side, by the colour of the side.
pub(crate) const BLOCKS: [u8; 2] = [1 << BLOCKS_BIT[0], 1 << BLOCKS_BIT[1]];

/// The code of a piece.
#[inline(always)]
pub(crate) const fn of(color: Color, kind: Kind) -> u8 {
    let kind = match kind {
        Kind::Pawn => PAWN,
        Kind::Knight => KNIGHT,
        Kind::Bishop => DIAGONAL,
        Kind::Rook => STRAIGHT,
        Kind::Queen => STRAIGHT | DIAGONAL,
        Kind::King => KING,
    };
    kind | PIECE_OF[color as usize] | BLOCKS[color as usize]
}

/// The kind of a piece. Meaningless for a cell without one.
#[inline(always)]
pub(crate) const fn kind(code: u8) -> Kind {
    const ALL: [Kind; 16] = {
        let mut kinds = [Kind::Pawn; 16];
        let mut n = 0;
        while n < 6 {
            kinds[(of(Color::White, Kind::ALL[n]) & KINDS) as usize] = Kind::ALL[n];
            n += 1;
        }
        kinds
    };
    ALL[(code & KINDS) as usize]
}

/// The piece in a cell.
#[inline(always)]
pub(crate) const fn piece(code: u8) -> Option<Piece> {
    let color = match code & (PIECE_OF[0] | PIECE_OF[1]) {
        0 => return None,
        bit if bit == PIECE_OF[0] => Color::White,
        _ => Color::Black,
    };
    Some(Piece::new(color, kind(code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_says_whose_piece_it_is_and_which() {
        for color in Color::ALL {
            for kind in Kind::ALL {
                let code = of(color, kind);
                assert_eq!(piece(code), Some(Piece::new(color, kind)));
                assert_eq!(code & BLOCKS[(!color).index()], 0);
                assert_eq!(code & STRAIGHT != 0, matches!(kind, Kind::Rook | Kind::Queen));
                assert_eq!(code & DIAGONAL != 0, matches!(kind, Kind::Bishop | Kind::Queen));
            }
        }
        assert!(piece(EMPTY).is_none() && piece(GUARD).is_none());
    }
}

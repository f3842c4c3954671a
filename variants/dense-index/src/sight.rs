//! How a walk learns what stands on a square: a byte of the board, or a bit of a register.

use std::hint::select_unpredictable;

use raywalk_core::square_board::{Code, ShiftCode, kept};
use raywalk_core::{Color, Piece, Square, Stage, StageId};

use crate::node::Node;
use crate::walk::DenseBoard;

/// One way to look at a square.
pub trait Sight<'a>: Copy {
    /// What is seen.
    type Seen: Copy;

    /// Prepares for the walks of one generation. Part of its cost.
    fn of(board: &'a DenseBoard) -> Self;

    /// Looks at a square.
    fn look(self, square: Square) -> Self::Seen;

    /// Whether a move to what was seen belongs to stage `S`.
    fn keeps<S: Stage>(self, seen: Self::Seen) -> bool;

    /// The successor of a node whose target was seen so.
    fn next<N: Node>(self, node: N, seen: Self::Seen) -> usize;

    /// One of two words, by whether the square is empty or occupied. Both words are at hand before
    /// the square is seen.
    fn choose(self, seen: Self::Seen, empty: u32, occupied: u32) -> u32;
}

/// The bit that the empty code alone has.
const EMPTY_BIT: u32 = 3;
/// The bit that all pieces have and the empty code has not.
const OCCUPIED_BIT: u32 = 4;

/// The source's: the board byte, whose code is the shift.
#[derive(Clone, Copy)]
pub struct BoardByte<'a> {
    board: &'a DenseBoard,
    side: Color,
}

impl<'a> Sight<'a> for BoardByte<'a> {
    type Seen = u8;

    #[inline(always)]
    fn of(board: &'a DenseBoard) -> BoardByte<'a> {
        BoardByte { board, side: board.side() }
    }

    #[inline(always)]
    fn look(self, square: Square) -> u8 {
        self.board.code(square.number())
    }

    #[inline(always)]
    fn keeps<S: Stage>(self, code: u8) -> bool {
        kept::<S, ShiftCode>(code, self.side)
    }

    #[inline(always)]
    fn next<N: Node>(self, node: N, code: u8) -> usize {
        node.next(code)
    }

    #[inline(always)]
    fn choose(self, code: u8, empty: u32, occupied: u32) -> u32 {
        // Two bits that are never equal, but only we know that. A selection by one bit does not
        // survive the compiler if the words come from memory, not even as the halves of one 64-bit
        // word that is shifted: it selects between their addresses and loads once, later.
        let mask = |bit: u32| 0u32.wrapping_sub(u32::from(code) >> bit & 1);
        empty & mask(EMPTY_BIT) | occupied & mask(OCCUPIED_BIT)
    }
}

/// Two words in registers, one bit per square: no load of the board in the chain.
///
/// The board has no such words, so they are gathered from its 64 bytes at the start of each
/// generation, eight bytes at a time. A board that kept them up to date would save that.
#[derive(Clone, Copy)]
pub struct OccupancyWord {
    occupied: u64,
    own: u64,
}

/// One bit of each of eight bytes, the lowest byte's first.
#[inline(always)]
fn gather(bytes: u64, bit: u32) -> u64 {
    // A multiplication moves the bit of byte n to place 56 + n; no two products share a place.
    (bytes >> bit & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl<'a> Sight<'a> for OccupancyWord {
    type Seen = Square;

    #[inline(always)]
    fn of(board: &'a DenseBoard) -> OccupancyWord {
        let own_bit = own_bit(board.side()).trailing_zeros();
        let (mut empty, mut own) = (0, 0);
        for rank in 0..8 {
            let bytes = u64::from_le_bytes(std::array::from_fn(|n| board.code(8 * rank + n as u8)));
            empty |= gather(bytes, EMPTY_BIT) << (8 * rank);
            own |= gather(bytes, own_bit) << (8 * rank);
        }
        OccupancyWord { occupied: !empty, own }
    }

    #[inline(always)]
    fn look(self, square: Square) -> Square {
        square
    }

    #[inline(always)]
    fn keeps<S: Stage>(self, square: Square) -> bool {
        let wanted = match S::ID {
            StageId::All => !self.own,
            StageId::Captures => self.occupied & !self.own,
            StageId::Quiets => !self.occupied,
        };
        wanted >> square.number() & 1 != 0
    }

    #[inline(always)]
    fn next<N: Node>(self, node: N, square: Square) -> usize {
        select_unpredictable(self.is_occupied(square), node.if_occupied(), node.if_empty())
    }

    #[inline(always)]
    fn choose(self, square: Square, empty: u32, occupied: u32) -> u32 {
        select_unpredictable(self.is_occupied(square), occupied, empty)
    }
}

impl OccupancyWord {
    #[inline(always)]
    fn is_occupied(self, square: Square) -> bool {
        self.occupied >> square.number() & 1 != 0
    }
}

/// The bit that all pieces of a side have in their code, and no others.
#[inline(always)]
pub(crate) fn own_bit(side: Color) -> u8 {
    ShiftCode::of(Piece::new(side, raywalk_core::Kind::Pawn)) & 0b11
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::{All, Board, Captures, Position, Quiets};

    #[test]
    fn a_word_and_the_board_show_the_same() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position: Position = fen.parse().expect("a position");
        for position in [position, position.mirrored()] {
            let board = DenseBoard::new(&position);
            let (byte, word) = (BoardByte::of(&board), OccupancyWord::of(&board));
            for square in Square::all() {
                let (code, bit) = (byte.look(square), word.look(square));
                assert_eq!(byte.choose(code, 1, 2), word.choose(bit, 1, 2), "{square}");
                assert_eq!(byte.keeps::<All>(code), word.keeps::<All>(bit), "{square}");
                assert_eq!(byte.keeps::<Captures>(code), word.keeps::<Captures>(bit), "{square}");
                assert_eq!(byte.keeps::<Quiets>(code), word.keeps::<Quiets>(bit), "{square}");
            }
        }
    }
}

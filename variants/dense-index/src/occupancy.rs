//! Occupancy sources: a walk reads a square from a byte of the board or from a bit in a register.

use std::hint::select_unpredictable;
use std::marker::PhantomData;

use raywalk_core::square_board::{
    Code, CountedArrays, Grid8x8, PieceList, ShiftCode, SquareBoard, WithSets, kept,
};
use raywalk_core::{Color, Kind, Piece, Square, Stage, StageId, stay_a_branch};

use crate::node::Node;

/// An 8x8 board whose codes are shift counts.
pub(crate) type BoardWith<L> = SquareBoard<Grid8x8, ShiftCode, L>;
/// An 8x8 board whose codes are shift counts, with counted arrays of pieces.
pub type DenseBoard = BoardWith<CountedArrays>;

/// One way to read a square.
pub trait OccupancySource<'a>: Copy {
    /// The result of reading a square: a board code, or the square itself if a register holds the
    /// bits.
    type Reading: Copy;

    /// Reads the code of a square; with the bits in a register, reads nothing and returns the square.
    fn read(self, square: Square) -> Self::Reading;

    /// Whether a move to a square with this reading belongs to stage `S`.
    fn keeps<S: Stage>(self, reading: Self::Reading) -> bool;

    /// The successor of a node whose target has this reading.
    fn next<N: Node>(self, node: N, reading: Self::Reading) -> usize;

    /// A number that is odd if the square is occupied.
    fn occupied(self, reading: Self::Reading) -> usize;

    /// Selects `empty` or `occupied` by the state of the square, in registers. Both words are
    /// loaded before the reading is known.
    fn choose(self, reading: Self::Reading, empty: u32, occupied: u32) -> u32;
}

/// An occupancy source of a board with the piece list `L`.
pub trait Of<'a, L: PieceList<Grid8x8>>: OccupancySource<'a> {
    /// Prepares the source for the walks of one generation. Runs in every generation, so it is part
    /// of the cost.
    fn new(board: &'a BoardWith<L>) -> Self;
}

/// An occupancy source whose reading is the code of the square, which tells the kind of its piece.
pub trait ReadsCode<'a>: OccupancySource<'a> {
    /// Whether the square holds an enemy's piece of the kind of this code or of a higher one. The colour in
    /// `least` does not matter.
    fn holds_enemy_from(self, reading: Self::Reading, least: u8) -> bool;
}

impl<'a> ReadsCode<'a> for BoardByte<'a> {
    #[inline(always)]
    fn holds_enemy_from(self, code: u8, least: u8) -> bool {
        // The kind has the highest bits of the code. `&` instead of `&&`, so that there is no branch.
        ShiftCode::is_enemy(code, self.side) & (code >= least & KIND)
    }
}

impl<'a, C: Choice> ReadsCode<'a> for Chooser<'a, C> {
    #[inline(always)]
    fn holds_enemy_from(self, code: u8, least: u8) -> bool {
        self.0.holds_enemy_from(code, least)
    }
}

/// The bits of the kind in a code.
const KIND: u8 = 0b1110_0000;

/// The number of the bit that is set only in the empty code.
const EMPTY_BIT: u32 = 3;
/// The number of the bit that is set in the code of every piece and clear in the empty code.
const OCCUPIED_BIT: u32 = 4;

/// The board byte, whose code is the shift count, as published.
#[derive(Clone, Copy)]
pub struct BoardByte<'a> {
    board: &'a DenseBoard,
    side: Color,
}

impl<'a> Of<'a, CountedArrays> for BoardByte<'a> {
    #[inline(always)]
    fn new(board: &'a DenseBoard) -> BoardByte<'a> {
        BoardByte { board, side: board.side() }
    }
}

impl<'a> OccupancySource<'a> for BoardByte<'a> {
    type Reading = u8;

    #[inline(always)]
    fn read(self, square: Square) -> u8 {
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
    fn occupied(self, code: u8) -> usize {
        usize::from(code >> OCCUPIED_BIT)
    }

    #[inline(always)]
    fn choose(self, code: u8, empty: u32, occupied: u32) -> u32 {
        // The two bits are never equal, but the compiler does not know that. If one bit selected
        // between two words from memory, the compiler would select between their addresses and load
        // once, later. It does so even if the words are the halves of one shifted 64-bit word.
        let mask = |bit: u32| 0u32.wrapping_sub(u32::from(code) >> bit & 1);
        empty & mask(EMPTY_BIT) | occupied & mask(OCCUPIED_BIT)
    }
}

/// How a [`Chooser`] chooses between the two links of a node.
pub trait Choice: Copy + 'static {
    /// `if_occupied` or `if_empty`, as `occupied` says.
    fn of(occupied: bool, if_occupied: usize, if_empty: usize) -> usize;
}

/// Chooses between the links by a conditional move.
#[derive(Clone, Copy)]
pub struct Selection;
impl Choice for Selection {
    #[inline(always)]
    fn of(occupied: bool, if_occupied: usize, if_empty: usize) -> usize {
        select_unpredictable(occupied, if_occupied, if_empty)
    }
}

/// Chooses between the links by a branch.
#[derive(Clone, Copy)]
pub struct Jump;
impl Choice for Jump {
    #[inline(always)]
    fn of(occupied: bool, if_occupied: usize, if_empty: usize) -> usize {
        if occupied {
            stay_a_branch();
            return if_occupied;
        }
        if_empty
    }
}

/// The board byte, tested for an empty square instead of used as a shift count.
#[derive(Clone, Copy)]
pub struct Chooser<'a, C>(BoardByte<'a>, PhantomData<C>);

impl<'a, C: Choice> Of<'a, CountedArrays> for Chooser<'a, C> {
    #[inline(always)]
    fn new(board: &'a DenseBoard) -> Self {
        Chooser(BoardByte::new(board), PhantomData)
    }
}

impl<'a, C: Choice> OccupancySource<'a> for Chooser<'a, C> {
    type Reading = u8;

    #[inline(always)]
    fn read(self, square: Square) -> u8 {
        self.0.read(square)
    }

    #[inline(always)]
    fn keeps<S: Stage>(self, code: u8) -> bool {
        self.0.keeps::<S>(code)
    }

    #[inline(always)]
    fn next<N: Node>(self, node: N, code: u8) -> usize {
        C::of(!ShiftCode::is_empty(code), node.if_occupied(), node.if_empty())
    }

    #[inline(always)]
    fn occupied(self, code: u8) -> usize {
        self.0.occupied(code)
    }

    #[inline(always)]
    fn choose(self, code: u8, empty: u32, occupied: u32) -> u32 {
        self.0.choose(code, empty, occupied)
    }
}

/// Two words in registers with one bit per square, so that no board load is in the dependency
/// chain.
///
/// A board that keeps the sets of both sides beside its piece list has these words. From any other board they are
/// gathered at the start of each generation, eight of its 64 bytes at a time.
#[derive(Clone, Copy)]
pub struct OccupancyWord {
    occupied: u64,
    own: u64,
}

/// Gathers one bit of each of eight bytes; the bit of the lowest byte becomes bit 0.
#[inline(always)]
fn gather(bytes: u64, bit: u32) -> u64 {
    // The multiplication moves the bit of byte n to bit 56 + n. No two partial products share a
    // bit, so there are no carries.
    (bytes >> bit & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

impl<'a> Of<'a, CountedArrays> for OccupancyWord {
    #[inline(always)]
    fn new(board: &'a DenseBoard) -> OccupancyWord {
        let own_bit = own_bit(board.side()).trailing_zeros();
        let (mut empty, mut own) = (0, 0);
        for rank in 0..8 {
            let bytes = u64::from_le_bytes(std::array::from_fn(|n| board.code(8 * rank + n as u8)));
            empty |= gather(bytes, EMPTY_BIT) << (8 * rank);
            own |= gather(bytes, own_bit) << (8 * rank);
        }
        OccupancyWord { occupied: !empty, own }
    }
}

impl<'a> Of<'a, WithSets<CountedArrays>> for OccupancyWord {
    #[inline(always)]
    fn new(board: &'a BoardWith<WithSets<CountedArrays>>) -> OccupancyWord {
        let (side, list) = (board.side(), board.list());
        let own = list.set(side);
        OccupancyWord { occupied: own | list.set(!side), own }
    }
}

impl OccupancySource<'_> for OccupancyWord {
    type Reading = Square;

    #[inline(always)]
    fn read(self, square: Square) -> Square {
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
    fn occupied(self, square: Square) -> usize {
        self.is_occupied(square).into()
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

/// The mask of the bit that is set in the codes of a side's pieces and in no others.
#[inline(always)]
pub(crate) fn own_bit(side: Color) -> u8 {
    ShiftCode::of(Piece::new(side, Kind::Pawn)) & 0b11
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::{All, Board, Captures, Position, Quiets};

    #[test]
    fn all_sources_agree_on_every_square() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position: Position = fen.parse().expect("a position");
        for position in [position, position.mirrored()] {
            let (board, with_sets) = (DenseBoard::new(&position), BoardWith::new(&position));
            let byte: BoardByte<'_> = Of::new(&board);
            let gathered: OccupancyWord = Of::<CountedArrays>::new(&board);
            let kept: OccupancyWord = Of::<WithSets<CountedArrays>>::new(&with_sets);
            for word in [gathered, kept] {
                for square in Square::all() {
                    let (code, bit) = (byte.read(square), word.read(square));
                    assert_eq!(byte.choose(code, 1, 2), word.choose(bit, 1, 2), "{square}");
                    assert_eq!(byte.keeps::<All>(code), word.keeps::<All>(bit), "{square}");
                    assert_eq!(
                        byte.keeps::<Captures>(code),
                        word.keeps::<Captures>(bit),
                        "{square}"
                    );
                    assert_eq!(byte.keeps::<Quiets>(code), word.keeps::<Quiets>(bit), "{square}");
                }
            }
        }
    }
}

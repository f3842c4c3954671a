//! Formats of 32 bits: the neutral move in the low half, and nothing, a mark or a score in the high half.
//!
//! [`Move32`] leaves the high half empty. It is the sibling of the other formats here: it shows what a list of
//! twice the bytes costs, and they show what their mark costs beyond that.

use std::marker::PhantomData;

use super::{Context, MoveFormat, NodeSlots};
use crate::{Kind, Move, MoveKind, Square};

/// The neutral move in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Move32(u32);

impl MoveFormat for Move32 {
    type Slots = NodeSlots<Self>;
    const UNWRITTEN: Move32 = Move32(0);

    #[inline(always)]
    fn pack(mv: Move) -> Move32 {
        Move32(mv.bits().into())
    }

    #[inline(always)]
    fn unpack(self) -> Move {
        Move::from_bits(self.0 as u16)
    }
}

/// [`Move32`], written past the caches by non-temporal stores.
///
/// Such a store fills a write-combining buffer, which goes to memory when all of its line is written or when
/// the buffer is needed for another line. The list does not displace a table from the caches, but whoever
/// reads it fetches it from memory. The stores are completed at the end of each walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct StreamedMove(Move32);

impl MoveFormat for StreamedMove {
    type Slots = NodeSlots<Self>;
    const UNWRITTEN: StreamedMove = StreamedMove(Move32::UNWRITTEN);
    const STREAMED: bool = true;

    #[inline(always)]
    fn pack(mv: Move) -> StreamedMove {
        StreamedMove(Move32::pack(mv))
    }

    #[inline(always)]
    fn unpack(self) -> Move {
        self.0.unpack()
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn stream(slot: &mut StreamedMove, word: StreamedMove) {
        let slot = std::ptr::from_mut(slot).cast();
        // SAFETY: the slot is 32 aligned bits that nobody else borrows. The thread that stores sees its own
        // stores in their order, and `finish` is called before the list can be read.
        unsafe { std::arch::x86_64::_mm_stream_si32(slot, word.0.0 as i32) }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn finish() {
        // SAFETY: every x86-64 processor has the instruction.
        unsafe { std::arch::x86_64::_mm_sfence() }
    }
}

/// A neutral move and a score for move ordering. The score is in the high half, so that comparing words as
/// signed integers compares scores first.
#[repr(transparent)]
pub struct ScoredMove<S> {
    word: u32,
    scoring: PhantomData<S>,
}

impl<S> Clone for ScoredMove<S> {
    #[inline(always)]
    fn clone(&self) -> ScoredMove<S> {
        *self
    }
}

impl<S> Copy for ScoredMove<S> {}

/// How the moves of [`ScoredMove`] are scored, for move ordering.
pub trait Scoring: Send + Sync + 'static {
    /// The score of a move that is no promotion.
    fn score(mv: Move, context: &Context) -> i16;

    /// The scores of the four promotions of a pawn move.
    #[inline(always)]
    fn promotions(from: Square, to: Square, context: &Context) -> [i16; 4] {
        [Self::score(Move::new(from, to), context); 4]
    }

    /// The score of castling and of an en passant capture, about which walks tell nothing.
    fn special(mv: Move) -> i16;
}

impl<S> ScoredMove<S> {
    /// A move with its score, for tables of complete words.
    #[inline(always)]
    pub const fn new(mv: Move, score: i16) -> ScoredMove<S> {
        ScoredMove::from_word(mv.bits() as u32 | (score as u16 as u32) << 16)
    }

    /// The move of a word that a table holds.
    #[inline(always)]
    pub const fn from_word(word: u32) -> ScoredMove<S> {
        ScoredMove { word, scoring: PhantomData }
    }

    /// The score and the move.
    #[inline(always)]
    pub const fn word(self) -> u32 {
        self.word
    }

    /// The score: the high half of the word, as a signed number.
    pub const fn score(self) -> i16 {
        (self.word >> 16) as i16
    }
}

impl<S: Scoring> MoveFormat for ScoredMove<S> {
    type Slots = NodeSlots<Self>;
    const UNWRITTEN: ScoredMove<S> = ScoredMove::from_word(0);

    #[inline(always)]
    fn pack(mv: Move) -> ScoredMove<S> {
        ScoredMove::new(mv, S::special(mv))
    }

    #[inline(always)]
    fn unpack(self) -> Move {
        Move::from_bits(self.word as u16)
    }

    #[inline(always)]
    fn pack_with(mv: Move, context: &Context) -> ScoredMove<S> {
        ScoredMove::new(mv, S::score(mv, context))
    }

    #[inline(always)]
    fn pack_promotions(from: Square, to: Square, context: &Context) -> [ScoredMove<S>; 4] {
        let [knight, bishop, rook, queen] = Move::promotions(from, to);
        let scores = S::promotions(from, to, context);
        [
            ScoredMove::new(knight, scores[0]),
            ScoredMove::new(bishop, scores[1]),
            ScoredMove::new(rook, scores[2]),
            ScoredMove::new(queen, scores[3]),
        ]
    }
}

/// Scores a move by what its piece gains on a piece-square table. A promotion counts as the pawn's move, and
/// castling as the king's.
///
/// The Chess Programming Wiki says that the nodes of a conditional linked list may contain such a score, and
/// gives no table. One list serves both colours, so the score of a square must not depend on the side: here
/// it is the distance from the corner, which is centre Manhattan-distance reversed, times a weight of the
/// kind. The values matter to a search and not to the time it takes to write them.
pub struct PieceSquare;

impl PieceSquare {
    /// By kind. A king hides in the corner.
    const WEIGHTS: [i16; 6] = [4, 9, 5, 2, 2, -7];

    /// Bytes of the table that are read.
    pub const BYTES: usize = size_of::<[[i16; 64]; 6]>();

    /// Two rows more than there are kinds, so that a mask can replace the bounds check.
    const TABLE: [[i16; 64]; 8] = {
        let mut table = [[0; 64]; 8];
        let mut place = 0;
        while place < 6 * 64 {
            let square = Square::from_low_bits(place as u32);
            let (file, rank) = (square.file() as i16, square.rank() as i16);
            let from_edges =
                (if file < 4 { file } else { 7 - file }) + if rank < 4 { rank } else { 7 - rank };
            table[place / 64][place % 64] = from_edges * Self::WEIGHTS[place / 64];
            place += 1;
        }
        table
    };

    /// What a piece gains by a move, for tables of complete words.
    #[inline(always)]
    pub fn gain(kind: Kind, from: Square, to: Square) -> i16 {
        static TABLE: [[i16; 64]; 8] = PieceSquare::TABLE;
        let row = &TABLE[kind.index() & 7];
        row[to.index()] - row[from.index()]
    }
}

impl Scoring for PieceSquare {
    #[inline(always)]
    fn score(mv: Move, context: &Context) -> i16 {
        PieceSquare::gain(context.piece.kind, mv.from(), mv.to())
    }

    #[inline(always)]
    fn special(mv: Move) -> i16 {
        let kind = if matches!(mv.kind(), MoveKind::Castle) { Kind::King } else { Kind::Pawn };
        PieceSquare::gain(kind, mv.from(), mv.to())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Piece, Takes};

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    /// The table of the Chess Programming Wiki, *Center Manhattan-Distance*.
    #[test]
    fn the_score_counts_steps_to_the_centre() {
        const PUBLISHED: [i16; 64] = [
            6, 5, 4, 3, 3, 4, 5, 6, //
            5, 4, 3, 2, 2, 3, 4, 5, //
            4, 3, 2, 1, 1, 2, 3, 4, //
            3, 2, 1, 0, 0, 1, 2, 3, //
            3, 2, 1, 0, 0, 1, 2, 3, //
            4, 3, 2, 1, 1, 2, 3, 4, //
            5, 4, 3, 2, 2, 3, 4, 5, //
            6, 5, 4, 3, 3, 4, 5, 6,
        ];
        for kind in Kind::ALL {
            let weight = PieceSquare::WEIGHTS[kind.index()];
            for from in Square::all() {
                for to in Square::all() {
                    let nearer = PUBLISHED[from.index()] - PUBLISHED[to.index()];
                    assert_eq!(
                        PieceSquare::gain(kind, from, to),
                        weight * nearer,
                        "{kind:?} {from}{to}"
                    );
                }
            }
        }
    }

    #[test]
    fn words_are_ordered_by_score_and_keep_the_move() {
        let mv = Move::new(square("h8"), square("a1"));
        let word = |score| ScoredMove::<PieceSquare>::new(mv, score);
        assert!((word(-1).word() as i32) < word(0).word() as i32);
        assert!((word(0).word() as i32) < word(300).word() as i32);
        for score in [i16::MIN, -1, 0, 1, i16::MAX] {
            assert_eq!((word(score).unpack(), word(score).score()), (mv, score));
        }
    }

    #[test]
    fn a_knight_gains_and_a_king_loses_in_the_centre() {
        let score = |kind, from, to| {
            let piece = Piece::new(Color::Black, kind);
            let context = Context { piece, code: 0, empty: 0, takes: Takes::Never };
            ScoredMove::<PieceSquare>::pack_with(Move::new(square(from), square(to)), &context)
                .score()
        };
        assert_eq!(score(Kind::Knight, "g8", "f6"), 3 * 9);
        assert_eq!(score(Kind::King, "g8", "f7"), -2 * 7);
        let castling = ScoredMove::<PieceSquare>::pack(Move::castle(square("e1"), square("g1")));
        assert_eq!(castling.score(), 2 * 7);
    }
}

//! Designs that walk the lists of [`Index32`](crate::Index32) and write moves in another format.
//!
//! Their nodes are those of that design: 16 bytes, of which four hold the move. [`Wide`] writes these four bytes
//! as they are. Each of the others changes one thing:
//!
//! * [`Captured`] adds the captured piece, as the loop of the source does;
//! * [`ScoredInNode`] reads a word that also holds a score, which the source mentions, and [`ScoredByLookup`]
//!   finds the same score in a piece-square table while it generates;
//! * [`Streamed`] writes past the caches;
//! * [`Split`] writes the 16-bit moves of [`Index32`](crate::Index32) to a list of captures and a list of other
//!   moves. It stores each move to both and counts it in one, so that no branch depends on the target.
//!
//! A node is the same for both colours, so the score in it must be so too. Promotions, castling and en passant
//! captures are rare, and both scored designs look their scores up.

use std::marker::PhantomData;

use raywalk_core::square_board::CapturedMove;
use raywalk_core::two_way::Entry;
use raywalk_core::{
    Card, Context, Feature, InTwoLists, Move, Move32, MoveFormat, PieceSquare, ScoredMove, Square,
    StreamedMove,
};

use crate::cards::{CARD, OURS, SCORED};
use crate::index::IndexNode;
use crate::nodes::WideSquare;
use crate::walk::Node;

/// What the designs of this module differ in.
pub trait Words: Copy + Send + Sync + 'static {
    /// The card of the design.
    const CARD: Card;
    /// Bytes that generation reads besides nodes and heads.
    const BYTES: usize = 0;
    /// The format in which the design writes moves.
    type Moves: MoveFormat;

    /// The word that a node stores.
    fn stored(entry: &Entry) -> u32 {
        Move::new(entry.from, entry.to).bits().into()
    }

    /// The word that is written for a move between two squares, given the stored one.
    #[inline(always)]
    fn written(stored: u32, _: [Square; 2], context: &Context) -> Self::Moves {
        Self::Moves::pack_with(Move::from_bits(stored as u16), context)
    }
}

/// A 16-byte node of a design of this module.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct WordNode<W> {
    to: WideSquare,
    word: u32,
    next: [u32; 2],
    words: PhantomData<W>,
}

impl<W: Words> Node for WordNode<W> {
    type Moves = W::Moves;

    #[inline(always)]
    fn to(&self) -> Square {
        self.to.0
    }

    #[inline(always)]
    fn mv(&self, _: Square) -> Move {
        Move::from_bits(self.word as u16)
    }

    #[inline(always)]
    fn word(&self, from: Square, context: &Context) -> W::Moves {
        W::written(self.word, [from, self.to.0], context)
    }
}

impl<W: Words> IndexNode for WordNode<W> {
    const CARD: Card = W::CARD;
    const BYTES_ELSEWHERE: usize = W::BYTES;
    type Head = u16;

    fn new(entry: &Entry, links: [u16; 2]) -> WordNode<W> {
        WordNode {
            to: WideSquare(entry.to),
            word: W::stored(entry),
            next: links.map(u32::from),
            words: PhantomData,
        }
    }

    #[inline(always)]
    fn next(&self, occupied: bool) -> usize {
        self.next[usize::from(occupied)] as usize
    }
}

/// The stored word as it is.
#[derive(Clone, Copy)]
pub struct Wide;

impl Words for Wide {
    const CARD: Card = Card {
        id: "linked-list/index32-moves-32",
        name: "Conditional linked list, 32-bit links, moves of 32 bits",
        reconstructed: "the word is that of linked-list/index32 with the high half empty",
        ..OURS
    };
    type Moves = Move32;
}

/// The stored move with the captured piece.
#[derive(Clone, Copy)]
pub struct Captured;

impl Words for Captured {
    const CARD: Card = Card {
        id: "linked-list/index32-captured",
        name: "Conditional linked list, 32-bit links, captured piece in the move",
        reconstructed: "knights, kings, pawns, promotions, castling, en passant: the source shows sliders only. \
                        It marks captures where only captures are generated, and does not show the word; \
                        here all moves of a list that may capture have the code of the target; \
                        everything else is linked-list/index32-moves-32",
        ..CARD
    };
    type Moves = CapturedMove;
}

/// The stored word, which holds a score.
#[derive(Clone, Copy)]
pub struct ScoredInNode;

impl Words for ScoredInNode {
    const CARD: Card = Card {
        id: "linked-list/index32-scored",
        name: "Conditional linked list, 32-bit links, score in the node",
        ..SCORED
    };
    // Castling, promotions and en passant are looked up.
    const BYTES: usize = PieceSquare::BYTES;
    type Moves = ScoredMove<PieceSquare>;

    fn stored(entry: &Entry) -> u32 {
        let score = PieceSquare::gain(entry.kind, entry.from, entry.to);
        ScoredMove::<PieceSquare>::new(Move::new(entry.from, entry.to), score).word()
    }

    #[inline(always)]
    fn written(stored: u32, _: [Square; 2], _: &Context) -> ScoredMove<PieceSquare> {
        ScoredMove::from_word(stored)
    }
}

/// The stored move, and its score from a table.
#[derive(Clone, Copy)]
pub struct ScoredByLookup;

impl Words for ScoredByLookup {
    const CARD: Card = Card {
        id: "linked-list/index32-score-lookup",
        name: "Conditional linked list, 32-bit links, score looked up",
        author: OURS.author,
        year: OURS.year,
        published_bytes: None,
        source: "Raywalk: a control for linked-list/index32-scored, not published elsewhere",
        ..SCORED
    };
    const BYTES: usize = PieceSquare::BYTES;
    type Moves = ScoredMove<PieceSquare>;

    #[inline(always)]
    fn written(stored: u32, [from, to]: [Square; 2], context: &Context) -> Self::Moves {
        // By the squares that the walk has, not by those in the move, which take three instructions.
        let score = PieceSquare::gain(context.piece.kind, from, to);
        ScoredMove::new(Move::from_bits(stored as u16), score)
    }
}

/// The stored word as it is, written past the caches.
#[derive(Clone, Copy)]
pub struct Streamed;

impl Words for Streamed {
    const CARD: Card = Card {
        id: "linked-list/index32-streamed",
        name: "Conditional linked list, 32-bit links, written past the cache",
        needs: &[Feature::X86_64],
        reconstructed: "non-temporal stores, completed at the end of the walk; everything else is \
                        linked-list/index32-moves-32",
        ..OURS
    };
    type Moves = StreamedMove;
}

/// The stored move, in a list of captures or in a list of other moves.
#[derive(Clone, Copy)]
pub struct Split;

impl Words for Split {
    const CARD: Card = Card {
        id: "linked-list/index32-two-lists",
        name: "Conditional linked list, 32-bit links, captures and quiets in two lists",
        author: OURS.author,
        year: OURS.year,
        reconstructed: "the source mentions separate lists and shows none; here one call writes captures \
                        downwards from the end of the slots and other moves upwards from their start, stores \
                        each move to both and counts it in one; everything else is linked-list/index32",
        published_bytes: None,
        ..CARD
    };
    type Moves = InTwoLists;
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::two_way::SLIDER_ENTRIES;

    #[test]
    fn a_node_has_the_published_size() {
        assert_eq!(SLIDER_ENTRIES * size_of::<WordNode<ScoredInNode>>(), 46_592);
        assert_eq!(size_of::<WordNode<Wide>>(), size_of::<WordNode<Captured>>());
    }
}

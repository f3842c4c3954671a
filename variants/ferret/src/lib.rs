//! The move table of Ferret (Bruce Moreland, 1990s).
//!
//! # The idea
//! Moreland took GNU Chess's tables and replaced a link by element order. For each kind and origin,
//! the targets stand in one array, ray after ray. The successor of an empty square is the next
//! element, even from the end of one ray to the start of the next, so it needs no link. An element
//! holds its square and one pointer, to the first element of the next ray, for the case that the
//! square is occupied. On the last ray that pointer is null. Behind the last element stands a
//! sentinel with square −1. A walk ends at the null pointer if the last ray is blocked, else at the
//! sentinel.
//!
//! # What it cost then
//! Eight bytes per element on a 32-bit machine: 24,832 bytes for the sliders, a fifth of the
//! butterfly's table. With 64-bit pointers and their padding it is 16 bytes per element, 49,664 in
//! all.
//!
//! # What to expect now
//! The branches are those of the butterfly: two on an empty square (empty? sentinel?), three on a
//! blocker (empty? enemy? null?). The improvement is in latency. The butterfly loads its next
//! index, so its loads form a chain. Here the next index is an addition as long as squares are
//! empty, and if the branches are predicted the next square can be fetched early. What the design
//! gains on open boards it may lose if its table no longer fits the first-level cache. The three
//! link widths measure that effect.
//!
//! # The forms
//! | design | element | bytes of the sliders |
//! |---|---|---:|
//! | [`Pointer`] | square and pointer, as published | 49,664 |
//! | [`ConditionalWrite`] | the same; on a piece the move is stored always (ours) | 49,664 |
//! | [`ConditionalWriteAtEmpty`] | the same; every move is stored, also where only captures count (ours) | 49,664 |
//! | [`Index32`] | 32-bit square and index (ours) | 24,832 |
//! | [`Index16`] | 16-bit square and index (ours) | 12,416 |
//! | [`EndOrigin`] | the same; lists end at the origin, as in the butterfly (ours) | 12,416 |
//!
//! Heads, leapers, pawns and stages were not published. Here leapers are sliders with rays of one
//! square. A pawn's pushes are one ray and each of its captures is a ray, so that one loop serves
//! every list.

mod card;
#[allow(
    unsafe_code,
    reason = "a check per element costs a comparison, and a mask would be part of the dependency chain"
)]
mod index;
#[allow(unsafe_code, reason = "the walk promises that it is on a target")]
mod links;
#[allow(unsafe_code, reason = "the walk promises that it is on a target")]
mod origin;
#[allow(unsafe_code, reason = "links are addresses, as published")]
mod pointer;
#[allow(unsafe_code, reason = "the walk promises that it is on a target")]
mod sets;
mod storing;
#[allow(unsafe_code, reason = "promises the range of a square, and that a next element exists")]
mod walk;

use raywalk_core::{Card, Feature, Generator, Move, MoveList, Stage, square_board::Board8x8};

use index::Indexes;
use links::Links;
use origin::Returning;
use pointer::Pointers;
use storing::Storing;

/// Ferret's lists with one kind of link.
pub struct Ferret<L: Links> {
    lists: L,
}

/// Elements of 16 bytes with pointers, as published.
pub type Pointer = Ferret<Pointers>;
/// [`Pointer`] with an unconditional store on pieces (ours).
pub type ConditionalWrite = Ferret<Storing<false>>;
/// [`ConditionalWrite`] with an unconditional store at empty squares too (ours).
pub type ConditionalWriteAtEmpty = Ferret<Storing<true>>;
/// Elements of 8 bytes with 32-bit indexes (ours).
pub type Index32 = Ferret<Indexes<u32>>;
/// Elements of 4 bytes with 16-bit indexes (ours).
pub type Index16 = Ferret<Indexes<u16>>;
/// [`Index16`] with lists that end at the origin (ours).
pub type EndOrigin = Ferret<Returning>;

impl<L: Links> Generator for Ferret<L> {
    const CARD: Card = L::CARD;
    type Board = Board8x8;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Ferret { lists: L::build() }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Board8x8, list: &mut MoveList) {
        board.visit::<S>(&mut walk::Walk::<S, L>::new(&self.lists, board, list));
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.lists.bytes()
    }
}

raywalk_core::entries!(
    Pointer: Attacking,
    ConditionalWrite: Attacking,
    ConditionalWriteAtEmpty: Attacking,
    Index32: Attacking,
    Index16: Attacking,
    EndOrigin: Attacking,
);

//! Diep's lists (Vincent Diepeveen), a reconstruction.
//!
//! # What is public
//! Diepeveen posted a skeleton of the generator of Diep (1994 to 2012) about 2004 and 2005, and it
//! was discussed again in 2012. It is related to Ferret: the targets of a kind from an origin stand
//! in one list, ray after ray, and the index advances by one. What is new is how a walk leaves a
//! blocked ray. Each element has a *skip increment* that leads to the next direction. The increment
//! is ANDed with a mask, zero for an empty target and −1 for an occupied one, and always added, so
//! no branch decides the advance. Board codes are 1 to 6 for White and 9 to 14 for Black.
//!
//! # What is not public
//! The layout of an element, whether a branch told own pieces from enemies, and how knights, kings
//! and pawns were treated. This crate is our reconstruction, not Diepeveen's program. It uses two
//! bytes per element, marks the end of each list with the piece's own square, treats leapers as
//! sliders with rays of one square, and gives each pawn two lists. For the open question about own
//! pieces and enemies it has one design per answer.
//!
//! # What to expect now
//! The sliders take six kilobytes, an eighth of Ferret's table. The only branch of the walk is its
//! exit, mispredicted about once per piece. In exchange every square waits for the one before: two
//! loads in a row and four simple instructions, where Ferret's predicted walk needs one addition. The design pays off
//! where blockers cannot be predicted. The idea led to the conditional linked list.
//!
//! | design | the occupant of the target decides |
//! |---|---|
//! | [`Conditional`] | what is added to the length of the move list, after an unconditional store |
//! | [`Mixed`] | a branch around the store |
//! | [`ConditionalBranchy`] | the added length, and a branch that replaces the masked skip (a control) |
//! | [`AllBranchy`] | both branches (a control) |
//!
//! [`RegisterOccupancy`] is [`Conditional`] with the occupant in a register instead of the board, so that the loads of
//! the elements alone wait for each other.

mod reading;
#[allow(unsafe_code, reason = "the walk promises that it is on an element of its list")]
mod sets;
#[allow(
    unsafe_code,
    reason = "a check per element costs a comparison, and a mask would be part of the dependency chain"
)]
mod table;
#[allow(unsafe_code, reason = "the walk promises that it is on an element of its list")]
mod walk;

use std::marker::PhantomData;

use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};

use reading::{BoardByte, BoardWith, OccupancyWords, Reading};
use table::Table;
use walk::{Advance, Branched, BranchyWrite, ConditionalWrite, Masked, Walk, Writer};

/// Diep's lists with one way of writing moves, one of advancing and one of reading squares.
pub struct Diep<W, A, R = BoardByte> {
    table: Table,
    choices: PhantomData<(W, A, R)>,
}

/// Stores every move and counts it if it is kept.
pub type Conditional = Diep<ConditionalWrite, Masked>;
/// Branches around the store.
pub type Mixed = Diep<BranchyWrite, Masked>;
/// Stores every move, and branches on each square instead of masking the skip.
pub type ConditionalBranchy = Diep<ConditionalWrite, Branched>;
/// Branches around the store and on each square.
pub type AllBranchy = Diep<BranchyWrite, Branched>;
/// [`Conditional`] with the occupancy in a register.
pub type RegisterOccupancy = Diep<ConditionalWrite, Masked, OccupancyWords>;

/// The fields that all cards share.
const DIEPEVEEN: Card = Card {
    id: "diep",
    name: "Diep",
    author: "Vincent Diepeveen",
    year: Some(2005),
    source: "Vincent Diepeveen, Computer Chess Club, 1 January 2005, 30 and 31 August and 19 \
             November 2012",
    control: Control::Mixed,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[],
    reconstructed: "all but the masked skip and the board codes: element layout, end of list, \
                    writing, knights, kings, pawns, stages; castling and en passant come from the \
                    shared board",
};

/// A way of writing moves, one of advancing and one of reading squares that form a design.
pub trait Variant {
    /// The card of the design.
    const CARD: Card;
}

impl Variant for (ConditionalWrite, Masked, BoardByte) {
    const CARD: Card = Card {
        id: "diep/conditional-write",
        name: "Diep, conditional write",
        control: Control::Branchless,
        ..DIEPEVEEN
    };
}

impl Variant for (BranchyWrite, Masked, BoardByte) {
    const CARD: Card =
        Card { id: "diep/mixed", name: "Diep, branch around the store", ..DIEPEVEEN };
}

/// The fields of the two controls that branch where Diep masks.
const CONTROL: Card = Card {
    author: "Raywalk, after Vincent Diepeveen",
    year: Some(2026),
    source: "Raywalk: a control for diep/conditional-write and diep/mixed, not published elsewhere",
    reconstructed: "a branch on each square in place of the masked skip; the rest is that of the other \
                    designs of this family",
    ..DIEPEVEEN
};

impl Variant for (ConditionalWrite, Branched, BoardByte) {
    const CARD: Card = Card {
        id: "diep/branchy-advance",
        name: "Diep, branchy advance, conditional write",
        ..CONTROL
    };
}

impl Variant for (BranchyWrite, Branched, BoardByte) {
    const CARD: Card = Card {
        id: "diep/branchy",
        name: "Diep, branchy advance and write",
        control: Control::Branchy,
        ..CONTROL
    };
}

impl Variant for (ConditionalWrite, Masked, OccupancyWords) {
    const CARD: Card = Card {
        id: "diep/register-occupancy",
        name: "Diep, occupancy in a register",
        author: "Raywalk, after Vincent Diepeveen",
        year: Some(2026),
        source: "Raywalk: a variant of diep/conditional-write, not published elsewhere",
        control: Control::Branchless,
        reconstructed: "two words with a bit for each square, kept by make and unmake, replace the board byte; \
                        the rest is diep/conditional-write",
        ..DIEPEVEEN
    };
}

impl<W: Writer, A: Advance, R: Reading> Generator for Diep<W, A, R>
where
    (W, A, R): Variant,
{
    const CARD: Card = <(W, A, R) as Variant>::CARD;
    type Board = BoardWith<R::List>;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Diep { table: Table::build(), choices: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &Self::Board, list: &mut MoveList) {
        board.visit::<S>(&mut Walk::<S, W, A, R>::new(&self.table, board, list));
        board.special_moves::<S>(list);
    }

    fn table_bytes(&self) -> usize {
        self.table.bytes()
    }
}

raywalk_core::entries!(
    Conditional: Attacking,
    Mixed: Attacking,
    ConditionalBranchy: Attacking,
    AllBranchy: Attacking,
    RegisterOccupancy: Attacking,
);

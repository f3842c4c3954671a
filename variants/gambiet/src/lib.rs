//! Gambiet's flag coding: one addition sets four flags, which tell five classes of cell apart.
//!
//! Wim Rens wrote Gambiet between 1980 and 1983 for the Z80 of a TRS-80 and described its code in
//! Databus of June 1981. The board is an ordinary guarded mailbox; the idea is in the byte of a cell
//! ([`GambietCode`]). Adding the byte to itself classifies it by the processor's flags: zero is an
//! empty square, odd parity the border, a negative sum a king, carry a piece of Black, and no flag a
//! piece of White. The loop makes four conditional jumps on one load, the extreme case of many cheap
//! branches.
//!
//! x86 sets the same four flags in the same way, so the original chain still runs: [`Flags`] writes it
//! in inline assembly and needs an x86-64 processor. Compilers do not expose the parity flag, so
//! portable code must classify by other means: [`Computed`] computes each flag, and [`Table`] reads a table of
//! 256 classes. The three differ in nothing else. `mailbox/10x12-gambiet` has the same codes in the walk of the
//! mailboxes, which compares numbers.
//!
//! # Cost
//! One jump per empty square, which comes first in the chain, and up to four at the end of a ray. The
//! low nibble of the code is an exchange value and its middle bits index tables of moves; generation
//! uses neither.
//!
//! The flags distinguish White and Black, but the loop needs own and enemy. With Black to move the
//! colour bit is inverted after the load, which changes no other class. How Gambiet solved this is not
//! known.

mod class;
#[allow(unsafe_code, reason = "the flags of the processor can only be used in assembly")]
mod ray;
mod walk;

use std::marker::PhantomData;

use class::{ClassTable, ComputedFlags};
use ray::{FlagJumps, Rays};
use raywalk_core::square_board::{CountedArrays, GambietCode, Geometry, Grid10x12, SquareBoard};
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};
use walk::Walk;

/// The 10x12 mailbox with Gambiet's code.
pub type GambietBoard = SquareBoard<Grid10x12, GambietCode, CountedArrays>;

/// The original chain of flag jumps, in inline assembly. Needs x86-64.
pub type Flags = Gambiet<FlagJumps>;
/// The flags computed in portable code.
pub type Computed = Gambiet<ComputedFlags>;
/// The portable table of 256 classes.
pub type Table = Gambiet<ClassTable>;

raywalk_core::entries!(Flags, Computed, Table);

/// Gambiet's design, generic over how a code is classified.
#[repr(C, align(64))]
pub struct Gambiet<K: Rays> {
    classes: K,
    board: PhantomData<GambietBoard>,
}

const CARD: Card = Card {
    id: "gambiet/flags",
    name: "Gambiet flag jumps",
    author: "Wim Rens",
    year: Some(1981),
    source: "Wim Rens, Grondslagen van computerschaak, Databus 6/1981; Chess Programming Wiki, Gambiet",
    control: Control::Branchy,
    legality: Legality::Pseudo,
    published_bytes: None,
    needs: &[Feature::X86_64],
    reconstructed: "geometry, piece list, loops, pawns, stages and the inverted colour bit for Black; \
                    the code and the order of the flag jumps come from the source",
};

impl<K: Rays> Generator for Gambiet<K> {
    const CARD: Card = K::CARD;
    type Board = GambietBoard;
    type Moves = Move;

    fn build() -> Result<Box<Self>, Feature> {
        Ok(Box::new(Gambiet { classes: K::new()?, board: PhantomData }))
    }

    #[inline(always)]
    fn generate<S: Stage>(&self, board: &GambietBoard, list: &mut MoveList) {
        board.visit::<S>(&mut Walk::<S, K>::new(&self.classes, board, list));
        board.special_moves::<S>(list);
    }

    /// Bytes of the class table, and of the map from cells to squares that writing a move needs.
    fn table_bytes(&self) -> usize {
        size_of::<K>() + Grid10x12::MAP_BYTES
    }
}

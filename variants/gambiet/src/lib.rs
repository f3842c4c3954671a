//! Gambiet's flag coding: one addition, four flags, five answers.
//!
//! Wim Rens wrote Gambiet between 1980 and 1983 for the Z80 of a TRS-80 and described its code in
//! Databus of June 1981. The board is an ordinary guarded mailbox; the idea is in the byte
//! ([`GambietCode`]). Load it, add it to itself, and the processor's flags have sorted it: zero is an
//! empty square, odd parity the border, minus a king, carry a piece of Black, and what remains a piece of
//! White. Four conditional jumps on one load, the extreme of many cheap branches.
//!
//! x86 sets the same four flags in the same way, so the original chain can still be run: [`Flags`]
//! does so in inline assembly and needs an x86-64 processor. A compiler does not know parity as a flag,
//! so portable code must get its answers elsewhere: [`Table`] asks a table of 256 classes, and
//! `mailbox/10x12-gambiet` compares numbers. The three differ in nothing else.
//!
//! What it costs: one jump per empty square, taken first, and up to four at the end of a ray. The
//! low nibble of the code is an exchange value, and its middle bits index tables of moves: generation
//! uses neither.
//!
//! The flags name colours, the loop wants friend and foe. With Black to move the colour bit is
//! inverted on the way, which turns no other answer round; how Gambiet did it is not known to us.

mod class;
mod walk;

use std::marker::PhantomData;

pub use class::{Class, ClassTable, Classify, FlagJumps};
use raywalk_core::square_board::{CountedArrays, GambietCode, Geometry, Grid10x12, SquareBoard};
use raywalk_core::{Card, Control, Feature, Generator, Legality, Move, MoveList, Stage};
use walk::Walk;

/// A guarded board that holds Gambiet's code.
pub type GambietBoard = SquareBoard<Grid10x12, GambietCode, CountedArrays>;

/// The original chain of flag jumps.
pub type Flags = Gambiet<FlagJumps>;
/// The portable table of classes.
pub type Table = Gambiet<ClassTable>;

raywalk_core::entries!(Flags, Table);

/// Gambiet's walk, generic over how a code is sorted.
#[repr(C, align(64))]
pub struct Gambiet<K: Classify> {
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
    reconstructed: "the code and the order of the flag jumps are the source's; geometry, piece list, \
                    loops, pawns, stages and the inverted colour bit for Black are ours",
};

impl<K: Classify> Generator for Gambiet<K> {
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

    /// The classes, and the map from cells to squares that writing a move needs.
    fn table_bytes(&self) -> usize {
        size_of::<K>() + size_of_val(&Grid10x12::SQUARES)
    }
}

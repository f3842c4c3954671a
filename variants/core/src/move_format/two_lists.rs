//! Captures and other moves as two lists that one call writes.
//!
//! *Table-driven Move Generation* and *Pieces versus Directions* of the Chess Programming Wiki both leave it
//! open whether captures and quiet moves are written to one list or to two. Here the two lists begin at both
//! ends of the same slots and grow towards each other, so two lists need no more memory than one. Read one
//! after the other, captures first, they are the list of the call.

use super::{MoveFormat, NodeSlots};
use crate::Move;

/// The neutral move in a list of captures or in a list of other moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct InTwoLists(Move);

impl MoveFormat for InTwoLists {
    type Slots = NodeSlots<Self>;
    const UNWRITTEN: InTwoLists = InTwoLists(Move::UNWRITTEN);
    const TWO_LISTS: bool = true;

    #[inline(always)]
    fn pack(mv: Move) -> InTwoLists {
        InTwoLists(mv)
    }

    #[inline(always)]
    fn unpack(self) -> Move {
        self.0
    }
}

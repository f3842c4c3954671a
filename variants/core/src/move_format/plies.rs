//! Where the lists of the nodes on a path are, while a search is walked.
//!
//! An engine keeps the moves of all nodes on its path, because it tries the rest of them when it comes back. It
//! has a list for each ply, usually a local array of the recursive function, or one stack of moves for all
//! plies, on which the moves of a node begin where those of its parent end. The stack is denser: a list of 256
//! moves is mostly unused, and the next one begins behind it.
//!
//! Both formats here hold the neutral move and the same number of slots, so generation is the same code. They
//! differ in the place where a walk of a search lets it begin.
//!
//! # Source
//! *Tom Kerrigan's Simple Chess Program*: `gen_dat`, a stack of 1,120 moves, and `first_move`, where those of
//! each ply begin.

use super::{MoveFormat, PathSlots};
use crate::Move;

/// Which list a walk of a search uses at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plies {
    /// One list, which forgets the moves of the parent.
    Forgotten,
    /// A list for each ply.
    Apart,
    /// One list for all plies: the moves of a node begin where those of its parent end.
    Stacked,
}

/// The neutral move in a list for its ply, or on a stack for all plies if `STACKED`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct MoveOfPly<const STACKED: bool>(Move);

impl<const STACKED: bool> MoveFormat for MoveOfPly<STACKED> {
    /// A list for one ply would need fewer slots. It has as many as the stack, so that both generate with the
    /// same code; only the slots that are used are ever in a cache.
    type Slots = PathSlots<Self>;
    const PLIES: Plies = if STACKED { Plies::Stacked } else { Plies::Apart };
    const UNWRITTEN: MoveOfPly<STACKED> = MoveOfPly(Move::UNWRITTEN);

    #[inline(always)]
    fn pack(mv: Move) -> MoveOfPly<STACKED> {
        MoveOfPly(mv)
    }

    #[inline(always)]
    fn unpack(self) -> Move {
        self.0
    }
}

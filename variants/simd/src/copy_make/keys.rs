//! The keys of a walk: none, or one with each board.

use std::mem::MaybeUninit;

use raywalk_core::{Bitboards, Move, Square};

use super::register::Register;

/// A board and its key.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Node<Key> {
    pub(super) board: Register,
    pub(super) key: Key,
}

impl<Key> Node<Key> {
    /// The rooms of the board and of the key.
    #[inline(always)]
    pub(super) fn parts(
        room: &mut MaybeUninit<Self>,
    ) -> (&mut MaybeUninit<Register>, &mut MaybeUninit<Key>) {
        let room = room.as_mut_ptr();
        // SAFETY: both are parts of the room and do not overlap, and either may be without a value.
        unsafe { (&mut *(&raw mut (*room).board).cast(), &mut *(&raw mut (*room).key).cast()) }
    }
}

/// How a walk keeps keys.
pub(crate) trait Keys: Copy {
    /// The key of one board.
    type Key: Copy;
    /// A board as far as the keys after its moves depend on it.
    type Parent;
    /// The moves of one piece, as far as keys depend on its origin.
    type Mover: Copy;

    /// The key of a board from scratch.
    fn of(self, board: &Bitboards) -> Self::Key;

    /// Prepares the keys after the moves of a board.
    fn parent(self, node: &Node<Self::Key>) -> Self::Parent;

    /// Prepares the keys after the moves of a piece.
    fn left(parent: &Self::Parent, from: Square) -> Self::Mover;

    /// The key after a move of a piece that only moves it and may capture another.
    fn entered(parent: &Self::Parent, mover: Self::Mover, to: Square) -> Self::Key;

    /// The key after such a move of any piece.
    fn moved(parent: &Self::Parent, from: Square, to: Square) -> Self::Key;

    /// The key after a double push beside an enemy pawn, with the square that it has passed.
    fn pushed(parent: &Self::Parent, from: Square, to: Square, passed: u64) -> Self::Key;

    /// The key after any move but a double push, whatever it changes.
    fn rarely_moved<const WHITE: bool>(parent: &Self::Parent, mv: Move) -> Self::Key;

    /// Completes the keys after all moves.
    fn complete(parent: &Self::Parent, nodes: &mut [Node<Self::Key>]);
}

/// No keys. The walk compiles to the instructions that it would have without this trait.
#[derive(Clone, Copy)]
pub(crate) struct NoKeys;

impl Keys for NoKeys {
    type Key = ();
    type Parent = ();
    type Mover = ();

    #[inline(always)]
    fn of(self, _board: &Bitboards) {}

    #[inline(always)]
    fn parent(self, _node: &Node<()>) {}

    #[inline(always)]
    fn left((): &(), _from: Square) {}

    #[inline(always)]
    fn entered((): &(), (): (), _to: Square) {}

    #[inline(always)]
    fn moved((): &(), _from: Square, _to: Square) {}

    #[inline(always)]
    fn pushed((): &(), _from: Square, _to: Square, _passed: u64) {}

    #[inline(always)]
    fn rarely_moved<const WHITE: bool>((): &(), _mv: Move) {}

    #[inline(always)]
    fn complete((): &(), _nodes: &mut [Node<()>]) {}
}

//! The slots of a list.

use std::ops::Range;

use super::MoveFormat;

/// Slots for the moves of one node. A power of two, so that a mask can replace the bounds check.
pub(crate) const CAPACITY: usize = 256;
/// Slots for the moves of all nodes on a path: four plies of all moves, then captures.
const PATH: usize = 1_024;
/// Slots behind the last move that may be written at any time: one 64-byte vector of moves.
pub const SPARE: usize = 32;

/// The slots of a list for one node.
pub type NodeSlots<F> = [F; CAPACITY + SPARE];
/// The slots of a list for all nodes on a path.
pub type PathSlots<F> = [F; PATH + SPARE];

/// The slots of a list, and [`SPARE`] more.
pub trait Slots<F>: Clone + Send + Sync + 'static {
    /// Number of slots for moves, a power of two.
    const CAPACITY: usize;
    /// All slots with their initial value.
    const UNWRITTEN: Self;

    /// All slots, the spare ones among them.
    fn all(&self) -> &[F];
    /// Writes a word to the slot of this index.
    fn set(&mut self, slot: usize, word: F);
    /// Writes four words to the slots from this one on.
    fn set_four(&mut self, slot: usize, words: &[F; 4]);
    /// The slots of a range, for writing.
    fn range_mut(&mut self, slots: Range<usize>) -> &mut [F];
}

impl<F: MoveFormat, const N: usize> Slots<F> for [F; N] {
    const CAPACITY: usize = {
        assert!((N - SPARE).is_power_of_two());
        N - SPARE
    };
    const UNWRITTEN: [F; N] = [F::UNWRITTEN; N];

    #[inline(always)]
    fn all(&self) -> &[F] {
        self
    }

    #[inline(always)]
    fn set(&mut self, slot: usize, word: F) {
        self[slot] = word;
    }

    #[inline(always)]
    fn set_four(&mut self, slot: usize, words: &[F; 4]) {
        self[slot..slot + 4].copy_from_slice(words);
    }

    #[inline(always)]
    fn range_mut(&mut self, slots: Range<usize>) -> &mut [F] {
        &mut self[slots]
    }
}
